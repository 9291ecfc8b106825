import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import type { DirectTreasury } from '../../functions/adapters/chain/visit.ts';
import { type Book, settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import { paidIn, windowAt } from '../../functions/domain/treasury/payout-window.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { payoutAllowances } from '../../operations/stores/payout-allowances.ts';
import { BOOK_SETTINGS, type Dynoxide, putPurchase, startDynoxide } from '../support/dynoxide.ts';
import { Death, mortal } from '../support/faults.ts';
import { type MemoryBook, memoryBook } from '../support/memory-book.ts';
import {
  LIMITS,
  newPayout,
  openTreasury,
  openWorld,
  random,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

const TOKEN = 1_000_000n;
const MINUTE_MS = 60_000;
const WAITS = { state: 'PENDING', doing: 'hourly ceiling' };

let world: World;
let database: Dynoxide;
let wallets: Wallet[];
let book: MemoryBook;
let now: number;
let chainId = BOOK_SETTINGS.chainId;
beforeAll(async () => {
  [world, database] = await Promise.all([
    openWorld(),
    startDynoxide(['settlements', 'transactions', 'ledger']),
  ]);
  wallets = [await world.openWallet(), await world.openWallet()];
});
beforeEach(() => {
  book = memoryBook();
  now = Date.now();
  // Each test has windows of its own.
  chainId++;
});
afterEach(() => world.startMining());
afterAll(() => Promise.all([world.stop(), database.stop()]));

const clock = { now: () => now, minuteMs: MINUTE_MS };
const limited = (hourlyPayout: string) => perAsset((asset) => ({ ...LIMITS[asset], hourlyPayout }));
const open = (hourlyPayout: string, changes: Partial<DirectTreasury> = {}) =>
  openTreasury(world, wallets, { book, clock, floatLimits: limited(hourlyPayout), ...changes });
const onDynamo = () => settlementBook({ client: database.client, ...BOOK_SETTINGS, chainId });
const paidOf = async (of: Book = book) => paidIn(windowAt((await of.findWindows()).USDC, now));
const sentOf = async ({ to }: Payout) => {
  const counts = await Promise.all(wallets.map((wallet) => world.countTransfers(wallet, to)));
  return counts.reduce((sum, each) => sum + each, 0);
};

async function newPayouts(count: number): Promise<Payout[]> {
  const payouts = Array.from({ length: count }, () => newPayout('USDC', TOKEN));
  for (const { transactionId } of payouts) await putPurchase(database, transactionId);
  return payouts;
}

// Threat: "a false price, or a thief, buys the whole treasury"
describe('twenty settlements at once', () => {
  it.each([
    ['in memory', 1],
    ['in memory', 20],
    ['on DynamoDB', 20],
  ])(
    'take no more nonces than the ceiling has room for, with books %s of %i processes',
    async (books, count) => {
      const shared = books === 'in memory' ? book : onDynamo();
      const processes = Array.from({ length: count }, () => open('7.5', { book: shared }));
      const payouts = await newPayouts(20);
      const settle = async () => {
        const visits = payouts.map((paid, at) => processes[at % count]!.treasury.settle(paid));
        return Promise.all(visits);
      };

      const outcomes = await settle();

      const sent = await Promise.all(payouts.map(sentOf));
      expect(sent.filter((each) => each === 1)).toHaveLength(7);
      expect(await paidOf(shared)).toBe(7n * TOKEN);
      const waiting = outcomes.filter((_, at) => sent[at] === 0);
      expect(waiting).toEqual(Array(13).fill(WAITS));
      const logged = processes.flatMap((each) => each.logged);
      expect(logged).toContainEqual({
        message: 'settlement needs attention',
        fields: expect.objectContaining({ asset: 'USDC', doing: 'hourly ceiling' }),
      });

      now += 59 * MINUTE_MS;
      expect((await settle()).filter(({ state }) => state === 'CONFIRMED')).toHaveLength(7);
      now += 6 * MINUTE_MS;
      expect((await settle()).filter(({ state }) => state === 'CONFIRMED')).toHaveLength(14);
      now += 65 * MINUTE_MS;
      await settle();
      expect(await Promise.all(payouts.map(sentOf))).toEqual(Array(20).fill(1));
    },
  );

  it('of another asset have room of their own', async () => {
    const { treasury } = open('1');
    const [first, second] = [newPayout('USDC', TOKEN), newPayout('USDC', TOKEN)];
    await treasury.settle(first);

    expect(await treasury.settle(second)).toEqual(WAITS);
    expect(await treasury.settle(newPayout('USDT', TOKEN))).toMatchObject({ state: 'CONFIRMED' });
  });
});

describe.each(['before', 'after'] as const)('a process that dies %s', (when) => {
  it.each([
    ...['book.find', 'book.open', 'book.findAccounts', 'book.findWindows', 'book.assign', 'signer.sign'],
    ...['book.addAttempt', 'rpc.call', 'rpc.broadcast', 'book.confirm'],
  ])('%s leaves a payout that counts once', async (label) => {
    const { ports } = open('1');
    const [paid, other] = [newPayout('USDC', TOKEN), newPayout('USDC', TOKEN)];

    const dying = directTreasury(mortal(ports, when, label)).settle(paid);
    // A check that runs ahead of the visit swallows its error, so the visit may succeed.
    await dying.catch((error: unknown) => expect(error).toBeInstanceOf(Death));
    await Promise.all([open('1').treasury.settle(paid), open('1').treasury.settle(paid)]);

    expect(await open('1').treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await open('1').treasury.settle(other)).toEqual(WAITS);
    expect(await paidOf()).toBe(TOKEN);
    expect([await sentOf(paid), await sentOf(other)]).toEqual([1, 0]);
  });
});

describe('a purchase', () => {
  it('counts once, however often it is tried, and until an hour after the last try', async () => {
    const paid = newPayout('USDC', TOKEN);
    const dying = directTreasury(mortal(open('1').ports, 'after', 'book.assign'));
    await expect(dying.settle(paid)).rejects.toThrow(Death);
    await world.block('USDC', paid.to);
    const settle = () => open('1').treasury.settle(paid);
    await expect.poll(settle).toMatchObject({ state: 'FAILED', reason: 'REVERTED', triesLeft: 3 });
    await world.unblock('USDC', paid.to);
    now += 40 * MINUTE_MS;

    expect(await settle()).toMatchObject({ state: 'CONFIRMED' });

    expect(await paidOf()).toBe(TOKEN);
    now += 60 * MINUTE_MS;
    expect(await paidOf()).toBe(TOKEN);
    now += 5 * MINUTE_MS;
    expect(await paidOf()).toBe(0n);
  });

  it('counts once if its transaction is replaced by one with higher fees', async () => {
    const paid = newPayout('USDC', TOKEN);
    await world.stopMining();
    for (let visits = 0; visits < 8; visits++) {
      await open('1', { waitsMs: [] }).treasury.settle(paid);
      now += 5_000;
    }
    expect(book.rows.get(paid.transactionId)!.attempts.length).toBeGreaterThan(1);
    world.startMining();

    expect(await open('1').treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });

    expect(await paidOf()).toBe(TOKEN);
    expect(await sentOf(paid)).toBe(1);
  });

  it('that waits for the hour can be cancelled, and is refunded without having counted', async () => {
    const [first, unwanted] = [newPayout('USDC', TOKEN), newPayout('USDC', TOKEN)];
    await open('1').treasury.settle(first);
    expect(await open('1').treasury.settle(unwanted)).toEqual(WAITS);

    await book.cancellations.ask(unwanted.transactionId, { reason: 'SETTLEMENT_CANCELLED', at: now });

    const outcome = await open('1').treasury.settle(unwanted);
    expect(outcome).toMatchObject({ state: 'FAILED', cancelledFor: 'SETTLEMENT_CANCELLED', triesLeft: 0 });
    expect(await paidOf()).toBe(TOKEN);
  });

  it('waits out the half hour of outages without a failed try', async () => {
    const [first, waiting] = [newPayout('USDC', TOKEN), newPayout('USDC', TOKEN)];
    await open('1').treasury.settle(first);
    await open('1').treasury.settle(waiting);
    now += 45 * MINUTE_MS;

    expect(await open('1').treasury.settle(waiting)).toEqual(WAITS);

    expect(book.rows.get(waiting.transactionId)).toMatchObject({ state: 'REQUESTED', tries: [] });
  });
});

describe('an operator', () => {
  const allowances = () => payoutAllowances({ client: database.client, ...BOOK_SETTINGS, chainId, random });
  const allowanceAt = (slice: number) => ({ units: TOKEN, slice, by: 'ana', at: now, reason: 'a busy day' });

  it('lets out more within the hour, by the amount that is named', async () => {
    const shared = onDynamo();
    const [first, second, third] = (await newPayouts(3)) as [Payout, Payout, Payout];
    const settle = (paid: Payout) => open('1', { book: shared }).treasury.settle(paid);
    await settle(first);
    expect(await settle(second)).toEqual(WAITS);
    const window = windowAt((await allowances().findWindows()).USDC, now);

    expect(await allowances().save('USDC', { ...window, allowance: allowanceAt(window.slice) })).toBe(true);

    expect(await settle(second)).toMatchObject({ state: 'CONFIRMED' });
    expect(await settle(third)).toEqual(WAITS);
    expect((await shared.findWindows()).USDC).toMatchObject({ allowance: allowanceAt(window.slice) });
  });

  it('overwrites no payout that came after the look', async () => {
    const shared = onDynamo();
    const [paid] = (await newPayouts(1)) as [Payout];
    const window = windowAt((await allowances().findWindows()).USDC, now);
    await open('1', { book: shared }).treasury.settle(paid);

    expect(await allowances().save('USDC', { ...window, allowance: allowanceAt(window.slice) })).toBe(false);

    expect(await paidOf(shared)).toBe(TOKEN);
  });
});
