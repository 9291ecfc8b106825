import { describe, expect, test } from 'vitest';
import { advance, type PurchaseChange } from '../../functions/domain/purchase/transitions.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { issued, MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  eventsOf,
  MFA_UNTIL,
  openPorts,
  PIX_UNTIL,
  putPurchaseIn,
  reread,
  START_AT,
} from '../support/ports.ts';

const CASES = [
  { status: 'AWAITING_MFA', minutes: 15, until: MFA_UNTIL },
  { status: 'AWAITING_PIX', minutes: 30, until: PIX_UNTIL },
] as const;

/** A purchase whose deadline was just reached. */
async function overdue(status: 'AWAITING_MFA' | 'AWAITING_PIX') {
  const ports = openPorts();
  const purchase = await putPurchaseIn(ports, status);
  ports.clock.advance(purchase.expiresAt! - START_AT);
  return { ports, purchase, visit: () => expireTransaction({ transactionId: purchase.id }, ports) };
}

describe.each(CASES)('$status', ({ status, minutes, until }) => {
  // Spec, Transaction states: "EXPIRED: no MFA response within 15 minutes"
  // Spec, Transaction states: "EXPIRED: no Pix payment within 30 minutes"
  // docs/decisions.md, "Facts that partners learn"
  test(`becomes EXPIRED after ${minutes} minutes, and is announced`, async () => {
    const missed = status === 'AWAITING_PIX' ? 'PAYMENT' : 'AUTHENTICATION';
    const { ports, purchase, visit } = await overdue(status);

    const answer = await visit();

    expect(answer).toEqual({ transactionId: purchase.id, status: 'EXPIRED' });
    const expired = await reread(ports, purchase);
    expect(expired).toMatchObject({ status: 'EXPIRED', sequence: 1 });
    expect(expired).not.toHaveProperty('expiresAt');
    expect(expired).not.toHaveProperty('nextCheckAt');
    expect(expired.history.at(-1)).toEqual({ status: 'EXPIRED', at: until });
    expect(await eventsOf(ports, purchase)).toEqual([
      expect.objectContaining({
        id: `${purchase.id}.1`,
        partnerId: purchase.partnerId,
        type: 'transaction.expired',
        at: until,
        data: { transactionId: purchase.id, status: 'EXPIRED', sequence: 1, missed },
      }),
    ]);
  });

  test('is not changed before its deadline', async () => {
    const { ports, purchase, visit } = await overdue(status);
    ports.clock.advance(-5001);

    const answer = await visit();

    expect(answer).toEqual({ transactionId: purchase.id, status });
    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(ports.pix.closed).toEqual([]);
  });

  test.each([-1, -5000])('is visited again %i ms from its deadline, because clocks differ', async (ms) => {
    const { ports, purchase, visit } = await overdue(status);
    ports.clock.advance(ms);

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable', isOrdinary: true });

    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(ports.pix.closed).toEqual([]);
  });

  test('becomes EXPIRED once by many visits at once', async () => {
    const { ports, purchase, visit } = await overdue(status);

    const answers = await Promise.all(Array.from({ length: 10 }, visit));

    expect(answers).toEqual(Array(10).fill({ transactionId: purchase.id, status: 'EXPIRED' }));
    expect((await reread(ports, purchase)).history).toHaveLength(2);
    expect(await eventsOf(ports, purchase)).toHaveLength(1);
  });
});

describe('a charge', () => {
  test('keeps the purchase open while the provider cannot say whether it was paid', async () => {
    const { ports, purchase, visit } = await overdue('AWAITING_PIX');
    ports.pix.isDown = true;

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(await eventsOf(ports, purchase)).toEqual([]);

    ports.pix.isDown = false;
    expect(await visit()).toMatchObject({ status: 'EXPIRED' });
  });

  test('is closed with its purchase if a code made it too late', async () => {
    const { ports, purchase, visit } = await overdue('AWAITING_MFA');
    ports.pix.charges.set(purchase.id, aCharge(purchase));

    expect(await visit()).toMatchObject({ status: 'EXPIRED' });

    expect(ports.pix.closed).toEqual([purchase.id]);
  });

  test('is closed by the next visit if the first visit failed', async () => {
    const { ports, purchase, visit } = await overdue('AWAITING_MFA');
    ports.pix.charges.set(purchase.id, aCharge(purchase));
    ports.pix.isDown = true;
    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });
    expect((await reread(ports, purchase)).status).toBe('EXPIRED');

    ports.pix.isDown = false;
    expect(await visit()).toMatchObject({ status: 'EXPIRED' });

    expect(ports.pix.charges.get(purchase.id)?.status).toBe('CLOSED');
    expect(await eventsOf(ports, purchase)).toHaveLength(1);
  });

  test('is closed at the provider before the purchase expires', async () => {
    const { ports, purchase, visit } = await overdue('AWAITING_PIX');
    ports.pix.charges.set(purchase.id, aCharge(purchase));

    await visit();

    expect(ports.pix.closed).toEqual([purchase.id]);
    expect(ports.pix.charges.get(purchase.id)?.status).toBe('CLOSED');
  });

  test('lets the purchase go on if it was paid', async () => {
    const { ports, purchase, visit } = await overdue('AWAITING_PIX');
    const { endToEndId, paidAt, amountCentavos, ...rest } = aReceivedPix(purchase);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [{ endToEndId, paidAt, amountCentavos, ...rest }]));

    const answer = await visit();

    expect(answer).toEqual({ transactionId: purchase.id, status: 'PROCESSING' });
    expect(await reread(ports, purchase)).toMatchObject({
      status: 'PROCESSING',
      payment: { endToEndId, paidAt, amountCentavos },
      nextCheckAt: PIX_UNTIL + 2 * MINUTE_MS,
    });
    expect((await eventsOf(ports, purchase)).map(({ type }) => type)).toEqual(['transaction.processing']);
  });

  test('lets the purchase go on if it is paid while it is closed', async () => {
    const { ports, purchase, visit } = await overdue('AWAITING_PIX');
    ports.pix.charges.set(purchase.id, aCharge(purchase));
    ports.pix.beforeClosing = () =>
      void ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));

    expect(await visit()).toMatchObject({ status: 'PROCESSING' });
  });
});

describe.each(['PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const)('%s', (status) => {
  test('is not changed, nor is its charge', async () => {
    const ports = openPorts();
    const purchase = await putPurchaseIn(ports, status, { pix: { payload: 'BRCODE', expiresAt: PIX_UNTIL } });
    ports.clock.advance(24 * 60 * MINUTE_MS);

    const answer = await expireTransaction({ transactionId: purchase.id }, ports);

    expect(answer).toEqual({ transactionId: purchase.id, status });
    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(ports.pix.closed).toEqual([]);
  });
});

test('a code that was accepted at the last moment keeps the purchase and its charge open', async () => {
  const { ports, purchase } = await overdue('AWAITING_MFA');
  const { save } = ports.transactions;
  const transactions = {
    ...ports.transactions,
    save: async (change: PurchaseChange) => {
      const at = { now: MFA_UNTIL - 1, minuteMs: MINUTE_MS };
      await save(advance(purchase, 'MFA code accepted', at, issued(purchase))!);
      return save(change);
    },
  };

  const answer = await expireTransaction({ transactionId: purchase.id }, { ...ports, transactions });

  expect(answer).toMatchObject({ status: 'AWAITING_PIX' });
  expect(ports.pix.closed).toEqual([]);
  expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_PIX', sequence: 0 });
});
