import { beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  newId,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
} from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

/** Each test has its own tables, because the cursor is one row. */
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

const HOURS_2 = 120 * MINUTE_MS;

/** Two hours after the start, so that the window begins there. */
function world() {
  const ports = openPorts(tables);
  ports.clock.advance(HOURS_2);
  return ports;
}

/** A paid charge whose callback never came. */
async function forgotten(ports = world()) {
  const purchase = await putPurchaseIn(ports, 'AWAITING_PIX', {
    wait: { status: 'AWAITING_PIX', token: 'token-1' },
  });
  const pix = aReceivedPix(purchase);
  ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));
  ports.pix.received.push(pix);
  return { ports, purchase, pix };
}

describe('a payment without a callback', () => {
  // Spec, Transaction states: "PROCESSING: Pix payment detected"
  test('is found, and its purchase goes on', async () => {
    const { ports, purchase, pix } = await forgotten();

    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 1 });

    expect(ports.log.raised).toEqual(['CallbackMissed']);
    expect(await reread(ports, purchase)).toMatchObject({
      status: 'PROCESSING',
      payment: { endToEndId: pix.endToEndId },
    });
    expect(ports.machine.resumed).toEqual([
      { token: 'token-1', output: { transactionId: purchase.id, status: 'PROCESSING' } },
    ]);
  });

  test('raises no condition while its callback may still be on its way', async () => {
    const { ports, purchase, pix } = await forgotten();
    pix.paidAt = ports.clock.now() - MINUTE_MS;

    expect(await reconcilePix(ports)).toMatchObject({ recovered: 1 });

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
    expect(ports.log.raised).toEqual([]);
  });

  test('is found once by runs whose windows overlap', async () => {
    const { ports, purchase } = await forgotten();
    await reconcilePix(ports);
    const paid = await reread(ports, purchase);

    ports.clock.advance(-MINUTE_MS);
    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 0 });

    expect(await reread(ports, purchase)).toEqual(paid);
    expect(ports.log.raised).toEqual(['CallbackMissed']);
  });

  test('is searched two hours back', async () => {
    const { ports, pix } = await forgotten();
    pix.paidAt = START_AT;
    expect(await reconcilePix(ports)).toMatchObject({ received: 1 });

    pix.paidAt = START_AT - 1;
    expect(await reconcilePix(ports)).toMatchObject({ received: 0 });
  });

  test('moves nothing if the charge itself does not confirm it', async () => {
    const { ports, purchase } = await forgotten();
    ports.pix.charges.set(purchase.id, aCharge(purchase));

    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 0 });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('an unmatched payment', () => {
  test.each([
    ['of no charge', undefined],
    ['of an unknown charge', newId()],
  ])('is counted and returned: %s', async (_, txid) => {
    const ports = world();
    const pix = aReceivedPix({ id: newId() }, { txid });
    ports.pix.received.push(pix);

    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 0 });

    const { endToEndId, amountCentavos } = pix;
    expect(ports.pix.refunds).toEqual([{ endToEndId, id: `S${endToEndId}`, amountCentavos }]);
    expect(ports.log.lines[0]).toContain('unmatched Pix found');
    expect(ports.log.lines[0]).toContain(endToEndId);
    await reconcilePix(ports);
    expect(ports.log.lines.filter((line) => line.includes('unmatched Pix found'))).toHaveLength(1);
  });

  test.each(['PROCESSING', 'COMPLETED', 'FAILED'] as const)(
    'is returned as the second payment of a purchase in %s',
    async (status) => {
      const ports = world();
      const purchase = await putPurchaseIn(ports, status);
      const second = aReceivedPix(purchase);
      const first = { ...second, endToEndId: purchase.payment!.endToEndId };
      ports.pix.received.push(first, second);

      expect(await reconcilePix(ports)).toEqual({ received: 2, recovered: 0 });

      const { endToEndId, amountCentavos } = second;
      expect(ports.pix.refunds).toEqual([{ endToEndId, id: `S${endToEndId}`, amountCentavos }]);
      expect(await reread(ports, purchase)).toMatchObject({ status, payment: purchase.payment });
    },
  );

  test('is returned for an expired purchase, once by runs whose windows overlap', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const pix = aReceivedPix(purchase);
    ports.pix.received.push(pix);

    await reconcilePix(ports);
    ports.clock.advance(-MINUTE_MS);
    await reconcilePix(ports);

    const { endToEndId, amountCentavos } = pix;
    expect(ports.pix.refunds).toEqual([{ endToEndId, id: `S${endToEndId}`, amountCentavos }]);
    expect(await reread(ports, purchase)).toMatchObject({ status: 'EXPIRED', sequence: 1 });
  });

  test('waits while its purchase may still take it', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'AWAITING_MFA');
    ports.pix.received.push(aReceivedPix(purchase));

    await reconcilePix(ports);

    expect(ports.pix.refunds).toEqual([]);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('does not hide the others, even if it cannot be returned', async () => {
    const ports = world();
    const expired = await putPurchaseIn(ports, 'EXPIRED');
    ports.pix.received.push(aReceivedPix(expired), aReceivedPix({ id: newId() }));
    ports.pix.refund = () => Promise.reject(new Error('422'));
    const { purchase } = await forgotten(ports);

    expect(await reconcilePix(ports)).toEqual({ received: 3, recovered: 1 });

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
    expect(ports.log.lines.filter((line) => line.includes('unmatched Pix not returned'))).toHaveLength(2);
    expect(await ports.unmatchedPayments.listOpen()).toHaveLength(2);
  });
});

