import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ledgerStore } from '../../functions/adapters/dynamodb/ledger.ts';
import { partnerLedger } from '../../functions/adapters/dynamodb/partner-ledger.ts';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { transactionStore } from '../../functions/adapters/dynamodb/transactions.ts';
import { unmatchedPaymentStore } from '../../functions/adapters/dynamodb/unmatched-payments.ts';
import type { PostingMark } from '../../functions/domain/books/ledger-ports.ts';
import type { Posting } from '../../functions/domain/ledger.ts';
import { postingsOf, postingsOfUnmatched, receivedId } from '../../functions/domain/purchase/postings.ts';
import { recordRefund, recordReturn } from '../../functions/domain/purchase/return.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance, type PurchaseChange } from '../../functions/domain/purchase/transitions.ts';
import {
  newUnmatchedPayment,
  type UnmatchedPayment,
} from '../../functions/domain/purchase/unmatched-payment.ts';
import { ttlOf } from '../../functions/domain/retention.ts';
import { DAY } from '../../functions/tables/sharded.ts';
import { AT, failing, NOW } from '../support/builders.ts';
import { aPurchaseIn, newEndToEndId } from '../support/ports.ts';
import { rowIn, startTables, type Tables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

/** Random bytes that give the shortest pause between two tries. */
const quick = { bytes: (length: number) => new Uint8Array(length) };
const transactions = (from: Tables = tables) => transactionStore(from.client, from.names, quick);
const unmatchedPayments = (from: Tables = tables) => unmatchedPaymentStore(from.client, from.names, quick);
const ledger = () => ledgerStore(tables.client, tables.names.ledger);
const reread = async ({ id }: { id: string }) => (await transactions().findTransaction(id))!;
const posted = (postings: Posting[]) => Promise.all(postings.map(({ id }) => ledger().findPosting(id)));

/** A posting under this id that no move of the service has made. */
async function plant(id: string, changes: Partial<Posting> = {}) {
  const posting = { id, kind: 'SETTLED', day: '2026-11-20', at: NOW, entries: [], ...changes };
  const Item = { ...posting, dayKey: keyIn(DAY, id, posting.day) };
  await tables.client.send(new PutCommand({ TableName: tables.names.ledger, Item }));
  return Item;
}
/** Counts the calls of the database, by the names of their commands. */
function counted() {
  const calls: string[] = [];
  const from = tapped(tables, (send) => async (command) => {
    calls.push(command.constructor.name);
    return send(command);
  });
  return { from, calls };
}
/** Tables that make each transaction, and lose its answer. */
const deaf = () =>
  tapped(tables, (send) => async (command) => {
    const answer = await send(command);
    if (command.constructor.name !== 'TransactWriteCommand') return answer;
    throw Object.assign(new Error('lost'), { name: 'TimeoutError', $metadata: {} });
  });

const purchaseWith = async (units: bigint) =>
  transactions().create(
    aPurchaseIn('PROCESSING', { quote: { rate: '5', feeCentavos: 0, assetUnits: units } }),
  );
const completion = (purchase: Transaction): PurchaseChange =>
  advance(purchase, 'stablecoin settled on-chain', AT, { txHash: '0xaa' })!;

describe('a purchase', () => {
  test('is posted in the write that moves it, which is one call', async () => {
    const purchase = await transactions().create(aPurchaseIn('AWAITING_PIX'));
    const payment = { endToEndId: newEndToEndId(), paidAt: NOW, amountCentavos: 250_00 };
    const { from, calls } = counted();

    const change = advance(purchase, 'Pix payment detected', AT, { payment })!;
    expect(await transactions(from).save(change)).toBe(true);

    expect(calls).toEqual(['TransactWriteCommand']);
    const [received] = change.postings;
    expect(await ledger().findPosting(received!.id)).toEqual(received);
    expect(await rowIn(tables, 'ledger', received!.id)).toMatchObject({ ttl: ttlOf('ledger', NOW) });
  });

  test('has in the ledger the postings that follow from its row, with units of any size', async () => {
    for (const units of [45_566_968n, 2n ** 53n + 1n, 10n ** 30n + 7n]) {
      const purchase = await purchaseWith(units);

      await transactions().save(completion(purchase));

      const [, settled] = postingsOf(await reread(purchase));
      expect(settled?.entries.at(-1)).toEqual({ account: 'treasury:USDC', currency: 'USDC', amount: -units });
      expect(await ledger().findPosting(`${purchase.id}#SETTLED`)).toStrictEqual(settled);
    }
  });

  test('posts its refund after a failure once it is sent, and not before', async () => {
    const purchase = await purchaseWith(1n);
    const { endToEndId, amountCentavos } = purchase.payment!;
    const refund = { status: 'PENDING', endToEndId, amountCentavos, reason: 'PAID_LATE' } as const;
    await transactions().saveRefundClaim(advance(purchase, 'payment refused', AT, failing(refund))!);
    const id = `${purchase.id}#REFUNDED`;
    expect(await ledger().findPosting(id)).toBeUndefined();

    const end = recordRefund(await reread(purchase), 'REFUNDED', { ...AT, now: NOW + 5000 })!;
    expect(await transactions().save(end)).toBe(true);

    expect(await ledger().findPosting(id)).toMatchObject({ kind: 'REFUNDED', at: NOW + 5000, endToEndId });
  });

  test('posts nothing if its row has moved on', async () => {
    const purchase = await purchaseWith(1n);
    const refund = {
      ...purchase.payment!,
      status: 'REFUNDED',
      refundedAt: NOW,
      reason: 'PAID_LATE',
    } as const;
    await transactions().save(completion(purchase));

    expect(await transactions().save(advance(purchase, 'payment refused', AT, failing(refund))!)).toBe(false);

    expect(await ledger().findPosting(`${purchase.id}#REFUNDED`)).toBeUndefined();
  });

  test('is posted once if it is saved again after a lost answer, and the repetition is refused', async () => {
    const purchase = await purchaseWith(1n);
    const change = completion(purchase);
    await expect(transactions(deaf()).save(change)).rejects.toMatchObject({ name: 'Unavailable' });
    const first = await rowIn(tables, 'ledger', `${purchase.id}#SETTLED`);

    const again = { ...change, postings: change.postings.map((each) => ({ ...each, at: NOW + 1 })) };
    expect(await transactions().save(again)).toBe(false);

    expect(first).toBeDefined();
    expect(await rowIn(tables, 'ledger', `${purchase.id}#SETTLED`)).toEqual(first);
  });

  test('does not move if its posting exists without it, and the caller is told', async () => {
    const purchase = await purchaseWith(1n);
    const planted = await plant(`${purchase.id}#SETTLED`);

    await expect(transactions().save(completion(purchase))).rejects.toThrow(/#SETTLED is in the ledger/);

    expect(await reread(purchase)).toEqual(purchase);
    expect(await rowIn(tables, 'ledger', planted.id)).toEqual(planted);
  });

  test('is posted once if another process moved it at the same time, without an alarm', async () => {
    const purchase = await purchaseWith(1n);

    const saved = await Promise.all(
      Array.from({ length: 10 }, () => transactions().save(completion(purchase))),
    );

    expect(saved.filter(Boolean)).toHaveLength(1);
    expect(await posted(postingsOf(await reread(purchase)))).toMatchObject([undefined, { kind: 'SETTLED' }]);
  });
});

describe('an unmatched Pix', () => {
  const anUnmatchedPayment = (): UnmatchedPayment =>
    newUnmatchedPayment(
      { endToEndId: newEndToEndId(), amountCentavos: 10_00, paidAt: NOW },
      { mayReturn: true },
      NOW + 1,
    );

  test('is posted as it is recorded, in one call, and as it is returned', async () => {
    const unmatched = anUnmatchedPayment();
    const { from, calls } = counted();

    expect(await unmatchedPayments(from).create(unmatched)).toEqual({ payment: unmatched, isNew: true });
    expect(await unmatchedPayments(from).save(recordReturn(unmatched, 'REFUNDED', AT)!)).toBe(true);

    expect(calls).toEqual(['TransactWriteCommand', 'TransactWriteCommand']);
    const all = postingsOfUnmatched((await unmatchedPayments().findUnmatched(unmatched.id))!);
    expect(all.map(({ kind }) => kind)).toEqual(['UNMATCHED_RECEIVED', 'UNMATCHED_RETURNED']);
    expect(await posted(all)).toStrictEqual(all);
  });

  test('is posted once by ten that find it at once', async () => {
    const unmatched = anUnmatchedPayment();

    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        unmatchedPayments().create({ ...unmatched, foundAt: NOW + index }),
      ),
    );

    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(made.map(({ payment: { foundAt } }) => foundAt)).size).toBe(1);
  });

  test('is there after a lost answer, and is found by the next visit', async () => {
    const unmatched = anUnmatchedPayment();

    await expect(unmatchedPayments(deaf()).create(unmatched)).rejects.toMatchObject({ name: 'Unavailable' });

    expect((await unmatchedPayments().create(unmatched)).isNew).toBe(false);
  });

  test('is not recorded, nor its return, if its posting exists without it', async () => {
    const [unmatched, other] = [anUnmatchedPayment(), anUnmatchedPayment()];
    await plant(receivedId(unmatched.id));
    await plant(`${other.id}#UNMATCHED_RETURNED`);
    await unmatchedPayments().create(other);

    await expect(unmatchedPayments().create(unmatched)).rejects.toThrow(/#RECEIVED is in the ledger/);
    await expect(unmatchedPayments().save(recordReturn(other, 'REFUNDED', AT)!)).rejects.toThrow(
      /#UNMATCHED_RETURNED is in/,
    );

    expect(await unmatchedPayments().findUnmatched(unmatched.id)).toBeUndefined();
    expect((await unmatchedPayments().findUnmatched(other.id))?.refund.status).toBe('PENDING');
  });

  test('is refused as usual if another process has returned it', async () => {
    const unmatched = anUnmatchedPayment();
    await unmatchedPayments().create(unmatched);
    const change = recordReturn(unmatched, 'REFUNDED', AT)!;
    await unmatchedPayments().save(change);

    expect(await unmatchedPayments().save(change)).toBe(false);
  });
});

