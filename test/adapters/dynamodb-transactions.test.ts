import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unarchivedPurchases } from '../../functions/adapters/dynamodb/archive.ts';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { transactionStore } from '../../functions/adapters/dynamodb/transactions.ts';
import { unmatchedPaymentStore } from '../../functions/adapters/dynamodb/unmatched-payments.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance, type PurchaseChange } from '../../functions/domain/purchase/transitions.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { ttlOf } from '../../functions/domain/retention.ts';
import { DUE } from '../../functions/tables/sharded.ts';
import { AT, aTransaction, failing } from '../support/builders.ts';
import { aPurchaseIn, aReceivedPix, newId } from '../support/ports.ts';
import { rowIn, startTables, type Tables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

/** Random bytes that give the shortest pause between two tries. */
const quick = { bytes: (length: number) => new Uint8Array(length) };
const store = (from: Tables = tables) => transactionStore(from.client, from.names, quick);
const put = (status: Transaction['status'], changes?: Partial<Transaction>) =>
  store().create(aPurchaseIn(status, changes));
const completion = (purchase: Transaction, txHash = '0xaa'): PurchaseChange =>
  advance(purchase, 'stablecoin settled on-chain', AT, { txHash })!;
const reread = async ({ id }: { id: string }) => (await store().findTransaction(id))!;

describe('create', () => {
  test('keeps the first row, and gives it to every later call', async () => {
    const id = newId();
    const first = await store().create(aTransaction({ id, amountCentavos: 100_00 }));

    const second = await store().create(aTransaction({ id, amountCentavos: 200_00 }));

    expect(second).toEqual(first);
    expect(await reread({ id })).toEqual(first);
  });

  test('has one winner of twenty at once', async () => {
    const id = newId();

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store().create(aTransaction({ id, mfaAttempts: index }))),
    );

    expect(new Set(answers.map(({ mfaAttempts }) => mfaAttempts)).size).toBe(1);
  });

  describe('with the partner’s reference', () => {
    const taken = (id: string) => ({ code: 'EXTERNAL_ID_TAKEN', details: { transactionId: id } });
    const referenced = (changes: Partial<Transaction> = {}) =>
      aPurchaseIn('AWAITING_MFA', { externalId: 'order-1', ...changes });

    test('has one purchase of twenty at once, and names it to the others', async () => {
      const { partnerId } = aPurchaseIn('AWAITING_MFA');
      const rivals = Array.from({ length: 20 }, () => referenced({ partnerId }));

      const ends = await Promise.allSettled(rivals.map((rival) => store().create(rival)));

      const [winner, ...others] = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
      expect(others).toEqual([]);
      const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(refusals).toHaveLength(19);
      for (const refusal of refusals) expect(refusal).toMatchObject(taken(winner!.id));
      expect(await store().findIdOf(partnerId, 'order-1')).toBe(winner!.id);
      const lost = rivals.filter(({ id }) => id !== winner!.id);
      for (const each of lost) expect(await store().findTransaction(each.id)).toBeUndefined();
    });

    test('answers a repetition of the same purchase, even after the purchase has moved on', async () => {
      const purchase = await store().create(referenced());
      await store().countMfaAttempt(purchase.id, 5);

      expect(await store().create(purchase)).toEqual({ ...purchase, mfaAttempts: 1 });
    });

    test('leaves the same reference to another partner', async () => {
      const [one, other] = [await store().create(referenced()), await store().create(referenced())];

      expect(await store().findIdOf(one.partnerId, 'order-1')).toBe(one.id);
      expect(await store().findIdOf(other.partnerId, 'order-1')).toBe(other.id);
    });

    test('finds no purchase under the id of the reference’s row', async () => {
      const { partnerId } = await store().create(referenced());

      expect(await rowIn(tables, 'transactions', `REFERENCE#${partnerId}#order-1`)).toBeDefined();
      expect(await store().findTransaction(`REFERENCE#${partnerId}#order-1`)).toBeUndefined();
    });
  });

  test('keeps token units as whole numbers of any size', async () => {
    for (const assetUnits of [45_566_968n, 2n ** 53n + 1n, 10n ** 30n + 7n]) {
      const purchase = await put('AWAITING_MFA', {
        quote: { rate: '5.48643100', feeCentavos: 1, assetUnits },
      });

      expect((await reread(purchase)).quote.assetUnits).toBe(assetUnits);
    }
  });
});