describe('the cursor', () => {
  test('covers the time in which the first runs failed', async () => {
    const { ports, purchase } = await forgotten();
    ports.pix.isDown = true;
    await expect(reconcilePix(ports)).rejects.toMatchObject({ name: 'Unavailable' });
    ports.clock.advance(2 * HOURS_2);
    ports.pix.isDown = false;

    expect(await reconcilePix(ports)).toMatchObject({ recovered: 1 });

    expect(await reread(ports, purchase)).toMatchObject({ status: 'PROCESSING' });
  });

  /** The period that a run asks for, in minutes after the first run. */
  function watched(ports: ReturnType<typeof world>) {
    const asked: [number, number][] = [];
    const begin = ports.clock.now();
    const { listReceived } = ports.pix;
    ports.pix.listReceived = (from, to) => {
      asked.push([(from - begin) / MINUTE_MS, (to - begin) / MINUTE_MS]);
      return listReceived(from, to);
    };
    return asked;
  }

  test('makes each run begin two hours before the end of the last', async () => {
    const ports = world();
    const asked = watched(ports);

    await reconcilePix(ports);
    ports.clock.advance(5 * MINUTE_MS);
    await reconcilePix(ports);

    expect(asked).toEqual([
      [-120, 0],
      [-120, 5],
    ]);
  });

  // docs/decisions.md, "The books"
  test('covers a time in which the service was down, step by step', async () => {
    const ports = world();
    await reconcilePix(ports);
    const { purchase, pix } = await forgotten(ports);
    pix.paidAt = ports.clock.now() + 10 * MINUTE_MS;
    ports.clock.advance(700 * MINUTE_MS);
    const asked = watched(ports);

    expect(await reconcilePix(ports)).toMatchObject({ recovered: 1 });

    expect(asked[0]![0]).toBe(-820);
    expect(asked.at(-1)![1]).toBe(0);
    for (const [at, [from]] of asked.entries()) if (at > 0) expect(from).toBe(asked[at - 1]![1]);
    expect((await reread(ports, purchase)).payment).toMatchObject({ endToEndId: pix.endToEndId });
  });

  test('stays while the provider is down, and keeps the finished steps', async () => {
    const ports = world();
    const begin = ports.clock.now();
    await reconcilePix(ports);
    ports.clock.advance(700 * MINUTE_MS);
    const { listReceived } = ports.pix;
    let calls = 0;
    ports.pix.listReceived = (from, to) => {
      calls += 1;
      if (calls === 3) ports.pix.isDown = true;
      return listReceived(from, to);
    };

    await expect(reconcilePix(ports)).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await ports.unmatchedPayments.findCursor()).toBe(begin + 240 * MINUTE_MS);
    ports.pix.isDown = false;
    await reconcilePix(ports);
    expect(await ports.unmatchedPayments.findCursor()).toBe(begin + 700 * MINUTE_MS);
  });

  test('waits for a Pix that could neither be matched nor recorded', async () => {
    const ports = world();
    await reconcilePix(ports);
    const pix = aReceivedPix({ id: newId() }, { paidAt: ports.clock.now() + MINUTE_MS });
    ports.pix.received.push(pix);
    const create = () => Promise.reject(new Error('the table is out'));
    const dying = { ...ports, unmatchedPayments: { ...ports.unmatchedPayments, create } };
    for (let sweeps = 0; sweeps < 3; sweeps++) {
      ports.clock.advance(200 * MINUTE_MS);
      await reconcilePix(dying);
    }
    expect(new Set(ports.log.raised)).toEqual(new Set(['ReconciliationFailed']));
    expect(await ports.unmatchedPayments.findCursor()).toBe(pix.paidAt);

    await reconcilePix(ports);

    expect(await ports.unmatchedPayments.findUnmatched(pix.endToEndId)).toMatchObject({
      refund: { status: 'REFUNDED' },
    });
    expect(await ports.unmatchedPayments.findCursor()).toBe(ports.clock.now());
  });

  test('passes a Pix that has failed for a day; the comparison of the books then waits for it', async () => {
    const ports = world();
    const ran = async (its: typeof ports) => {
      ports.clock.advance(60 * MINUTE_MS);
      await reconcilePix(its);
      await reconcileBooks(its).catch(() => undefined);
    };
    await ran(ports);
    const pix = aReceivedPix({ id: newId() }, { txid: undefined, paidAt: ports.clock.now() + MINUTE_MS });
    ports.pix.received.push(pix);
    const create = () => Promise.reject(new Error('the row is refused'));
    const failing = { ...ports, unmatchedPayments: { ...ports.unmatchedPayments, create } };
    for (let hours = 0; hours < 30; hours += 1) await ran(failing);
    expect(await ports.unmatchedPayments.findCursor()).toBe(ports.clock.now());

    await ran(ports);

    expect(await ports.unmatchedPayments.findUnmatched(pix.endToEndId)).toMatchObject({
      refund: { status: 'REFUNDED' },
    });
  });

  test('never passes a Pix that its open purchase does not show', async () => {
    const ports = world();
    await reconcilePix(ports);
    const { purchase, pix } = await forgotten(ports);
    pix.paidAt = ports.clock.now() + MINUTE_MS;
    ports.pix.charges.set(purchase.id, aCharge(purchase, []));

    for (let hours = 0; hours < 30; hours += 1) {
      ports.clock.advance(60 * MINUTE_MS);
      await reconcilePix(ports);
    }

    expect(await ports.unmatchedPayments.findCursor()).toBe(pix.paidAt);
  });

  /** The provider's list has a row that cannot be read, paid at this instant. */
  function withUnreadable(ports: ReturnType<typeof world>, at: number) {
    const { listReceived } = ports.pix;
    ports.pix.listReceived = async (from, to) => {
      const part = await listReceived(from, to);
      return from <= at && at < part.upTo ? { ...part, unreadable: 1 } : part;
    };
    return () => {
      ports.pix.listReceived = listReceived;
    };
  }

  test('waits for a row that could not be read', async () => {
    const ports = world();
    await reconcilePix(ports);
    const { purchase, pix } = await forgotten(ports);
    pix.paidAt = ports.clock.now() + MINUTE_MS;
    ports.pix.received = [];
    const readable = withUnreadable(ports, pix.paidAt);
    for (let hours = 0; hours < 20; hours += 5) {
      ports.clock.advance(300 * MINUTE_MS);
      await reconcilePix(ports);
    }
    ports.pix.received = [pix];
    readable();

    expect(await reconcilePix(ports)).toMatchObject({ recovered: 1 });

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
    expect(await ports.unmatchedPayments.findCursor()).toBe(ports.clock.now());
  });

  test('passes a row that could not be read for a day', async () => {
    const ports = world();
    await reconcilePix(ports);
    withUnreadable(ports, ports.clock.now() + MINUTE_MS);

    for (let hours = 0; hours < 30; hours += 1) {
      ports.clock.advance(60 * MINUTE_MS);
      await reconcilePix(ports);
    }

    expect(await ports.unmatchedPayments.findCursor()).toBe(ports.clock.now());
  });

  test('never goes back, whichever of two runs ends last', async () => {
    const { unmatchedPayments } = world();

    for (const upTo of [START_AT, START_AT + 2, START_AT + 1]) await unmatchedPayments.moveCursor(upTo);

    expect(await unmatchedPayments.findCursor()).toBe(START_AT + 2);
  });

  test('still lets runs read the last two hours if a clock ahead has moved it', async () => {
    const { ports, purchase } = await forgotten();
    await ports.unmatchedPayments.moveCursor(ports.clock.now() + 10_000 * MINUTE_MS);

    await reconcilePix(ports);

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
  });
});

