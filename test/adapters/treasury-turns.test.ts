import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import { wrapped } from '../support/faults.ts';
import { memoryBook } from '../support/memory-book.ts';
import {
  chain,
  newPayout,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

let world: World;
let wallet: Wallet;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** Treasuries that share the books as processes do, and the calls to the book with their answers. */
async function openProcesses(count: number, maxInFlight: number) {
  wallet = await world.openWallet();
  const book = memoryBook();
  const { ports } = openTreasury(world, wallet, { book, chain: { ...chain, maxInFlight } });
  const asked: string[] = [];
  const watched = wrapped(ports, async (label, effect) => {
    const answer = await effect();
    asked.push(label === 'book.assign' ? `assign ${answer}` : label);
    return answer;
  });
  const countOf = (label: string) => asked.filter((each) => each === label).length;
  return { book, count: countOf, treasuries: Array.from({ length: count }, () => directTreasury(watched)) };
}

const noncesOf = (book: ReturnType<typeof memoryBook>) =>
  [...book.rows.values()].map(({ nonce }) => nonce!).sort((a, b) => a - b);

describe('visits of one process', () => {
  it('take nonces in turn: none meets another, and a waiting one need not read', async () => {
    const { book, count, treasuries } = await openProcesses(1, 30);
    const payouts = Array.from({ length: 30 }, () => newPayout());

    const outcomes = await Promise.all(payouts.map((payout) => treasuries[0]!.settle(payout)));

    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['CONFIRMED']));
    expect(noncesOf(book)).toEqual(Array.from({ length: 30 }, (_, nonce) => nonce));
    expect(count('assign CONTENDED')).toBe(0);
    expect(count('book.findAccounts')).toBeLessThan(10);
    for (const { to } of payouts) expect(await world.countTransfers(wallet, to)).toBe(1);
  });

  it('read again if another process was faster, and leave no gap', async () => {
    const { book, count, treasuries } = await openProcesses(3, 30);
    const payouts = Array.from({ length: 24 }, () => newPayout());

    await Promise.all(payouts.map((payout, at) => treasuries[at % 3]!.settle(payout)));

    expect(count('assign CONTENDED')).toBeGreaterThan(0);
    expect(noncesOf(book)).toEqual(Array.from({ length: 24 }, (_, nonce) => nonce));
    for (const { to } of payouts) expect(await world.countTransfers(wallet, to)).toBe(1);
  });

  it('never exceed the limit of the wallet’s payments on their way', async () => {
    const { book, treasuries } = await openProcesses(1, 5);
    await world.stopMining();
    try {
      const settled = Promise.all(Array.from({ length: 9 }, () => treasuries[0]!.settle(newPayout())));
      await settled;

      expect(book.slots.size).toBe(5);
    } finally {
      world.startMining();
    }
  });
});