describe('a plain write', () => {
  const conflict = () => Object.assign(new Error('ongoing'), { name: 'TransactionConflictException' });
  /** Tables in which the first `times` plain writes meet a transaction on their row. */
  const contested = (times: number) => {
    let left = times;
    return tapped(tables, (send) => async (command) => {
      if (/^(Put|Update)Command$/.test(command.constructor.name) && left-- > 0) throw conflict();
      return send(command);
    });
  };

  test('is made after it met a transaction on its row', async () => {
    const made = await store(contested(2)).create(aPurchaseIn('AWAITING_MFA'));

    expect(await store(contested(2)).countMfaAttempt(made.id, 5)).toBe(1);
    await store(contested(2)).returnMfaAttempt(made.id);
    await store(contested(2)).saveWait(made.id, { status: 'AWAITING_MFA', token: 'token' });
    await store(contested(2)).postpone(made.id, 7, 3);

    expect(await reread(made)).toEqual({
      ...made,
      mfaAttempts: 0,
      wait: { status: 'AWAITING_MFA', token: 'token' },
      nextCheckAt: 7,
      executions: 3,
    });
  });

  test('of the archive’s mark is made after it met a transaction on its row', async () => {
    const purchase = await put('PROCESSING');
    await store().save(completion(purchase));
    const marks = (from: Tables) => unarchivedPurchases(from.client, from.names.transactions, quick);

    await marks(contested(2)).postpone(purchase.id, 7);
    expect(await rowIn(tables, 'transactions', purchase.id)).toMatchObject({ archiveAt: 7 });
    await marks(contested(2)).markArchived(purchase.id);

    expect(await rowIn(tables, 'transactions', purchase.id)).not.toHaveProperty('archiveAt');
  });

  test('of a return’s next visit is made after it met a transaction on its row', async () => {
    const returns = (from: Tables) => unmatchedPaymentStore(from.client, from.names, quick);
    const found = newUnmatchedPayment(aReceivedPix({ id: newId() }), { mayReturn: true }, AT.now);
    const { payment } = await returns(tables).create(found);

    await returns(contested(2)).postpone(payment, { nextCheckAt: AT.now + 7 });

    expect(await returns(tables).findUnmatched(payment.id)).toMatchObject({ nextCheckAt: AT.now + 7 });
  });

  test('is Unavailable while the row stays contested', async () => {
    const { id } = await put('AWAITING_MFA');

    await expect(store(contested(99)).countMfaAttempt(id, 5)).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await reread({ id })).toMatchObject({ mfaAttempts: 0 });
  });
});

