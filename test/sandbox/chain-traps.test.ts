import { randomBytes } from 'node:crypto';
import { Transaction, Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTransfer } from '../../functions/adapters/chain/erc20.ts';
import { ASSET_NAMES, type Asset } from '../../functions/domain/assets.ts';
import { type Anvil, startAnvil } from '../../sandbox/chain/anvil.ts';
import { startController } from '../../sandbox/chain/controller.ts';
import { balanceOf, deploy, fund, localChain } from '../../sandbox/chain/deploy.ts';
import { rpc, waitForReceipt } from '../../sandbox/chain/rpc.ts';
import { findTraps, releaseTrap, setTrap, type Transfer } from '../../sandbox/chain/traps.ts';

const treasury = new Wallet(`0x${'11'.repeat(32)}`);

let chain: Anvil;
let nonce = 0;

beforeAll(async () => {
  chain = await startAnvil();
  await deploy(chain.url);
  await fund(chain.url, treasury.address);
});
afterAll(() => chain?.stop());

/** A transfer to a new wallet. */
const aTransfer = (asset: Asset = 'USDC', units = 5_000_000n): Transfer => ({
  token: localChain.tokens[asset],
  to: `0x${randomBytes(20).toString('hex')}`,
  units,
});

/** Tries the transfer without a gas price, as the treasury does before it takes a nonce. */
const tryOut = ({ token, to, units }: Transfer) =>
  rpc<string>(chain.url, 'eth_call', [
    { from: treasury.address, to: token, data: encodeTransfer(to, units) },
    'latest',
  ]);

/** Sends with a fixed gas limit, so that a transfer that reverts is mined too. Returns the receipt's status. */
async function send({ token, to, units }: Transfer): Promise<string> {
  const transaction = Transaction.from({
    type: 2,
    chainId: localChain.chainId,
    nonce: nonce++,
    to: token,
    data: encodeTransfer(to, units),
    gasLimit: 120_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
  const raw = await treasury.signTransaction(transaction);
  const hash = await rpc<string>(chain.url, 'eth_sendRawTransaction', [raw]);
  return (await waitForReceipt(chain.url, hash)).status;
}

async function isReleased({ token, to }: Transfer): Promise<boolean> {
  const topics = [null, `0x${to.slice(2).padStart(64, '0')}`];
  const filter = { fromBlock: '0x0', address: token, topics };
  const logs = await rpc<{ topics: string[] }[]>(chain.url, 'eth_getLogs', [filter]);
  return new Set(logs.map(({ topics: [event] }) => event)).size > 1;
}

describe('a trap', () => {
  it.each(ASSET_NAMES)('of %s lets every trial call pass and reverts the mined transfer', async (asset) => {
    const transfer = aTransfer(asset);
    await setTrap(chain.url, { ...transfer, reverts: 3 });

    expect(await tryOut(transfer)).toBe(asset === 'USDT' ? '0x' : `0x${'1'.padStart(64, '0')}`);
    expect(await send(transfer)).toBe('0x0');
    expect(await balanceOf(chain.url, asset, transfer.to)).toBe(0n);

    await releaseTrap(chain.url, transfer);
    expect(await send(transfer)).toBe('0x1');
    expect(await balanceOf(chain.url, asset, transfer.to)).toBe(transfer.units);
  });

  it('catches one amount to one wallet, and nothing else', async () => {
    const transfer = aTransfer();
    await setTrap(chain.url, { ...transfer, reverts: 3 });

    expect(await send({ ...transfer, units: transfer.units + 1n })).toBe('0x1');
    expect(await send(aTransfer())).toBe('0x1');
    expect(await send({ ...transfer, token: localChain.tokens.USDT })).toBe('0x1');
    expect(await send(transfer)).toBe('0x0');
  });

  it('can be set and released only by the owner', async () => {
    const { token, to, units } = aTransfer();
    for (const act of [setTrap, releaseTrap]) {
      const before = Number(await rpc(chain.url, 'eth_blockNumber'));
      await act(chain.url, { token, to, units, reverts: 1 });
      const latest = Number(await rpc(chain.url, 'eth_blockNumber'));
      const data = await inputTo(token, before + 1, latest);

      const call = { from: treasury.address, to: token, data };
      await expect(rpc(chain.url, 'eth_call', [call, 'latest'])).rejects.toThrow(/not the setter/);
    }
  });
});

/** The input of the only transaction to the contract in these blocks. */
async function inputTo(contract: string, from: number, to: number): Promise<string> {
  for (let number = from; number <= to; number++) {
    const params = [`0x${number.toString(16)}`, true];
    type Sent = { to: string; input: string };
    const { transactions } = await rpc<{ transactions: Sent[] }>(chain.url, 'eth_getBlockByNumber', params);
    const found = transactions.find((each) => each.to.toLowerCase() === contract.toLowerCase());
    if (found) return found.input;
  }
  throw new Error(`nobody called ${contract}`);
}

describe('the controller', () => {
  it('releases a trap after the number of reverted receipts that it names', async () => {
    const controller = await startController(chain.url);
    const [three, four] = [aTransfer('USDC'), aTransfer('USDT')];
    await setTrap(chain.url, { ...three, reverts: 3 });
    await setTrap(chain.url, { ...four, reverts: 4 });

    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push(await send(three), await send(four));
    await expect.poll(() => isReleased(three)).toBe(true);

    expect(new Set(statuses)).toEqual(new Set(['0x0']));
    expect(await send(three)).toBe('0x1');
    expect(await send(four)).toBe('0x0');
    await expect.poll(() => isReleased(four)).toBe(true);
    expect(await send(four)).toBe('0x1');
    await controller.stop();
  });

  it('counts only the reverts of its own transfer', async () => {
    const controller = await startController(chain.url);
    const transfer = aTransfer();
    const other = { ...transfer, units: transfer.units + 1n };
    await setTrap(chain.url, { ...transfer, reverts: 1 });
    await setTrap(chain.url, { ...other, reverts: 2 });

    expect(await send(other)).toBe('0x0');
    await new Promise((resolve) => setTimeout(resolve, 1_000));

    expect(await isReleased(transfer)).toBe(false);
    expect(await send(transfer)).toBe('0x0');
    await expect.poll(() => isReleased(transfer)).toBe(true);
    expect(await send(other)).toBe('0x0');
    await controller.stop();
  });
});

describe('a forgotten trap', () => {
  it('opens by itself ten minutes later', async () => {
    const transfer = aTransfer();
    await setTrap(chain.url, { ...transfer, reverts: 4 });
    const before = Number(await rpc(chain.url, 'eth_blockNumber'));
    const range = { tokens: Object.values(localChain.tokens), from: 0, to: before };
    expect((await findTraps(chain.url, range)).at(-1)).toMatchObject({ units: transfer.units, reverts: 4 });
    expect(await send(transfer)).toBe('0x0');

    await rpc(chain.url, 'evm_increaseTime', [601]);

    expect(await send(transfer)).toBe('0x1');
  });
});
