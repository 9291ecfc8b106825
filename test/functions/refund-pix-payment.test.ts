import { describe, expect, test } from 'vitest';
import type { Refund } from '../../functions/domain/transaction.ts';
import { refundPixPayment } from '../../functions/steps/refund-pix-payment.ts';
import { eventsOf, openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { sandboxTables } from '../support/tables.ts';

/** A purchase that failed after 300.00 were paid for it, although 250.00 were asked. */
async function failed(status: Refund['status'] = 'PENDING') {
  const ports = openPorts(sandboxTables());
  const refund = {
    status,
    endToEndId: `E${'2'.repeat(31)}`,
    amountCentavos: 300_00,
    reason: 'AMOUNT_MISMATCH',
  } as const;
  const purchase = await putPurchaseIn(ports, 'FAILED', { refund, disposition: 'REFUND', sequence: 1 });
  const claim = { endToEndId: refund.endToEndId, id: purchase.id, amountCentavos: 300_00 };
  return { ports, purchase, claim, visit: () => refundPixPayment({ transactionId: purchase.id }, ports) };
}

describe('a claimed refund', () => {
  test("sends the whole payment back under the transaction's id, and says so", async () => {
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
        refund: { endToEndId, amountBrl: 300, reason: 'AMOUNT_MISMATCH' },
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

  test('that the provider refuses for good is recorded and reported, not announced', async () => {
    const { ports, purchase, visit } = await failed();
    ports.pix.refundStatus = 'FAILED';

    expect(await visit()).toMatchObject({ refund: 'FAILED' });

    const after = await reread(ports, purchase);
    expect(after).toMatchObject({ status: 'FAILED', sequence: 1, refund: { status: 'FAILED' } });
    expect(await ports.events.findEvent(`${purchase.id}.2`)).toBeUndefined();
    expect(ports.log.lines).toEqual([expect.stringContaining(purchase.id)]);
    expect(ports.log.lines[0]).toContain('refund refused by the provider');
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
  test.each(['REFUNDED', 'FAILED'] as const)('when the refund is already %s', async (status) => {
    const { ports, purchase, visit } = await failed(status);

    expect(await visit()).toEqual({ transactionId: purchase.id, status: 'FAILED', refund: status });

    expect(ports.pix.refunds).toEqual([]);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test.each(['PROCESSING', 'COMPLETED', 'EXPIRED'] as const)('for a purchase that is %s', async (status) => {
    const ports = openPorts(sandboxTables());
    const { id } = await putPurchaseIn(ports, status);

    expect(await refundPixPayment({ transactionId: id }, ports)).toMatchObject({ status, refund: 'NONE' });

    expect(ports.pix.refunds).toEqual([]);
  });
});
