import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, type EventType, webhookBody } from '../../functions/domain/partners/events.ts';
import { eventData } from '../../functions/domain/purchase/announcements.ts';
import { AT, aTransaction, NOW, WALLET } from '../support/builders.ts';

const payment = { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_01 };
/** Everything that a purchase can have in any status. An event leaves fields out by choice only. */
const purchase = aTransaction({
  pix: { payload: '000201…', expiresAt: NOW },
  payment,
  txHash: '0xaa',
  failure: { reason: 'PAID_LATE' },
  refund: {
    status: 'REFUNDED',
    refundedAt: NOW,
    returnId: 'T1R2',
    rtrId: 'D1',
    endToEndId: 'E1',
    amountCentavos: 250_01,
    reason: 'PAID_LATE',
    tries: 2,
  },
});
const ofEach = { transactionId: purchase.id, status: 'AWAITING_MFA', sequence: 7 };
const dataOf = (type: EventType) => eventData(type, purchase, 7);

describe('the data of an event', () => {
  // Spec, Events: "transaction.mfa_cleared: Not a payload description"
  it('has the payload in transaction.pix_ready and not in transaction.mfa_cleared', () => {
    expect(dataOf('transaction.mfa_cleared')).toEqual(ofEach);
    expect(dataOf('transaction.pix_ready')).toEqual({
      ...ofEach,
      pixPayload: '000201…',
      pixExpiresAt: '2026-11-20T12:00:00.000Z',
    });
  });

  it('has for a completion the hash, the amount in tokens and in BRL, and the wallet', () => {
    expect(dataOf('transaction.completed')).toEqual({
      ...ofEach,
      txHash: '0xaa',
      amount: '45.566968',
      asset: 'USDC',
      amountBrl: 250,
      walletAddress: WALLET,
    });
  });

  it.each([
    ['transaction.processing', { payment: { endToEndId: 'E1', amountBrl: 250.01 } }],
    ['transaction.failed', { failure: { reason: 'PAID_LATE' } }],
    ['transaction.expired', { missed: 'PAYMENT' }],
    [
      'transaction.refunded',
      {
        refund: {
          endToEndId: 'E1',
          amountBrl: 250.01,
          reason: 'PAID_LATE',
          returnId: 'T1R2',
          rtrId: 'D1',
          refundedAt: '2026-11-20T12:00:00.000Z',
        },
      },
    ],
  ] as const)('has for %s the field %j besides the common fields', (type, more) => {
    expect(dataOf(type)).toEqual({ ...ofEach, ...more });
  });

  it('says of an expired purchase without a charge that the authentication was missed', () => {
    const { pix: _, ...unauthenticated } = purchase;

    expect(eventData('transaction.expired', unauthenticated, 7)).toMatchObject({ missed: 'AUTHENTICATION' });
  });

  it('never has the client’s identity or internal facts', () => {
    const told = JSON.stringify(EVENT_TYPES.map(dataOf));

    for (const inner of [purchase.clientId, purchase.kycToken, 'partnerId', 'mfaAttempts', 'tries']) {
      expect(told).not.toContain(inner);
    }
  });
});

describe('the body of a webhook', () => {
  it('has type, timestamp and data, and nothing of the delivery', () => {
    const type = 'transaction.expired';
    const event = { id: 'T.1', partnerId: 'demo', type, sequence: 1, at: AT.now, data: ofEach } as const;

    expect(JSON.parse(webhookBody({ ...event, endpointIds: ['one'] }))).toEqual({
      type,
      timestamp: '2026-11-20T12:00:00.000Z',
      data: ofEach,
    });
  });
});
