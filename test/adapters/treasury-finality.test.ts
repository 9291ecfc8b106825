import { Transaction } from 'ethers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { Death, mortal, wrapped } from '../support/faults.ts';
import { type MemoryBook, memoryBook } from '../support/memory-book.ts';
import {
  chain,
  newPayout,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

const ONE_LOOK = { waitsMs: [] };

let world: World;
let wallet: Wallet;
let book: MemoryBook;
let now = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.startMining();
  wallet = await world.openWallet();
  book = memoryBook();
  now = 1_000_000;
});
afterEach(() => world.startMining());
afterAll(() => world.stop());

const clock = { now: () => now, minuteMs: 60_000 };
const open = (changes = {}) => openTreasury(world, wallet, { book, clock, ...ONE_LOOK, ...changes });
const rowOf = (paid: Payout) => book.rows.get(paid.transactionId);
const nonceOf = async () => Number(await world.node('eth_getTransactionCount', [wallet.address, 'latest']));

/** Gives the payment a nonce. The token begins to refuse the client before anything is sent. */
async function refuseAfterAssign(paid: Payout): Promise<void> {
  const dying = directTreasury(mortal(open().ports, 'after', 'book.assign'));
  await expect(dying.settle(paid)).rejects.toThrow(Death);
  await world.owner('USDC', 'blacklist', [paid.to]);
}

