import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTransfer } from '../../functions/adapters/chain/erc20.ts';
import { isRevert, RpcError } from '../../functions/adapters/chain/rpc.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { type Anvil, startAnvil } from '../../sandbox/chain/anvil.ts';
import { deploy, fund, localChain, ORACLE_LISTED_WALLET } from '../../sandbox/chain/deploy.ts';
import { reword } from '../../sandbox/chain/node-words.ts';
import { rpc, waitForReceipt } from '../../sandbox/chain/rpc.ts';
import {
  askNode,
  GWEI,
  type Json,
  type SimulatedChain,
  signWish,
  startSimulatedChain,
  treasury,
  type Wish,
} from '../support/simulated-chain.ts';

const poor = new Wallet(`0x${'33'.repeat(32)}`);
const client = `0x${'22'.repeat(20)}`;
const { USDT, USDC } = localChain.tokens;

let anvil: Anvil;
let simulated: SimulatedChain;

beforeAll(async () => {
  [anvil, simulated] = await Promise.all([startAnvil(), startSimulatedChain()]);
  await Promise.all(
    [anvil.url, simulated.url].map(async (url) => {
      await deploy(url);
      await fund(url, treasury.address);
      await rpc(url, 'anvil_setBalance', [poor.address, '0x3e8']);
    }),
  );
});
afterAll(async () => {
  await Promise.all([anvil?.stop(), simulated?.stop()]);
});

const chains = () => [anvil.url, simulated.url] as const;
const onBoth = <T>(act: (url: string) => Promise<T>) => Promise.all(chains().map(act)) as Promise<[T, T]>;
const nonceOf = async (url: string, tag = 'latest') =>
  Number(await rpc<string>(url, 'eth_getTransactionCount', [treasury.address, tag]));

/** The form of an answer: its fields, and how each value is written. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, formOf(each)]));
  if (typeof value !== 'string') return typeof value;
  if (!value.startsWith('0x')) return value;
  return value.length > 20 ? `0x (${value.length})` : '0x…';
}

/** Fields that no client reads. anvil alone has them. */
const ANVIL_ONLY = ['blobGasPrice', 'blockTimestamp', 'baseFeePerBlobGas', 'blobGasUsedRatio', 'size'];
function withoutAnvils(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnvils);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !ANVIL_ONLY.includes(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutAnvils(each)]));
}
const comparable = (value: unknown) => formOf(withoutAnvils(value));

/** Sends the same transfer on both chains, and waits until both have mined it. Answers its hash. */
async function transferOnBoth(wish: Omit<Wish, 'nonce'>): Promise<string> {
  const raw = await signWish({ nonce: await nonceOf(simulated.url), ...wish });
  const [hash, same] = await onBoth(async (url) => {
    const sent = await rpc<string>(url, 'eth_sendRawTransaction', [raw]);
    await waitForReceipt(url, sent);
    return sent;
  });
  expect(same).toBe(hash);
  return hash;
}

const call = (to: string, data: string, from?: string) => [{ ...(from && { from }), to, data }, 'latest'];

