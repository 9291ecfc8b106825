import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { ledgerStore } from '../../functions/adapters/dynamodb/ledger.ts';
import { takenBack } from '../../functions/domain/ledger.ts';
import type { ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { returnUnmatchedPayments } from '../../functions/schedules/return-unmatched-payments.ts';
import { type Books, HOUR_MS, openBooks, ourReturn } from '../support/books.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { mortal } from '../support/mortal-ports.ts';
import { aCharge, aReceivedPix, newId, reread, START_AT } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

let tables: Tables;
let books: Books;
beforeEach(async () => {
  tables = memoryTables();
  books = await openBooks(tables);
});

const DAY_MS = 24 * HOUR_MS;
/** The limit of the function. A run must end well before it. */
const LIMIT_MS = 8 * MINUTE_MS;
/** An instant before the first period that the first run compares. */
const LONG_AGO = START_AT - 5 * HOUR_MS;

/** Dust that was returned on our request, spread over the ten days before. */
function flood(count: number): ReceivedPix[] {
  const pix = Array.from({ length: count }, (_, index) => {
    const paidAt = LONG_AGO - 10 * DAY_MS + Math.floor((index * 10 * DAY_MS) / count);
    const one = aReceivedPix({ id: newId() }, { txid: undefined, amountCentavos: 1, paidAt });
    return { ...one, returns: [ourReturn(`S${one.endToEndId}`, 1)] };
  });
  books.ports.pix.received.push(...pix);
  return pix;
}

/** A stranger has taken back the money of one payment. Gives its case. */
async function takeBack(pix: ReceivedPix): Promise<string> {
  const unmatched = newUnmatchedPayment(pix, { mayReturn: true }, pix.paidAt);
  await books.put('unmatchedPayments', {
    ...unmatched,
    refund: { status: 'REFUNDED', refundedAt: pix.paidAt },
  });
  pix.returns!.push({ ...ourReturn('D1', 1), nature: 'MED_FRAUDE', at: pix.paidAt });
  return `MED_REFUND#${pix.endToEndId}#D1`;
}

/** The start times that the provider is asked for returned payments from. */
function watchReturns(callMs: number): number[] {
  const asked: number[] = [];
  const { listReceived } = books.ports.pix;
  books.ports.pix.listReceived = (from, to, filter) => {
    if (filter?.isReturned) asked.push(from);
    books.ports.clock.advance(callMs);
    return listReceived(from, to, filter);
  };
  return asked;
}

type Ran = { took: number; payments: number; repaired: number; opened: number; upTo: string };

/** One run each hour, until everything up to the start of a run is compared. */
async function runUntilDone(since = books.ports.clock.now()): Promise<Ran[]> {
  const { clock, moneyCases } = books.ports;
  const ran: Ran[] = [];
  for (let runs = 0; runs < 100; runs++) {
    const begun = clock.now();
    const answer = await books.run();
    ran.push({ ...answer, took: clock.now() - begun });
    if ((await moneyCases.findCursor())! >= since) return ran;
    clock.advance(HOUR_MS - (clock.now() - begun));
  }
  throw new Error('no run has come to the end');
}

const sum = (ran: Ran[], of: 'payments' | 'repaired' | 'opened') =>
  ran.reduce((total, each) => total + each[of], 0);

describe('more returned Pix than one run can read', () => {
  test('are read by several runs, each of which ends in order: none is read twice or left out', async () => {
    const pix = flood(60);
    const cases = await Promise.all([pix[0]!, pix[31]!, pix[59]!].map(takeBack));
    books.ports.pix.atOnce = 5;
    const asked = watchReturns(MINUTE_MS);

    const ran = await runUntilDone();

    expect(ran.length).toBeGreaterThan(2);
    for (const { took } of ran) expect(took).toBeLessThan(LIMIT_MS);
    expect(await books.openIds()).toEqual(cases.sort());
    expect(sum(ran, 'opened')).toBe(3);
    expect(asked).toEqual([...new Set(asked)].sort((one, other) => one - other));
  });

  test('keep every earlier day open until all of them are read', async () => {
    flood(60);
    books.ports.pix.atOnce = 5;
    watchReturns(MINUTE_MS);
    const begun = books.ports.clock.now();

    const ran = await runUntilDone();

    const cursors = ran.map(({ upTo }) => Date.parse(upTo));
    expect(new Set(cursors.slice(0, -1))).toEqual(new Set([begun - 2 * HOUR_MS]));
    expect(cursors.at(-1)).toBe(begun);
  });

  // docs/decisions.md, "The books"
  test('are all read at 50,100 in ten days', async () => {
    const pix = flood(50_100);
    const id = await takeBack(pix.at(-1)!);
    books.ports.pix.atOnce = 500;
    watchReturns(10_000);

    const ran = await runUntilDone();

    expect(ran.length).toBeGreaterThan(1);
    expect(ran.length).toBeLessThan(10);
    for (const { took } of ran) expect(took).toBeLessThan(LIMIT_MS);
    expect(await books.openIds()).toEqual([id]);
  });

  test('do not hide the others if one of them cannot be compared; its day stays open until it can', async () => {
    const pix = flood(20);
    const cases = await Promise.all([pix[3]!, pix[15]!].map(takeBack));
    books.ports.pix.atOnce = 5;
    const { findUnmatched } = books.ports.unmatchedPayments;
    books.ports.unmatchedPayments.findUnmatched = async (id) => {
      if (id === pix[3]!.endToEndId) throw new Error('the row cannot be read');
      return findUnmatched(id);
    };

    await expect(books.run()).rejects.toThrow('comparisons failed');

    expect(await books.openIds()).toEqual([cases[1]]);
    expect(await books.ports.moneyCases.findCursor()).toBeLessThan(books.ports.clock.now());
    books.ports.unmatchedPayments.findUnmatched = findUnmatched;
    await runUntilDone();
    expect(await books.openIds()).toEqual(cases.sort());
  });
});

describe('a stretch that is too large for one run', () => {
  /** Completed purchases. The last one has an unreported discrepancy. */
  async function busyHour(count: number) {
    const { ports } = books;
    for (let n = 0; n < count; n++) {
      const { pix } = await books.completed();
      pix.paidAt = START_AT + MINUTE_MS + n * 1000;
    }
    const wait = { status: 'AWAITING_PIX', token: 'token-1' } as const;
    const purchase = await books.purchaseIn('AWAITING_PIX', { wait });
    const pix = aReceivedPix(purchase, { paidAt: START_AT + 30 * MINUTE_MS });
    ports.pix.received.push(pix);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));
    return purchase;
  }

  test('is continued by the next run: each Pix is counted once, and the last is compared too', async () => {
    const purchase = await busyHour(8);
    const { clock, pix } = books.ports;
    pix.atOnce = 2;
    const { listReceived } = pix;
    pix.listReceived = (from, to, filter) => {
      if (!filter?.isReturned) clock.advance(2 * MINUTE_MS);
      return listReceived(from, to, filter);
    };

    const ran = await runUntilDone();

    expect(ran.length).toBeGreaterThan(2);
    for (const { took } of ran) expect(took).toBeLessThan(LIMIT_MS);
    expect(sum(ran, 'payments')).toBe(9);
    expect(sum(ran, 'repaired')).toBe(1);
    expect(await reread(books.ports, purchase)).toMatchObject({ status: 'PROCESSING' });
    expect(await books.openIds()).toEqual([]);
  });

  test('has its postings of a day compared page by page, up to the last', async () => {
    await busyHour(4);
    const at = START_AT + 80 * MINUTE_MS;
    const whose = { returnId: 'R', endToEndId: `E${'7'.repeat(31)}`, amountCentavos: 1 };
    const unexplained = takenBack({ ...whose, at, from: 'losses' });
    await books.post([unexplained]);
    const ledger = ledgerStore(tables.client, tables.names.ledger, 2);
    const { clock } = books.ports;
    books.ports.ledger = {
      ...ledger,
      async listDayFrom(...asked) {
        clock.advance(2 * MINUTE_MS);
        return ledger.listDayFrom(...asked);
      },
    };

    const ran = await runUntilDone();

    expect(ran.length).toBeGreaterThan(1);
    for (const { took } of ran) expect(took).toBeLessThan(LIMIT_MS);
    expect(await books.openIds()).toEqual([`POSTING_EXTRA#${unexplained.id}`]);
  });
});

