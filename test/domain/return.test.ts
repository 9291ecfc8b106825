import { describe, expect, test } from 'vitest';
import { getReturn, recordRefund, returnIdOf } from '../../functions/domain/purchase/return.ts';
import { getPaid, type Transaction } from '../../functions/domain/purchase/transaction.ts';
import { withChange } from '../../functions/domain/purchase/transitions.ts';
import { AT, aTransaction, NOW } from '../support/builders.ts';

const refundIdOf = (transaction: Transaction) =>
  returnIdOf(getReturn({ kind: 'PURCHASE', transaction: getPaid(transaction) }));

describe('recordRefund', () => {
  const payment = { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_00 };
  const refund = {
    status: 'PENDING',
    endToEndId: 'E1',
    amountCentavos: 250_00,
    reason: 'SETTLEMENT_FAILED',
  } as const;

  test('announces returned money, and keeps the status', () => {
    const change = recordRefund(aTransaction({ status: 'FAILED', refund, sequence: 1 }), 'REFUNDED', AT);

    expect(change?.events.map((event) => [event.type, event.sequence])).toEqual([
      ['transaction.refunded', 2],
    ]);
    expect(change?.set).not.toHaveProperty('status');
    expect(change?.set.refund?.status).toBe('REFUNDED');
  });

  test('announces a delay if the provider refused, and plans the next try under a new id', () => {
    const failed = aTransaction({ id: 'T', status: 'FAILED', payment, refund });
    const change = recordRefund(failed, 'FAILED', AT);

    expect(change).toMatchObject({ remove: [], was: { refundTries: 0 } });
    expect(change?.events).toMatchObject([
      {
        type: 'transaction.refund_delayed',
        data: { refund: { endToEndId: 'E1', amountBrl: 250, nextTryAt: '2026-11-20T12:01:00.000Z' } },
      },
    ]);
    expect(change?.set.refund).toEqual({ ...refund, tries: 1, nextTryAt: NOW + AT.minuteMs });
    expect([refundIdOf(failed), refundIdOf(withChange(failed, change!))]).toEqual(['T', 'TR1']);
  });

  test('ends after the last of the growing gaps', () => {
    let failed = aTransaction({ status: 'FAILED', payment, refund });
    const gaps: number[] = [];
    for (let tries = 0; tries < 6; tries++) {
      failed = withChange(failed, recordRefund(failed, 'FAILED', AT)!);
      gaps.push((failed.refund!.nextTryAt! - NOW) / AT.minuteMs);
    }
    expect(gaps).toEqual([1, 10, 60, 360, 1440, 1440]);
    expect(failed.refund?.status).toBe('PENDING');

    const last = recordRefund(failed, 'FAILED', AT);

    expect(last).toMatchObject({ remove: ['nextCheckAt'], was: { refundTries: 6 } });
    expect(last?.events).toMatchObject([
      { type: 'transaction.refund_failed', data: { refund: { endToEndId: 'E1', amountBrl: 250 } } },
    ]);
    expect(last?.set.refund).toMatchObject({ status: 'FAILED', tries: 7 });
    expect(refundIdOf(failed)).toMatch(/^[A-Z0-9]{26}R6$/);
  });

  test('does nothing a second time', () => {
    const done = aTransaction({
      status: 'FAILED',
      refund: { ...refund, status: 'REFUNDED', refundedAt: NOW },
    });

    expect(recordRefund(done, 'REFUNDED', AT)).toBeUndefined();
    expect(recordRefund(aTransaction(), 'REFUNDED', AT)).toBeUndefined();
  });
});
