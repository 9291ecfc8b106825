import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Book, settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { ALTERED } from '../../functions/domain/treasury/doing.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { BOOK_SETTINGS, type Dynoxide, putPurchase, startDynoxide } from '../support/dynoxide.ts';
import { memoryBook } from '../support/memory-book.ts';
import { newPayout, openTreasury, openWorld, type World } from '../support/settlement-world.ts';

let world: World;
let database: Dynoxide;
beforeAll(async () => {
  [world, database] = await Promise.all([
    openWorld(),
    startDynoxide(['settlements', 'transactions', 'ledger']),
  ]);
});
afterAll(() => Promise.all([world.stop(), database.stop()]));

const BOOKS: Record<string, () => Book> = {
  'in memory': memoryBook,
  'on DynamoDB': () => settlementBook({ client: database.client, ...BOOK_SETTINGS }),
};

/** A paid purchase, as the settlement step finds it. */
async function payout(...args: Parameters<typeof newPayout>): Promise<Payout> {
  const purchase = newPayout(...args);
  await putPurchase(database, purchase.transactionId);
  return purchase;
}

describe.each(Object.keys(BOOKS))('a payout with books %s', (name) => {
  const open = async () => {
    const wallet = await world.openWallet();
    return { wallet, ...openTreasury(world, wallet, { book: BOOKS[name]?.() }) };
  };

  it('is confirmed in one visit on a fast chain', async () => {
    const { wallet, treasury } = await open();
    const paid = await payout();

    const outcome = await treasury.settle(paid);

    expect(outcome).toEqual({
      state: 'CONFIRMED',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: expect.any(Number),
    });
    expect(await world.balance('USDC', paid.to)).toBe(paid.units);
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('gives the same answer afterwards', async () => {
    const { wallet, treasury } = await open();
    const paid = await payout();

    const first = await treasury.settle(paid);
    const second = await treasury.settle(paid);

    expect(second).toEqual(first);
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  // docs/decisions.md, "Paid, then failed"
  it('takes no nonce in a visit that began before its checks', async () => {
    const { wallet, treasury } = await open();
    const paid = await payout();
    const unchecked = treasury.begin(paid.transactionId);

    expect(await treasury.settle(paid, unchecked)).toEqual({ state: 'PENDING', doing: 'contended' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(0);

    const checked = treasury.begin(paid.transactionId);
    checked.clear(paid);
    expect(await treasury.settle(paid, checked)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('is one transfer for eight visits at once', async () => {
    const { wallet, treasury } = await open();
    const paid = await payout();

    const outcomes = await Promise.all(Array.from({ length: 8 }, () => treasury.settle(paid)));

    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(outcomes[0]).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
    expect(Number(await world.node('eth_getTransactionCount', [wallet.address, 'latest']))).toBe(1);
  });

  it('shares its wallet with nine others, each under its own nonce', async () => {
    const { wallet, treasury, book } = await open();
    const all = await Promise.all(Array.from({ length: 10 }, () => payout()));

    const outcomes = await Promise.all(all.map((each) => treasury.settle(each)));

    expect(outcomes.map((outcome) => outcome.state)).toEqual(Array(10).fill('CONFIRMED'));
    const nonces = await Promise.all(all.map(async (each) => (await book.open(rowOf(each))).nonce));
    expect(nonces.toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const each of all) expect(await world.countTransfers(wallet, each.to)).toBe(1);
  });

  it('is made in a token that answers nothing', async () => {
    const { treasury } = await open();
    const paid = await payout('USDT', 2_500_001n);

    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.balance('USDT', paid.to)).toBe(2_500_001n);
  });

  it('is not made twice under one id with other terms', async () => {
    const { treasury } = await open();
    const paid = await payout();
    await treasury.settle(paid);

    const held = { state: 'PENDING', doing: ALTERED };
    expect(await treasury.settle({ ...paid, units: 2n })).toEqual(held);
    expect(await treasury.settle({ ...paid, to: newPayout().to })).toEqual(held);
    expect(await treasury.settle({ ...paid, asset: 'USDT' })).toEqual(held);
  });
});

function rowOf(each: Payout) {
  return { ...each, state: 'REQUESTED' as const, tries: [], attempts: [], openedAt: 0, casts: 0 };
}
