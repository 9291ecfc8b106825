import { describe, expect, test } from 'vitest';
import { recordRefund } from '../../functions/domain/purchase/return.ts';
import type { ReturnState } from '../../functions/domain/purchase/return-state.ts';
import { refundPixPayment } from '../../functions/steps/refund-pix-payment.ts';
import { aTransaction, MINUTE_MS } from '../support/builders.ts';
import { eventsOf, openPorts, putPurchaseIn, reread } from '../support/ports.ts';

/** A purchase that failed after a payment of 300.00 instead of 250.00. */
async function failed(state: ReturnState = { status: 'PENDING' }) {
  const ports = openPorts();
  const refund = {
    ...state,
    endToEndId: `E${'2'.repeat(31)}`,
    amountCentavos: 300_00,
    reason: 'AMOUNT_MISMATCH',
  } as const;
  const purchase = await putPurchaseIn(ports, 'FAILED', { refund, disposition: 'REFUND', sequence: 1 });
  const claim = { endToEndId: refund.endToEndId, id: purchase.id, amountCentavos: 300_00 };
  return { ports, purchase, claim, visit: () => refundPixPayment({ transactionId: purchase.id }, ports) };
}

describe('a claimed refund', () => {
  // docs/architecture.md, "Five ideas"
  test('returns the whole payment under the transaction’s id, and is announced', async () => {
    const { ports, purchase, claim, visit } = await failed();

    const answer = await visit();

    expect(answer).toEqual({ transactionId: purchase.id, status: 'FAILED', refund: 'REFUNDED' });
    expect(ports.pix.refunds).toEqual([claim]);
    const refunded = await reread(ports, purchase);
    expect(refunded).toMatchObject({ status: 'FAILED', sequence: 2, refund: { status: 'REFUNDED' } });
    expect(refunded).not.toHaveProperty('nextCheckAt');
    const { endToEndId } = claim;
    expect(await ports.events.findEvent(`${purchase.id}.2`)).toMatchObject({
      type: 'transaction.refunded',
      data: {
        transactionId: purchase.id,
        status: 'FAILED',
        sequence: 2,
        refund: {
          endToEndId,
          amountBrl: 300,
          reason: 'AMOUNT_MISMATCH',
          returnId: purchase.id,
          refundedAt: new Date(ports.clock.now()).toISOString(),
        },
      },
    });
  });

  test('waits while the provider is still working on it, and keeps its claim', async () => {
    const { ports, purchase, claim, visit } = await failed();
    ports.pix.refundStatus = 'PENDING';

    await expect(visit()).rejects.toMatchObject({ name: 'RefundPending' });
    await expect(visit()).rejects.toMatchObject({ name: 'RefundPending' });

    expect(ports.pix.refunds).toEqual([claim, claim]);
    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(await eventsOf(ports, purchase)).toEqual([]);

    ports.pix.refundStatus = 'REFUNDED';
    expect(await visit()).toMatchObject({ refund: 'REFUNDED' });
  });

  test('is tried again under a new id, not before its time, if the provider ends it without sending', async () => {
    const { ports, purchase, claim, visit } = await failed();
    ports.pix.refundStatus = 'FAILED';

    await expect(visit()).rejects.toMatchObject({ name: 'RefundPending' });
    ports.clock.advance(MINUTE_MS - 1);
    await expect(visit()).rejects.toMatchObject({ name: 'RefundPending' });

    expect(ports.pix.refunds).toEqual([claim]);
    const waiting = await reread(ports, purchase);
    expect(waiting).toMatchObject({ sequence: 2, refund: { status: 'PENDING', tries: 1 } });
    expect(waiting.nextCheckAt).toBe(purchase.nextCheckAt);
    expect(ports.log.lines).toEqual([expect.stringContaining('refund refused by the provider')]);
    expect(ports.log.errors).toEqual([]);

    ports.pix.refundStatus = 'REFUNDED';
    ports.clock.advance(1);
    expect(await visit()).toMatchObject({ refund: 'REFUNDED' });

    expect(ports.pix.refunds).toEqual([claim, { ...claim, id: `${purchase.id}R1` }]);
    expect(await reread(ports, purchase)).toMatchObject({ sequence: 3, refund: { status: 'REFUNDED' } });
  });

  test('needs a person after seven such ends, each of which is announced', async () => {
    const { ports, purchase, visit } = await failed();
    ports.pix.refundStatus = 'FAILED';

    for (const minutes of [1, 10, 60, 360, 1440, 1440]) {
      await expect(visit()).rejects.toMatchObject({ name: 'RefundPending' });
      ports.clock.advance(minutes * MINUTE_MS);
    }
    expect(await visit()).toMatchObject({ refund: 'FAILED' });

    const after = await reread(ports, purchase);
    expect(after).toMatchObject({ status: 'FAILED', sequence: 8, refund: { status: 'FAILED' } });
    expect(after).not.toHaveProperty('nextCheckAt');
    expect(await ports.events.findEvent(`${purchase.id}.9`)).toBeUndefined();
    const ids = ports.pix.refunds.map(({ id }) => id.slice(purchase.id.length));
    expect(ids).toEqual(['', 'R1', 'R2', 'R3', 'R4', 'R5', 'R6']);
    expect(ports.log.lines).toHaveLength(8);
    // Errors begin with the fourth refusal, more than an hour after the first. The line of the case is one, too.
    expect(ports.log.errors).toEqual(ports.log.lines.slice(3));
    for (const line of ports.log.lines) expect(line).toContain(purchase.id);
    expect(await ports.moneyCases.findCase(`REFUND_FAILED#${purchase.id}`)).toMatchObject({
      status: 'OPEN',
      transactionId: purchase.id,
      clientId: purchase.clientId,
      amountCentavos: 300_00,
      facts: { reason: 'AMOUNT_MISMATCH', tries: 7 },
    });
  });

  test('has its case before it is recorded as failed, whatever dies between', async () => {
    const { ports, purchase } = await failed();
    ports.pix.refundStatus = 'FAILED';
    const stale = { ...(await reread(ports, purchase)).refund!, tries: 6 };
    const findTransaction = async () => aTransaction({ ...(await reread(ports, purchase)), refund: stale });
    const save = () => Promise.reject(new Error('killed'));
    const dying = { ...ports, transactions: { ...ports.transactions, findTransaction, save } };

    await expect(refundPixPayment({ transactionId: purchase.id }, dying)).rejects.toThrow('killed');

    expect(await ports.moneyCases.findCase(`REFUND_FAILED#${purchase.id}`)).toMatchObject({ status: 'OPEN' });
  });

  test('opens one new try, however many visits see the last one end', async () => {
    const { ports, purchase, visit } = await failed();
    ports.pix.refundStatus = 'FAILED';

    const ends = await Promise.allSettled(Array.from({ length: 10 }, visit));

    for (const end of ends) expect(end).toMatchObject({ reason: { name: 'RefundPending' } });
    expect((await reread(ports, purchase)).refund).toMatchObject({ status: 'PENDING', tries: 1 });
  });

  test('does not take the end of an old try for the end of the present one', async () => {
    const { ports, purchase, visit } = await failed();
    ports.pix.refundStatus = 'FAILED';
    const stale = await reread(ports, purchase);
    await expect(visit()).rejects.toMatchObject({ name: 'RefundPending' });
    const before = await reread(ports, purchase);

    const late = recordRefund(stale, 'FAILED', { now: ports.clock.now(), minuteMs: MINUTE_MS })!;

    expect(await ports.transactions.save(late)).toBe(false);
    expect(await reread(ports, purchase)).toEqual(before);
  });

  test('asks under the new id again after a crash before its outcome was written', async () => {
    const { ports, purchase, visit } = await failed();
    ports.pix.refundStatus = 'FAILED';
    await expect(visit()).rejects.toMatchObject({ name: 'RefundPending' });
    ports.clock.advance(MINUTE_MS);
    const save = () => Promise.reject(new Error('the function died'));
    const dying = { ...ports, transactions: { ...ports.transactions, save } };

    await expect(refundPixPayment({ transactionId: purchase.id }, dying)).rejects.toThrow('died');
    ports.pix.refundStatus = 'REFUNDED';
    await visit();

    expect(ports.pix.refunds.map(({ id }) => id.slice(purchase.id.length))).toEqual(['', 'R1', 'R1']);
  });

  test('keeps its claim while the provider is down', async () => {
    const { ports, purchase, visit } = await failed();
    ports.pix.isDown = true;

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('asks under the same id after a crash before the outcome was written', async () => {
    const { ports, purchase, claim, visit } = await failed();
    const save = () => Promise.reject(new Error('the function died'));
    const dying = { ...ports, transactions: { ...ports.transactions, save } };

    await expect(refundPixPayment({ transactionId: purchase.id }, dying)).rejects.toThrow();
    await visit();

    expect(ports.pix.refunds).toEqual([claim, claim]);
    expect(await reread(ports, purchase)).toMatchObject({ refund: { status: 'REFUNDED' } });
  });

  test('is announced once by many visits at once', async () => {
    const { ports, purchase, claim, visit } = await failed();

    await Promise.all(Array.from({ length: 10 }, visit));

    expect(new Set(ports.pix.refunds.map((refund) => JSON.stringify(refund)))).toEqual(
      new Set([JSON.stringify(claim)]),
    );
    expect((await reread(ports, purchase)).sequence).toBe(2);
    expect(await ports.events.findEvent(`${purchase.id}.3`)).toBeUndefined();
  });
});

describe('nothing is sent', () => {
  test.each<ReturnState>([{ status: 'REFUNDED', refundedAt: 1 }, { status: 'FAILED' }])(
    'if the refund is already $status',
    async (state) => {
      const { ports, purchase, visit } = await failed(state);

      expect(await visit()).toEqual({ transactionId: purchase.id, status: 'FAILED', refund: state.status });

      expect(ports.pix.refunds).toEqual([]);
      expect(await reread(ports, purchase)).toEqual(purchase);
    },
  );

  test.each(['PROCESSING', 'COMPLETED', 'EXPIRED'] as const)('for a purchase in %s', async (status) => {
    const ports = openPorts();
    const { id } = await putPurchaseIn(ports, status);

    expect(await refundPixPayment({ transactionId: id }, ports)).toMatchObject({ status, refund: 'NONE' });

    expect(ports.pix.refunds).toEqual([]);
  });
});
