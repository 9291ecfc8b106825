import { getAddress, Interface, Transaction } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeTransfer } from '../../functions/adapters/chain/erc20.ts';
import { outflows } from '../../functions/adapters/chain/outflows.ts';
import type { Node, Rpc } from '../../functions/adapters/chain/rpc.ts';
import type { Asset } from '../../functions/domain/assets.ts';
import { openSettlement, withNonce } from '../../functions/domain/treasury/settlement.ts';
import { chain, newPayout, openWorld, type Wallet, type World } from '../support/settlement-world.ts';

let world: World;
let ours: Wallet;
let foreign: Wallet;
let first: { txHash: string; to: string };
let poison: string;
let begun: number;
const FINAL_NOW = { ...chain, finality: 1 };

beforeAll(async () => {
  world = await openWorld();
  [ours, foreign] = [await world.openWallet(), await world.openWallet()];
  begun = await headTime();
  await world.stopMining();
  first = await send(ours, 0, 'USDC', 1_500_000n);
  await send(foreign, 0, 'USDT', 2_000_000n);
  await send(foreign, 1, 'USDC', 3_000_000n, ours.address);
  poison = await call(foreign, 2, 'USDC', nothingFrom(ours));
  await world.mine();
});
afterAll(() => world.stop());

async function headTime(): Promise<number> {
  const block = await world.node<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  return Number(block.timestamp) * 1000;
}

async function send(wallet: Wallet, nonce: number, asset: Asset, units: bigint, to = newPayout().to) {
  const txHash = await call(wallet, nonce, asset, encodeTransfer(to, units));
  return { txHash, to: getAddress(to) };
}

async function call({ signer }: Wallet, nonce: number, asset: Asset, data: string) {
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n, gasLimit: 120_000n };
  const { chainId, tokens } = chain;
  const sent = { type: 2, chainId, nonce, to: tokens[asset].address, data };
  const { raw, hash } = await signer.sign(Transaction.from({ ...sent, ...fees }));
  await world.node('eth_sendRawTransaction', [raw]);
  return hash.toLowerCase();
}

const FROM = new Interface(['function transferFrom(address from, address to, uint256 value)']);
/** A transfer of zero units. Anybody can make a token emit one, to get an address into a wallet's history. */
const nothingFrom = (wallet: Wallet) =>
  FROM.encodeFunctionData('transferFrom', [wallet.address, newPayout().to, 0]);

function open(rpc: Rpc = world.rpc, settings = FINAL_NOW) {
  const settlement = withNonce(openSettlement(newPayout(), 0), ours.address, 0);
  const book = {
    findOwner: async (wallet: string) => (wallet === ours.address ? settlement : undefined),
    findGasPosting: async () => undefined,
  };
  return { flows: outflows({ rpc, signers: [ours.signer], chain: settings, book }), settlement };
}

/** The same node twice. The second has something before its answers. */
function twoNodes(second: (node: Node) => Node): Rpc {
  return {
    ...world.rpc,
    nodes: async () => {
      const [node] = await world.rpc.nodes();
      return [node!, second(node!)];
    },
  };
}
const without = (method: string, answer: () => unknown) =>
  twoNodes((node) => ({
    call: async (name, params) => (name === method ? answer() : node.call(name, params)),
  }));

const list = async (flows = open().flows) => flows.listTransfers(begun, (await headTime()) + 1);