describe('a transfer that the token reverts', () => {
  it('is no failed try while money is held, because restored tables may have lost the one that paid', async () => {
    const paid = newPayout();
    await refuseAfterAssign(paid);
    await world.stopMining();
    await open().treasury.settle(paid);
    await world.mine(5);
    const { treasury } = open({ findHold: async () => 'RESTORED' as const });

    const outcome = await treasury.settle(paid);

    expect(outcome).toEqual({ state: 'PENDING', doing: 'tables are behind their witness' });
    expect(rowOf(paid)).toMatchObject({ nonce: 0, tries: [] });
    expect(await open().treasury.settle(paid)).toMatchObject({ reason: 'REVERTED', triesLeft: 3 });
  });

  it('fails at final depth, not a block earlier', async () => {
    const { treasury } = open();
    const paid = newPayout();
    await refuseAfterAssign(paid);
    await world.stopMining();

    const beforeFinal = [];
    for (let blocks = 0; blocks < 3; blocks++) {
      beforeFinal.push(await treasury.settle(paid));
      await world.mine();
    }
    const atFinal = await treasury.settle(paid);

    expect(beforeFinal.map((outcome) => outcome.state)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(atFinal).toEqual({ state: 'FAILED', reason: 'REVERTED', triesLeft: 3 });
    expect(rowOf(paid)).toMatchObject({ state: 'REQUESTED', attempts: [], tries: ['REVERTED'] });
  });

  it('fails at a depth in blocks if the chain has no final tag', async () => {
    const { treasury } = open({ chain: { ...chain, finality: 5 } });
    const paid = newPayout();
    await refuseAfterAssign(paid);
    await world.stopMining();

    await treasury.settle(paid);
    await world.mine(4);
    expect(await treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
    await world.mine();
    expect(await treasury.settle(paid)).toMatchObject({ state: 'FAILED', triesLeft: 3 });
  });

  it('is one failed try for any number of visits that see it', async () => {
    const { treasury } = open();
    const paid = newPayout();
    await refuseAfterAssign(paid);
    await treasury.settle(paid);
    await world.mine(4);

    const outcomes = await Promise.all(Array.from({ length: 5 }, () => treasury.settle(paid)));

    const reverted = outcomes.filter(({ state, ...rest }) => 'reason' in rest && rest.reason === 'REVERTED');
    expect(reverted).toEqual([{ state: 'FAILED', reason: 'REVERTED', triesLeft: 3 }]);
    expect(rowOf(paid)?.tries.filter((reason) => reason === 'REVERTED')).toHaveLength(1);
  });

  it('ends after four tries, each under its own nonce, and frees the purchase', async () => {
    const { treasury } = open({ waitsMs: [50, 100, 100, 200, 400] });
    const paid = newPayout();

    const left = [];
    for (let tries = 0; tries < 4; tries++) {
      await refuseAfterAssign(paid);
      expect(book.purchases.get(paid.transactionId)?.disposition).toBe('SETTLE');
      left.push(await treasury.settle(paid));
      await world.owner('USDC', 'unBlacklist', [paid.to]);
    }

    expect(left).toEqual(
      [3, 2, 1, 0].map((triesLeft) => ({ state: 'FAILED', reason: 'REVERTED', triesLeft })),
    );
    expect(await treasury.settle(paid)).toEqual(left[3]);
    expect(await nonceOf()).toBe(4);
    expect(book.purchases.get(paid.transactionId)?.disposition).toBeUndefined();
    expect(await world.countTransfers(wallet, paid.to)).toBe(0);
  });

  it('pays at the next try if the token accepts it again', async () => {
    const { treasury } = open({ waitsMs: [50, 100, 100, 200, 400] });
    const paid = newPayout();
    await refuseAfterAssign(paid);
    await treasury.settle(paid);
    await world.owner('USDC', 'unBlacklist', [paid.to]);

    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });
});

describe('a transfer that succeeds with another amount', () => {
  it('is held for a person and never sent again', async () => {
    await world.owner('USDT', 'setParams', [10, 10]);
    const { treasury, logged } = open({ waitsMs: [100, 100] });
    const paid = newPayout('USDT');

    const first = await treasury.settle(paid);
    now += 60_000;
    const second = await treasury.settle(paid);
    await world.owner('USDT', 'setParams', [0, 0]);

    expect(first).toEqual({ state: 'PENDING', doing: 'held: mined without its transfer' });
    expect(second).toEqual(first);
    expect(logged[0]?.fields).toMatchObject({ transactionId: paid.transactionId, asset: 'USDT' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
    expect(await nonceOf()).toBe(1);
  });
});

describe('a transfer in the chain', () => {
  it('is confirmed at the configured number of blocks, not earlier', async () => {
    const { treasury } = open({ chain: { ...chain, confirmations: 3 } });
    const paid = newPayout();
    await world.stopMining();

    await treasury.settle(paid);
    await world.mine(2);
    expect(await treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
    await world.mine();
    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('ends the visit once it is mined if its depth is far, and is looked at as usual when that is near', async () => {
    const deep = { ...chain, confirmations: 50, blockSeconds: 2 };
    const { treasury } = open({ chain: deep, waitsMs: [60_000] });
    const paid = newPayout();
    await world.stopMining();
    await open({ chain: deep }).treasury.settle(paid);
    await world.mine();

    expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'awaiting depth' });
    await world.mine(24);
    expect(await open({ chain: deep }).treasury.settle(paid)).toMatchObject({ doing: 'awaiting depth' });
    await world.mine();
    expect(await open({ chain: deep }).treasury.settle(paid)).toMatchObject({
      doing: 'awaiting confirmations',
    });
    await world.mine(24);
    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('is sent again with the same bytes if a reorg drops it', async () => {
    const { treasury } = open({ chain: { ...chain, confirmations: 3 } });
    const paid = newPayout();
    await world.stopMining();
    await treasury.settle(paid);
    await world.mine();

    await world.node('anvil_reorg', [1, []]);
    now += 5_000;
    await treasury.settle(paid);
    await world.mine(3);

    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(rowOf(paid)?.attempts).toHaveLength(1);
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('is sent again by its follower if a reorg drops it after its confirmation', async () => {
    const { treasury } = open({ waitsMs: [60, 60, 60] });
    const [earlier, later] = [newPayout(), newPayout()];
    await treasury.settle(earlier);
    await world.stopMining();
    await reorgAway(earlier);

    expect(await world.countTransfers(wallet, earlier.to)).toBe(0);
    await treasury.settle(later);
    now += 5_000;
    await treasury.settle(later);
    await world.mine();

    expect(await treasury.settle(later)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, earlier.to)).toBe(1);
    expect(await world.countTransfers(wallet, later.to)).toBe(1);
  });
});

async function reorgAway(paid: Payout): Promise<void> {
  const head = Number(await world.node('eth_blockNumber'));
  const row = rowOf(paid);
  const blocks = row && 'blockNumber' in row ? head - row.blockNumber! + 1 : 1;
  await world.node('anvil_reorg', [blocks, []]);
}

describe('a node that lags', () => {
  it('is not believed if its receipt names a block that another has replaced', async () => {
    const paid = newPayout();
    const { ports } = open({ waitsMs: [60, 60] });
    const other = wrapped(ports, async (_, effect) => {
      const result = await effect();
      const isReceipt = typeof result === 'object' && result !== null && 'transactionHash' in result;
      return isReceipt ? { ...result, blockHash: `0x${'ab'.repeat(32)}` } : result;
    });

    expect(await directTreasury(other).settle(paid)).toMatchObject({ state: 'PENDING' });
    expect(await directTreasury(ports).settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('is waited for at least a minute before a person is called', async () => {
    const paid = newPayout();
    const { ports, logged } = open({ waitsMs: [60, 60] });
    const blind = wrapped(ports, async (_, effect) => {
      const result = await effect();
      return typeof result === 'object' && result !== null && 'transactionHash' in result ? null : result;
    });
    // The process died between the broadcast and its record: the row does not have the time of the send.
    await expect(directTreasury(mortal(blind, 'before', 'book.noteCast')).settle(paid)).rejects.toThrow(
      Death,
    );
    await world.mine();

    await directTreasury(blind).settle(paid);
    expect(logged).toEqual([]);
    now += 61_000;
    await directTreasury(blind).settle(paid);
    expect(logged).toHaveLength(1);
  });

  it('is asked again: a used nonce without a receipt gets no other bytes and no other nonce', async () => {
    const paid = newPayout();
    const effects: string[] = [];
    let isLagging = true;
    const { ports } = open({ waitsMs: [60, 60] });
    const lagging = wrapped(ports, async (label, effect) => {
      effects.push(label);
      const result = await effect();
      const isReceipt = typeof result === 'object' && result !== null && 'transactionHash' in result;
      return isReceipt && isLagging ? null : result;
    });
    const treasury = directTreasury(lagging);

    for (let visit = 0; visit < 5; visit++) {
      expect(await treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
      now += 60_000;
    }
    isLagging = false;

    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(effects.filter((label) => label === 'rpc.broadcast')).toHaveLength(1);
    expect(effects.filter((label) => label === 'book.assign')).toHaveLength(1);
  });
});

describe('a wallet whose key signed something else at the nonce', () => {
  it('is held for a person: no other nonce, no failed try', async () => {
    const paid = newPayout();
    const { treasury, ports, logged } = open();
    await expect(directTreasury(mortal(ports, 'after', 'book.assign')).settle(paid)).rejects.toThrow(Death);
    const foreign = Transaction.from({
      type: 2,
      chainId: chain.chainId,
      nonce: rowOf(paid)?.nonce,
      to: wallet.address,
      gasLimit: 21_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    });
    await world.rpc.broadcast((await wallet.signer.sign(foreign)).raw);
    await world.mine();

    const outcomes = [];
    for (let visit = 0; visit < 4; visit++) {
      outcomes.push(await treasury.settle(paid));
      now += 30_000;
    }

    expect(outcomes.at(-1)).toEqual({ state: 'PENDING', doing: 'nonce used, no receipt seen' });
    expect(new Set(outcomes.map((outcome) => outcome.state))).toEqual(new Set(['PENDING']));
    expect(rowOf(paid)).toMatchObject({ nonce: 0, tries: [] });
    expect(logged.length).toBeGreaterThan(0);
  });
});

describe('a transfer that nobody mines', () => {
  const visits = async (paid: Payout, count: number, changes = {}) => {
    const { treasury } = open(changes);
    for (let visit = 0; visit < count; visit++) {
      await treasury.settle(paid);
      now += 5_000;
    }
  };

  it('is replaced after three casts: same nonce, same payment, at least 20 % more of both fees', async () => {
    const paid = newPayout();
    await world.stopMining();

    await visits(paid, 4);
    const [old, next] = rowOf(paid)?.attempts.map(({ raw }) => Transaction.from(raw)) ?? [];
    await world.mine();

    expect(next?.nonce).toBe(old?.nonce);
    expect(next?.data).toBe(old?.data);
    expect(Number(next?.maxFeePerGas)).toBeGreaterThanOrEqual(Number(old?.maxFeePerGas) * 1.2);
    expect(Number(next?.maxPriorityFeePerGas)).toBeGreaterThanOrEqual(
      Number(old?.maxPriorityFeePerGas) * 1.2,
    );
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED', txHash: next?.hash });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('is confirmed by its first bytes if those were mined after all', async () => {
    const paid = newPayout();
    const { ports } = open();
    const raws = new Set<unknown>();
    const stubborn = {
      ...ports.rpc,
      broadcast: async (raw: string) => (raws.size && !raws.has(raw) ? 'underpriced' : sendFirst(raw)),
    };
    const sendFirst = (raw: string) => {
      raws.add(raw);
      return ports.rpc.broadcast(raw);
    };
    await world.stopMining();

    await visits(paid, 5, { rpc: stubborn });
    await world.mine();

    const [first, second] = rowOf(paid)?.attempts ?? [];
    expect(second).toBeDefined();
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED', txHash: first?.hash });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('keeps its bytes if the cap on fees leaves no room', async () => {
    const paid = newPayout();
    await world.stopMining();
    await visits(paid, 3);
    const maxFee = Transaction.from(rowOf(paid)?.attempts[0]?.raw ?? '').maxFeePerGas ?? 0n;

    const feeCapGwei = Number(maxFee) / 1e9;
    await visits(paid, 3, { chain: { ...chain, feeCapGwei } });
    await world.mine();

    expect(rowOf(paid)?.attempts).toHaveLength(1);
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('does not offer more for a nonce that waits for an earlier one', async () => {
    const [earlier, later] = [newPayout(), newPayout()];
    const { ports } = open();
    await expect(directTreasury(mortal(ports, 'after', 'book.assign')).settle(earlier)).rejects.toThrow(
      Death,
    );

    await visits(later, 1);
    await visits(later, 3);

    expect(rowOf(later)?.attempts).toHaveLength(1);
    // The follower signed and sent the payment of the dead visitor.
    expect(await open({ waitsMs: [100, 100] }).treasury.settle(later)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, earlier.to)).toBe(1);
  });
});