describe('the provider', () => {
  test('is told the address of its callbacks in each run', async () => {
    const ports = world();

    await reconcilePix(ports);
    await reconcilePix(ports);

    expect(ports.pix.registrations).toBe(2);
  });

  test.each([
    ['refuses', new Error('403')],
    ['does not answer about', new Unavailable('the Pix provider')],
  ])(
    'is asked for payments if it %s our address, and no run that found them counts as failed',
    async (_, why) => {
      const { ports, purchase } = await forgotten();
      ports.pix.registerCallback = () => Promise.reject(why);

      expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 1 });

      expect((await reread(ports, purchase)).status).toBe('PROCESSING');
      expect(ports.log.raised).toEqual(['CallbackMissed', 'CallbackNotRegistered']);
    },
  );

  test('is watched for strangers, and told our address, although its list cannot be read', async () => {
    const ports = world();
    ports.pix.listReceived = () => Promise.reject(new Error('too few rows'));
    ports.pix.isEnforced = false;

    await expect(reconcilePix(ports)).rejects.toThrow('too few rows');

    expect(ports.log.raised).toContain('PayerNotProven');
    expect(ports.pix.registrations).toBe(1);
  });

  test('leaves everything unchanged while it is down', async () => {
    const { ports, purchase } = await forgotten();
    ports.pix.isDown = true;

    await expect(reconcilePix(ports)).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});