describe('listDay', () => {
  test('has the postings of a day by their instants, in any number, and none of another day', async () => {
    const day = '2031-05-04';
    const texts = 'x'.repeat(200_000);
    const wanted = [3, 1, 2, 6, 5, 4, 8, 7].map((at) => ({ id: `${day}-${at}`, day, at, endToEndId: texts }));
    for (const { id, ...rest } of wanted) await plant(id, rest);
    await plant('another day', { day: '2031-05-05', at: 0 });

    const found = await ledger().listDay(day);

    expect(found.map(({ at }) => at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await ledger().listDay('2031-05-03')).toEqual([]);
  });

  test('is read in parts, each from the mark of the last: each posting once, also those of one instant', async () => {
    const day = '2031-05-07';
    for (const [index, at] of [1, 2, 2, 2, 3].entries()) await plant(`part-${index}`, { day, at });
    const parts = ledgerStore(tables.client, tables.names.ledger, 2);

    const read: string[][] = [];
    for (let after: PostingMark | undefined; ; ) {
      const { postings, next } = await parts.listDayFrom(day, after);
      read.push(postings.map(({ id }) => id));
      if (!next) break;
      after = next;
    }

    for (const ids of read) expect(ids.length).toBeLessThanOrEqual(2);
    const whole = await ledger().listDay(day);
    expect(read.flat()).toEqual(whole.map(({ id }) => id));
    expect(new Set(read.flat()).size).toBe(5);
    expect(await parts.listDayFrom('2031-05-08')).toEqual({ postings: [] });
  });

  test('reads entries as whole numbers', async () => {
    const entries = [{ account: 'pix', currency: 'BRL', amount: 10n ** 30n }] as const;
    const { id } = await plant('whole', { day: '2031-05-06', entries: [...entries] });

    expect((await ledger().listDay('2031-05-06'))[0]?.entries).toEqual(entries);
    expect(await ledger().findPosting(id)).not.toHaveProperty('ttl');
    expect(await ledger().findPosting('no such')).toBeUndefined();
  });
});

describe('the postings of a partner', () => {
  const list = (partnerId: string, most = 100, to = NOW + 1000) =>
    partnerLedger(tables.client, tables.names.ledger).listPostings(partnerId, { from: NOW, to }, most);

  test('are found on all pages, by their instants, and no other partner’s', async () => {
    // Four of these fill a page of the database, which has one megabyte.
    const txHash = 'x'.repeat(300_000);
    for (let index = 0; index < 9; index++)
      await plant(`PAGED-${index}`, { partnerId: 'paged', at: NOW + index, txHash, kind: 'REFUNDED' });
    await plant('FOREIGN', { partnerId: 'paged2', at: NOW });
    await plant('EARLY', { partnerId: 'paged', at: NOW - 1 });
    await plant('LATE', { partnerId: 'paged', at: NOW + 1000 });

    const found = await list('paged');

    expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 9 }, (_, index) => `PAGED-${index}`));
    expect(found[0]).toEqual({
      id: 'PAGED-0',
      partnerId: 'paged',
      kind: 'REFUNDED',
      day: '2026-11-20',
      at: NOW,
      txHash,
      entries: [],
    });
    const some = await list('paged', 2);
    expect(some.length).toBeGreaterThan(2);
    expect(some.length).toBeLessThan(9);
  });

  test('are those of its purchases and of their late Pix', async () => {
    const purchase = aPurchaseIn('EXPIRED');
    const pix = { endToEndId: newEndToEndId(), amountCentavos: 250_00, paidAt: NOW, key: 'our-key' };
    const found = newUnmatchedPayment(pix, { transaction: purchase, mayReturn: true }, NOW);
    await unmatchedPayments().create(found);

    expect(await list(purchase.partnerId)).toMatchObject([
      { kind: 'UNMATCHED_RECEIVED', partnerId: purchase.partnerId, transactionId: purchase.id },
    ]);
  });
});