describe('the same call on both chains', () => {
  it.each(ASSET_NAMES)(
    'shows a transfer of %s with the same receipt, logs and transaction',
    async (asset) => {
      const to = localChain.tokens[asset];
      const hash = await transferOnBoth({ to, data: encodeTransfer(client, 5_000_000n) });

      for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
        const [theirs, ours] = await onBoth((url) => rpc<Json>(url, method, [hash]));
        expect(comparable(ours), method).toEqual(comparable(theirs));
      }
      const [theirs, ours] = await onBoth((url) => rpc<Json>(url, 'eth_getTransactionReceipt', [hash]));
      for (const same of ['status', 'gasUsed', 'from', 'to', 'logsBloom', 'transactionHash'])
        expect(ours[same], same).toBe(theirs[same]);
      const factsOf = ({ logs }: Json) =>
        (logs as Json[]).map(({ address, topics, data }) => ({ address, topics, data }));
      expect(factsOf(ours)).toEqual(factsOf(theirs));
    },
  );

  it('shows blocks with the same fields, with whole transactions or with their hashes', async () => {
    const hash = await transferOnBoth({ data: encodeTransfer(client, 7n) });
    for (const isWhole of [true, false]) {
      const [theirs, ours] = await onBoth(async (url) => {
        const { blockNumber } = await rpc<{ blockNumber: string }>(url, 'eth_getTransactionReceipt', [hash]);
        return rpc<Json>(url, 'eth_getBlockByNumber', [blockNumber, isWhole]);
      });
      expect(comparable(ours)).toEqual(comparable(theirs));
    }
    const [theirs, ours] = await onBoth((url) => rpc<Json>(url, 'eth_getBlockByNumber', ['0x0', false]));
    expect(Object.keys(withoutAnvils(ours) as Json).sort()).toEqual(
      Object.keys(withoutAnvils(theirs) as Json).sort(),
    );
  });

  it('finds the same logs by contract, topics and range', async () => {
    const fresh = Wallet.createRandom().address.toLowerCase();
    await transferOnBoth({ data: encodeTransfer(fresh, 9n) });
    await transferOnBoth({ to: USDT, data: encodeTransfer(fresh, 11n) });
    const word = `0x${fresh.slice(2).padStart(64, '0')}`;
    const sender = `0x${treasury.address.slice(2).toLowerCase().padStart(64, '0')}`;
    const filters = [
      { fromBlock: '0x0', toBlock: 'latest', topics: [null, null, word] },
      { fromBlock: '0x0', address: USDC, topics: [null, [sender, word], word] },
      { fromBlock: '0x0', address: [USDC, USDT], topics: [null, sender, word] },
      {
        fromBlock: '0x0',
        toBlock: 'latest',
        address: localChain.sanctionsOracle,
        topics: [null, null, word],
      },
    ];
    for (const filter of filters) {
      const [theirs, ours] = await onBoth((url) => rpc<Json[]>(url, 'eth_getLogs', [filter]));
      expect(comparable(ours)).toEqual(comparable(theirs));
      expect(ours.map(({ data }) => data)).toEqual(theirs.map(({ data }) => data));
    }
  });

  it.each([
    ['a balance', () => call(USDC, `0x70a08231${client.slice(2).padStart(64, '0')}`)],
    ['a trial transfer of USDC', () => call(USDC, encodeTransfer(client, 1n), treasury.address)],
    ['a trial transfer of USDT', () => call(USDT, encodeTransfer(client, 1n), treasury.address)],
    ['a transfer without balance', () => call(USDC, encodeTransfer(client, 1n), poor.address)],
    ['an arithmetic error', () => call(USDT, encodeTransfer(client, 1n), poor.address)],
    ['a function that does not exist', () => call(USDC, '0x12345678')],
    ['an address without code', () => call(client, '0x12345678')],
    [
      'the oracle',
      () => call(localChain.sanctionsOracle, `0xdf592f7d${ORACLE_LISTED_WALLET.slice(2).padStart(64, '0')}`),
    ],
    ['the wrong caller', () => call(USDC, '0x8456cb59', client)],
  ])('answers eth_call the same: %s', async (_, params) => {
    const [theirs, ours] = await onBoth((url) => askNode(url, 'eth_call', params()));

    const panic = /^execution reverted: panic:.*$/;
    const plain = (answer: Json) =>
      JSON.parse(JSON.stringify(answer), (name, each) =>
        name === 'message' ? String(each).replace(panic, 'execution reverted') : each,
      ) as Json;
    expect(ours).toEqual(plain(theirs));
  });

  it('refuses a call about a block that does not exist, which is no revert', async () => {
    for (const url of chains()) {
      const { error } = await askNode(url, 'eth_call', [{ to: USDC, data: '0x313ce567' }, '0xffffff']);
      expect(isRevert(new RpcError(error as { code: number; message: string }))).toBe(false);
    }
  });

  it.each([
    ['eth_chainId', []],
    ['net_version', []],
    ['eth_maxPriorityFeePerGas', []],
    ['eth_getCode', [USDC, 'latest']],
    ['eth_getCode', [client, 'latest']],
    ['eth_getBalance', [poor.address, 'latest']],
    ['eth_getTransactionCount', [poor.address, 'latest']],
    ['eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`]],
    ['eth_getTransactionByHash', [`0x${'ab'.repeat(32)}`]],
    ['eth_getBlockByNumber', ['0xffffff', false]],
    ['eth_estimateGas', [{ from: treasury.address, to: USDC, data: encodeTransfer(client, 1n) }]],
  ])('answers %s the same', async (method, params) => {
    const [theirs, ours] = await onBoth((url) => askNode(url, method, params));

    const isEstimate = method === 'eth_estimateGas';
    expect(isEstimate ? formOf(ours) : ours).toEqual(isEstimate ? formOf(theirs) : theirs);
  });

  it('has the fees of the next block', async () => {
    const [theirs, ours] = await onBoth((url) => rpc<Json>(url, 'eth_feeHistory', ['0x1', 'latest', []]));

    expect(comparable(ours)).toEqual(comparable(theirs));
  });

  it('estimates enough gas for a transfer, and hardly more', async () => {
    const data = encodeTransfer(Wallet.createRandom().address, 3n);
    const asked = { from: treasury.address, to: USDC, data };
    const gas = BigInt(await rpc<string>(simulated.url, 'eth_estimateGas', [asked]));

    const hash = await rpc<string>(simulated.url, 'eth_sendRawTransaction', [
      await signWish({ nonce: await nonceOf(simulated.url), data, gas }),
    ]);
    await transferNonce();

    const receipt = await waitForReceipt(simulated.url, hash);
    expect(receipt.status).toBe('0x1');
    const { gasUsed } = receipt as unknown as { gasUsed: string };
    expect(Number(gas - BigInt(gasUsed))).toBeLessThan(10_000);
  });

  /** Uses a nonce on anvil, so that both chains have the same next nonce again. */
  async function transferNonce(): Promise<void> {
    const raw = await signWish({ nonce: await nonceOf(anvil.url), data: encodeTransfer(client, 1n) });
    await waitForReceipt(anvil.url, await rpc<string>(anvil.url, 'eth_sendRawTransaction', [raw]));
  }
});

