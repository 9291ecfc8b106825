import { beforeEach, describe, expect, test } from 'vitest';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { returnUnmatchedPayments } from '../../functions/schedules/return-unmatched-payments.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { mortal } from '../support/mortal-ports.ts';
import {
  aCharge,
  aReceivedPix,
  newId,
  openPorts,
  putPurchaseIn,
  reread,
  type TestPorts,
} from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

/** Each test has its own tables, because the cursor is one row. */
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

const CALL_MS = 4_000;

/** One Pix each second. The last one pays a purchase. */
async function flooded(count: number) {
  const ports = openPorts(tables);
  ports.clock.advance(120 * MINUTE_MS);
  const wait = { status: 'AWAITING_PIX', token: 'token-1' } as const;
  const purchase = await putPurchaseIn(ports, 'AWAITING_PIX', { wait });
  const first = ports.clock.now() - 60 * MINUTE_MS;
  const unmatchedPayments = Array.from({ length: count - 1 }, (_, second) =>
    aReceivedPix({ id: newId() }, { txid: undefined, amountCentavos: 1, paidAt: first + second * 1000 }),
  );
  const pix = aReceivedPix(purchase, { paidAt: first + count * 1000 });
  ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));
  ports.pix.received.push(...unmatchedPayments, pix);
  return { ports, purchase, ids: unmatchedPayments.map(({ endToEndId }) => endToEndId) };
}

/** Runs every five minutes until one reaches the end. Gives the time that each took. */
async function runAll(ports: TestPorts, run = () => reconcilePix(ports)) {
  const took: number[] = [];
  for (let runs = 0; runs < 200; runs++) {
    const begun = ports.clock.now();
    await run().catch(() => undefined);
    took.push(ports.clock.now() - begun);
    if ((await ports.unmatchedPayments.findCursor()) === begun) return took;
    ports.clock.advance(5 * MINUTE_MS);
  }
  throw new Error('no run has come to the end');
}

/** Payments that a run left to `ReturnUnmatchedPayments` when it died. */
async function later(ports: TestPorts) {
  ports.clock.advance(10 * MINUTE_MS);
  await returnUnmatchedPayments(ports);
}

describe('a flood of Pix', () => {
  test('ends each run in order, well before the function’s limit, and the next run continues there', async () => {
    const { ports, purchase, ids } = await flooded(80);
    ports.pix.atOnce = 5;
    const { listReceived } = ports.pix;
    const asked: number[] = [];
    ports.pix.listReceived = (from, to, filter) => {
      asked.push(from);
      ports.clock.advance(CALL_MS);
      return listReceived(from, to, filter);
    };

    await ports.unmatchedPayments.moveCursor(ports.clock.now() - MINUTE_MS);
    const took = await runAll(ports);

    expect(Math.max(...took)).toBeLessThan(45_000);
    expect(took.length).toBeGreaterThan(1);
    // Each run continues where the last one ended. No time is read twice or left out.
    expect(asked).toEqual([...new Set(asked)].sort((one, other) => one - other));
    expect(new Set(ports.pix.refunds.map(({ endToEndId }) => endToEndId))).toEqual(new Set(ids));
    expect(ports.pix.refunds).toHaveLength(ids.length);
    expect(await reread(ports, purchase)).toMatchObject({ status: 'PROCESSING' });
  });

  test('is read Pix by Pix: the next run continues after an answer that takes too long', async () => {
    const { ports, purchase, ids } = await flooded(30);
    const { findUnmatched } = ports.unmatchedPayments;
    ports.unmatchedPayments.findUnmatched = async (id) => {
      ports.clock.advance(CALL_MS);
      return findUnmatched(id);
    };

    const took = await runAll(ports);

    expect(Math.max(...took)).toBeLessThan(45_000);
    expect(took.length).toBeGreaterThan(1);
    expect(ports.pix.refunds).toHaveLength(ids.length);
    expect(await reread(ports, purchase)).toMatchObject({ status: 'PROCESSING' });
  });

  test('hides no late Pix even if it takes hours: late ones are searched from the first run on', async () => {
    const { ports } = await flooded(60);
    ports.pix.atOnce = 5;
    const { listReceived } = ports.pix;
    const slowly: typeof listReceived = (...asked) => {
      ports.clock.advance(4 * CALL_MS);
      return listReceived(...asked);
    };
    ports.pix.listReceived = slowly;
    await reconcilePix(ports);
    const late = aReceivedPix({ id: newId() }, { txid: undefined, paidAt: ports.pix.received[0]!.paidAt });
    ports.pix.received.push(late);
    ports.clock.advance(120 * MINUTE_MS);

    await runAll(ports);
    expect(await ports.unmatchedPayments.findUnmatched(late.endToEndId)).toBeUndefined();
    ports.pix.listReceived = listReceived;
    await reconcilePix(ports);

    expect(await ports.unmatchedPayments.findUnmatched(late.endToEndId)).toMatchObject({
      refund: { status: 'REFUNDED' },
    });
    expect(await ports.unmatchedPayments.findStop()).toBeUndefined();
  });

  test('is processed once, whichever call each run dies at', async () => {
    const { ports, purchase, ids } = await flooded(12);
    ports.pix.atOnce = 3;
    let left = 0;
    const dying = mortal(
      ports,
      ['unmatchedPayments', 'pix', 'transactions', 'moneyCases'],
      () => left-- <= 0,
    );
    let calls = 0;

    await runAll(ports, () => {
      left = calls++;
      return reconcilePix(dying);
    });
    await later(ports);

    expect(calls).toBeGreaterThan(12);
    for (const id of ids)
      expect(await ports.unmatchedPayments.findUnmatched(id)).toMatchObject({
        refund: { status: 'REFUNDED' },
      });
    expect(new Set(ports.pix.refunds.map(({ id }) => id))).toEqual(new Set(ids.map((id) => `S${id}`)));
    expect(await reread(ports, purchase)).toMatchObject({ status: 'PROCESSING' });
  });

  test('waits for a Pix that could not be processed, even if that run did not reach the end', async () => {
    const { ports, ids } = await flooded(12);
    ports.pix.atOnce = 3;
    const { listReceived } = ports.pix;
    ports.pix.listReceived = (...asked) => {
      ports.clock.advance(20_000);
      return listReceived(...asked);
    };
    const create: typeof ports.unmatchedPayments.create = async (unmatched) => {
      if (unmatched.id === ids[1]) throw new Error('the table is out');
      return ports.unmatchedPayments.create(unmatched);
    };
    const failing = { ...ports, unmatchedPayments: { ...ports.unmatchedPayments, create } };
    const begun = ports.clock.now();
    for (let runs = 0; runs < 8; runs++) {
      await reconcilePix(failing);
      ports.clock.advance(5 * MINUTE_MS);
    }

    const { paidAt } = ports.pix.received.find(({ endToEndId }) => endToEndId === ids[1])!;
    expect(await ports.unmatchedPayments.findCursor()).toBeLessThanOrEqual(
      Math.max(paidAt, begun - 120 * MINUTE_MS),
    );
    for (const id of ids.filter((each) => each !== ids[1]))
      expect(await ports.unmatchedPayments.findUnmatched(id)).toMatchObject({
        refund: { status: 'REFUNDED' },
      });

    await runAll(ports);

    expect(await ports.unmatchedPayments.findUnmatched(ids[1]!)).toMatchObject({
      refund: { status: 'REFUNDED' },
    });
  });
});