describe('the comparison, whichever call each run dies at,', () => {
  test('is complete in the end, repairs everything, and opens each case once', async () => {
    const { ports } = books;
    const { purchase } = await books.completed();
    await books.refunded();
    const second = aReceivedPix(purchase);
    ports.pix.received.push(second);
    const { purchase: unposted } = await books.completed();
    const Key = { id: `${unposted.id}#SETTLED` };
    await tables.client.send(new DeleteCommand({ TableName: tables.names.ledger, Key }));
    const pix = flood(5);
    const taken = await Promise.all([pix[0]!, pix[4]!].map(takeBack));
    ports.pix.atOnce = 2;
    const mortals = ['pix', 'moneyCases', 'ledger', 'transactions', 'unmatchedPayments', 'outflows'] as const;
    const paged = { ...ports, ledger: ledgerStore(tables.client, tables.names.ledger, 2) };
    let left = 0;
    const dying = mortal(paged, mortals, () => left-- <= 0);
    let deaths = 0;

    for (let isOver = false; !isOver; deaths++) {
      left = deaths;
      isOver = await reconcileBooks(dying).then(
        () => true,
        () => false,
      );
      ports.clock.advance(MINUTE_MS);
    }

    // `ReturnUnmatchedPayments` handles a process that died between the row and its return.
    await returnUnmatchedPayments(ports);

    expect(deaths).toBeGreaterThan(20);
    expect(await books.openIds()).toEqual([`POSTING_MISSING#${Key.id}`, ...taken].sort());
    const rings = ports.log.lines.filter((line) => line.includes('case of money opened'));
    // A run that dies between the alarm and its case is followed by one that raises the alarm again.
    for (const id of await books.openIds())
      expect(
        rings.some((line) => line.includes(`"${id}"`)),
        id,
      ).toBe(true);
    expect(await ports.unmatchedPayments.findUnmatched(second.endToEndId)).toMatchObject({
      reason: 'PAID_TWICE',
    });
    expect(new Set(ports.pix.refunds.map(({ id }) => id))).toEqual(new Set([`S${second.endToEndId}`]));
    expect(await books.run()).toMatchObject({ opened: 0, repaired: 0, failed: 0 });
  });

  test('opens each case once if two runs meet, and one of them continues', async () => {
    const pix = flood(20);
    const cases = await Promise.all([pix[0]!, pix[19]!].map(takeBack));
    books.ports.pix.atOnce = 2;

    await Promise.all([books.run(), books.run()]);
    await runUntilDone();

    expect(await books.openIds()).toEqual(cases.sort());
    const alarms = books.ports.log.lines.filter((line) => line.includes('case of money opened'));
    expect(alarms).toHaveLength(2);
  });
});