describe('the same refusal on both chains', () => {
  const refusal = async (url: string, raw: string) =>
    (await askNode(url, 'eth_sendRawTransaction', [raw])).error as { code: number; message: string };
  const worded = (error: { code: number; message: string }) => reword(error, 'geth').message;

  it.each([
    ['a nonce that is used', async () => signWish({ nonce: 0, data: '0x00' }), 'nonceTooLow'],
    ['a sender without ether', async () => signWish({ nonce: 0, from: poor }), 'insufficientFunds'],
    ['another chain', async () => signWish({ nonce: await nonceOf(simulated.url), chainId: 1 }), 'other'],
    ['too little gas', async () => signWish({ nonce: await nonceOf(simulated.url), gas: 20_000n }), 'other'],
    ['bytes that are no transaction', async () => '0x1234', 'other'],
  ])('of %s', async (_, make, meaning) => {
    const raw = await make();
    const [theirs, ours] = await onBoth((url) => refusal(url, raw));

    expect(theirs.code).toBeTypeOf('number');
    expect(ours.code).toBeTypeOf('number');
    if (meaning !== 'other') expect(worded(ours)).toBe(worded(theirs));
    expect(/insufficient funds/i.test(ours.message)).toBe(/insufficient funds/i.test(theirs.message));
  });

  it('of a transaction that waits already, and of one that pays too little to replace it', async () => {
    const nonce = (await nonceOf(simulated.url)) + 5;
    const [first, cheaper, dearer] = [
      await signWish({ nonce, tip: 2n * GWEI }),
      await signWish({ nonce, tip: GWEI }),
      await signWish({ nonce, tip: 3n * GWEI }),
    ];
    await onBoth((url) => rpc(url, 'eth_sendRawTransaction', [first]));

    for (const raw of [first, cheaper]) {
      const [theirs, ours] = await onBoth((url) => refusal(url, raw));
      expect(worded(ours)).toBe(worded(theirs));
    }
    const [theirs, ours] = await onBoth((url) => rpc<string>(url, 'eth_sendRawTransaction', [dearer]));
    expect(ours).toBe(theirs);
    const waiting = await onBoth((url) => rpc<Json>(url, 'eth_getTransactionByHash', [ours]));
    expect(comparable(waiting[1])).toEqual(comparable(waiting[0]));
    expect(waiting[1].blockNumber).toBeNull();
    await rpc(anvil.url, 'anvil_dropAllTransactions');
  });

  it('of an unknown method', async () => {
    for (const url of chains()) {
      for (const method of ['eth_nothing', 'constructor', 'toString'])
        expect((await askNode(url, method, [])).error).toMatchObject({ code: -32601 });
    }
  });
});