describe('save', () => {
  test('writes the change and its events together', async () => {
    const purchase = await put('PROCESSING');
    const change = completion(purchase);

    expect(await store().save(change)).toBe(true);

    expect(await rowIn(tables, 'transactions', purchase.id)).toMatchObject(change.set);
    const [event] = change.events;
    expect(await rowIn(tables, 'events', `${purchase.id}.1`)).toEqual({
      ...JSON.parse(JSON.stringify(event)),
      place: expect.stringContaining(event!.id),
      list: `${purchase.partnerId}#transaction.completed`,
      sweep: keyIn(DUE, `${purchase.id}.1`),
      nextCheckAt: change.events[0]!.at,
      ttl: ttlOf('events', change.events[0]!.at),
    });
  });

  test('writes nothing if one of the events cannot be written', async () => {
    const purchase = await put('PROCESSING');
    const Item = { id: `${purchase.id}.1`, type: 'of somebody else' };
    await tables.client.send(new PutCommand({ TableName: 'events', Item }));

    expect(await store().save(completion(purchase))).toBe(false);

    expect(await reread(purchase)).toEqual(purchase);
    expect(await rowIn(tables, 'events', Item.id)).toEqual(Item);
  });

  test('writes no event if the row has moved on', async () => {
    const purchase = await put('PROCESSING');
    await store().save(completion(purchase));
    const completed = await reread(purchase);

    const late = advance(purchase, 'settlement error', AT, failing())!;
    expect(await store().save({ ...late, events: [{ ...late.events[0]!, id: `${purchase.id}.late` }] })).toBe(
      false,
    );

    expect(await reread(purchase)).toEqual(completed);
    expect(await rowIn(tables, 'events', `${purchase.id}.late`)).toBeUndefined();
  });

  test('is refused if only the sequence has moved on', async () => {
    const purchase = await put('PROCESSING', { sequence: 3 });

    expect(await store().save(completion({ ...purchase, sequence: 2 }))).toBe(false);

    expect(await reread(purchase)).toEqual(purchase);
  });

  test('is refused for a purchase that does not exist', async () => {
    const purchase = aPurchaseIn('PROCESSING');

    expect(await store().save(completion(purchase))).toBe(false);

    expect(await rowIn(tables, 'transactions', purchase.id)).toBeUndefined();
    expect(await rowIn(tables, 'events', `${purchase.id}.1`)).toBeUndefined();
  });

  test('has one winner of twenty at once', async () => {
    const purchase = await put('PROCESSING');

    const saved = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store().save(completion(purchase, `0x${index}`))),
    );

    expect(saved.filter(Boolean)).toHaveLength(1);
    expect((await reread(purchase)).txHash).toBe(`0x${saved.indexOf(true)}`);
  });
});

describe('two writers that meet', () => {
  /** Tables in which the first transactions are refused for these reasons. */
  function meeting(...ends: string[][]) {
    let writes = 0;
    const between = tapped(tables, (send) => async (command) => {
      if (command.constructor.name !== 'TransactWriteCommand') return send(command);
      const codes = ends[writes++];
      if (!codes) return send(command);
      const CancellationReasons = codes.map((Code) => ({ Code }));
      throw new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });
    });
    return { store: store(between), writes: () => writes };
  }
  const CONFLICT = ['TransactionConflict', 'None'];

  test.each([1, 7])('try again after %i conflicts', async (conflicts) => {
    const purchase = await put('PROCESSING');
    const met = meeting(...Array(conflicts).fill(CONFLICT));

    expect(await met.store.save(completion(purchase))).toBe(true);

    expect(met.writes()).toBe(conflicts + 1);
    expect((await reread(purchase)).status).toBe('COMPLETED');
  });

  test('give up in the end: nothing was decided', async () => {
    const purchase = await put('PROCESSING');
    const met = meeting(...Array(8).fill(CONFLICT));

    await expect(met.store.save(completion(purchase))).rejects.toMatchObject({ name: 'Unavailable' });

    expect(met.writes()).toBe(8);
    expect(await reread(purchase)).toEqual(purchase);
  });

  test('learn at once that the other has won', async () => {
    const purchase = await put('PROCESSING');
    const met = meeting(['ConditionalCheckFailed', 'TransactionConflict']);

    expect(await met.store.save(completion(purchase))).toBe(false);

    expect(met.writes()).toBe(1);
  });

  test('do not take our own mistake for a lost race', async () => {
    const purchase = await put('PROCESSING');

    await expect(meeting(['ValidationError', 'None']).store.save(completion(purchase))).rejects.toThrow(
      'cancelled',
    );
  });
});

describe('a write whose answer is lost', () => {
  const losing = (error: object) =>
    store(
      tapped(tables, (send) => async (command) => {
        await send(command);
        throw Object.assign(new Error('no answer'), error);
      }),
    );

  test.each([
    ['on the way', { $metadata: { attempts: 3 } }],
    ['by the service', { $metadata: {}, $fault: 'server' }],
    ['while a twin is at it', { $metadata: {}, $fault: 'client', name: 'TransactionInProgressException' }],
  ])('%s is neither won nor lost: a repetition reads the row', async (_, error) => {
    const purchase = await put('PROCESSING');

    const saved = losing(error).save(completion(purchase));

    await expect(saved).rejects.toMatchObject({ name: 'Unavailable' });
    expect((await reread(purchase)).status).toBe('COMPLETED');
    expect(await store().save(completion(purchase))).toBe(false);
  });
});