describe('transfers out of our wallets', () => {
  test('are found with nonce, asset, units and destination; other transfers are not', async () => {
    const { transfers, upTo } = await list();

    expect(transfers).toMatchObject([
      { ...first, wallet: ours.address, nonce: 0, asset: 'USDC', units: 1_500_000n, nodes: 1, asked: 1 },
    ]);
    expect(upTo).toBe(await headTime());
  });

  test('are not those of nothing that a stranger made a token emit about our wallet', async () => {
    const receipt = await world.node<{ logs: unknown[] }>('eth_getTransactionReceipt', [poison]);
    expect(receipt.logs).toHaveLength(1);

    expect((await list()).transfers.map(({ txHash }) => txHash)).toEqual([first.txHash]);
    expect(await open().flows.findTransfers(poison)).toEqual([]);
  });

  test('are those of the requested time', async () => {
    const { flows } = open();
    const at = await headTime();

    expect((await flows.listTransfers(at + 1, at + 60_000)).transfers).toEqual([]);
    expect((await flows.listTransfers(0, at - 1)).transfers).toEqual([]);
    expect((await flows.listTransfers(at, at)).transfers).toHaveLength(1);
  });

  test('are left for later in blocks that are not final yet, with the time until which they are known', async () => {
    const { flows } = open(world.rpc, { ...chain, finality: 3 });

    const { transfers, upTo } = await flows.listTransfers(begun, (await headTime()) + 1);

    expect(transfers).toEqual([]);
    expect(upTo).toBeLessThanOrEqual(await headTime());
  });

  test('are found if one of two nodes hides them, with the number of nodes that show them', async () => {
    const { transfers } = await list(open(without('eth_getLogs', () => [])).flows);

    expect(transfers).toMatchObject([{ ...first, nodes: 1, asked: 2 }]);
  });

  test.each([
    ['does not answer', () => Promise.reject(Object.assign(new Error('out'), { name: 'Unavailable' }))],
    ['answers nonsense', () => 'logs'],
    ['answers what is no log', () => [{}]],
  ])('remain undecided while one node %s', async (_, answer) => {
    await expect(list(open(without('eth_getLogs', answer)).flows)).rejects.toMatchObject({
      name: 'Unavailable',
    });
  });

  test('remain undecided with fewer nodes than required, or while a key is silent', async () => {
    const few = open(world.rpc, { ...FINAL_NOW, minimumNodes: 2 });
    await expect(list(few.flows)).rejects.toMatchObject({ name: 'Unavailable' });

    const silent = { address: () => Promise.reject(new Error('disabled')), sign: ours.signer.sign };
    const { findOwner, findGasPosting } = open().flows;
    const flows = outflows({
      rpc: world.rpc,
      signers: [ours.signer, silent],
      chain: FINAL_NOW,
      book: { findOwner, findGasPosting },
    });
    await expect(list(flows)).rejects.toThrow('disabled');
  });
});

describe('the transfers of one transaction', () => {
  test('are those of its receipt that leave our wallets', async () => {
    const { flows } = open();

    expect(await flows.findTransfers(first.txHash)).toMatchObject([first]);
    expect(await flows.findTransfers(`0x${'0'.repeat(64)}`)).toEqual([]);
  });

  test('have an owner by the nonce', async () => {
    const { flows, settlement } = open();

    expect(await flows.findOwner(ours.address, 0)).toEqual(settlement);
    expect(await flows.findOwner(foreign.address, 0)).toBeUndefined();
  });
});

describe('the coins of our wallets', () => {
  const coins = (rpc?: Rpc, settings?: typeof FINAL_NOW) => open(rpc, settings).flows.listCoins();

  test('are those of the latest final block, with the number of transactions until then', async () => {
    const block = Number(await world.node<string>('eth_blockNumber'));
    const wei = BigInt(await world.node<string>('eth_getBalance', [ours.address, 'latest']));
    const [before] = await coins(world.rpc, { ...chain, finality: 2 });

    expect(wei).toBeLessThan(10n ** 18n);
    const seen = { chainId: chain.chainId, wallet: ours.address, block, at: await headTime(), nonce: 1 };
    expect(await coins()).toEqual([
      { ...seen, coin: 'NATIVE', amount: wei },
      { ...seen, coin: 'USDT', amount: 1_000_000_000n },
      { ...seen, coin: 'USDC', amount: 1_001_500_000n },
    ]);
    expect(before).toMatchObject({ amount: 10n ** 18n, nonce: 0, block: block - 1 });
  });

  test.each<[string, string, () => unknown]>([
    ['has another balance', 'eth_getBalance', () => '0x1'],
    ['has another number of transactions', 'eth_getTransactionCount', () => '0x7'],
    ['has other tokens', 'eth_call', () => `0x${'1'.padStart(64, '0')}`],
    ['answers nonsense', 'eth_getBalance', () => null],
    ['has no block', 'eth_getBlockByNumber', () => null],
  ])('are unavailable if one node %s', async (_, method, answer) => {
    const lies = method === 'eth_getBlockByNumber' ? { ...chain, finality: 'finalized' as const } : FINAL_NOW;

    await expect(coins(without(method, answer), lies as typeof FINAL_NOW)).rejects.toThrow('chain RPC');
  });
});