describe('a period that an operator asks for', () => {
  const from = new Date(START_AT - HOUR_MS).toISOString();
  const to = new Date(START_AT + HOUR_MS).toISOString();

  test('is continued at the next request if one run cannot compare all of it', async () => {
    const pix = flood(60);
    const id = await takeBack(pix[59]!);
    books.ports.pix.atOnce = 5;
    const asked = watchReturns(MINUTE_MS);

    const answers: string[] = [];
    while (answers.at(-1) !== new Date(to).toISOString() && answers.length < 20)
      answers.push((await books.run({ from, to })).upTo);

    expect(answers.length).toBeGreaterThan(2);
    expect(new Set(answers.slice(0, -1))).toEqual(new Set([from]));
    expect(asked).toEqual([...new Set(asked)].sort((one, other) => one - other));
    expect(await books.openIds()).toEqual([id]);
    expect(await books.ports.moneyCases.findCursor()).toBeUndefined();
  });

  test('is compared again after it was complete, and so is another period', async () => {
    await books.completed();
    const later = new Date(START_AT + 2 * HOUR_MS).toISOString();

    for (const event of [
      { from, to },
      { from, to },
      { from, to: later },
      { from, to },
    ])
      expect(await books.run(event)).toMatchObject({ payments: 1, upTo: event.to });
  });
});
