import { describe, expect, test } from 'vitest';
import { FAILURE_REASONS, type FailureReason } from '../../functions/domain/purchase/return-reasons.ts';
import { STATUS_NAMES, STATUSES, type Status } from '../../functions/domain/purchase/status.ts';
import { type Story, storyOf } from '../../functions/domain/purchase/story.ts';
import { HAPPENINGS } from '../../functions/domain/purchase/story-happenings.ts';
import { type PurchaseStanding, STANDINGS } from '../../functions/domain/purchase/story-standings.ts';
import type { Refund, Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { UnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { storyView } from '../../functions/logic/purchase/story-view.ts';
import { AT, aTransaction, MINUTE_MS, NOW } from '../support/builders.ts';

const PIX = 'E1234';
const paidAt = NOW + 5 * MINUTE_MS;
const endedAt = NOW + 6 * MINUTE_MS;
const reason: FailureReason = 'PAYER_MISMATCH';

/** The moves that lead to a status, with their instants. */
const WAYS: Record<Status, Transaction['history']> = {
  CREATED: [{ status: 'CREATED', at: NOW }],
  AWAITING_MFA: [{ status: 'AWAITING_MFA', at: NOW }],
  AWAITING_PIX: [{ status: 'AWAITING_PIX', at: NOW + MINUTE_MS }],
  PROCESSING: [
    { status: 'AWAITING_PIX', at: NOW + MINUTE_MS },
    { status: 'PROCESSING', at: paidAt },
  ],
  COMPLETED: [
    { status: 'AWAITING_PIX', at: NOW + MINUTE_MS },
    { status: 'PROCESSING', at: paidAt },
    { status: 'COMPLETED', at: endedAt },
  ],
  FAILED: [
    { status: 'AWAITING_PIX', at: NOW + MINUTE_MS },
    { status: 'PROCESSING', at: paidAt },
    { status: 'FAILED', at: endedAt },
  ],
  EXPIRED: [{ status: 'EXPIRED', at: endedAt }],
  CANCELED: [{ status: 'CANCELED', at: endedAt }],
};

function aPurchase(status: Status, changes: Partial<Transaction> = {}): Transaction {
  const isPaid = STATUSES[status].paid;
  return aTransaction({
    status,
    history: WAYS[status],
    ...(isPaid && { payment: { endToEndId: PIX, paidAt, amountCentavos: 250_00 }, expiresAt: undefined }),
    ...(status === 'FAILED' && { failure: { reason } }),
    ...changes,
  });
}

function aRefund(changes: Partial<Refund> = {}): { refund: Refund } {
  const refund = { status: 'PENDING', endToEndId: PIX, amountCentavos: 250_00, reason, ...changes };
  return { refund: refund as Refund };
}

const tell = (transaction: Transaction, at = AT, unmatched: UnmatchedPayment[] = []) =>
  storyOf({ transaction, unmatched }, at);
const namesOf = ({ happened }: Story) => happened.map(({ what }) => what);
const later = (minutes: number) => ({ ...AT, now: NOW + minutes * MINUTE_MS });

type Case = [Status, Partial<Transaction>, number, PurchaseStanding, since: number, by?: number];
const CASES: Case[] = [
  ['CREATED', {}, 0, 'WAITS_FOR_CLIENT', NOW, NOW + 15 * MINUTE_MS],
  ['AWAITING_MFA', {}, 14, 'WAITS_FOR_CLIENT', NOW, NOW + 15 * MINUTE_MS],
  ['AWAITING_MFA', { challenge: { type: 'LIVENESS' } }, 1, 'WAITS_FOR_CLIENT', NOW, NOW + 15 * MINUTE_MS],
  ['AWAITING_MFA', {}, 15, 'CLOSING', NOW + 15 * MINUTE_MS],
  ['AWAITING_PIX', {}, 2, 'WAITS_FOR_PIX', NOW + MINUTE_MS, NOW + 15 * MINUTE_MS],
  ['AWAITING_PIX', {}, 15, 'CLOSING', NOW + 15 * MINUTE_MS],
  ['PROCESSING', {}, 6, 'SENDING', paidAt],
  ['PROCESSING', {}, 64, 'SENDING', paidAt],
  ['PROCESSING', {}, 65, 'SENDING_SLOWLY', paidAt],
  ['COMPLETED', {}, 99, 'DELIVERED', endedAt],
  ['FAILED', aRefund(), 7, 'REFUNDING', endedAt],
  ['FAILED', aRefund({ tries: 1, nextTryAt: NOW + 99 }), 7, 'REFUND_REPEATED', endedAt, NOW + 99],
  ['FAILED', aRefund({ status: 'FAILED' }), 7, 'REFUND_WITH_US', endedAt],
  ['FAILED', aRefund({ status: 'REFUNDED', refundedAt: NOW + 7 }), 9, 'REFUNDED', NOW + 7],
  ['FAILED', {}, 9, 'TAKEN_BACK', endedAt],
  ['EXPIRED', {}, 99, 'EXPIRED', endedAt],
  ['CANCELED', {}, 99, 'CANCELED', endedAt],
];

// docs/decisions.md, "Facts that partners learn"
describe('the story of a purchase', () => {
  test.each(CASES)(
    'in %s with %j after %i minutes stands at %s',
    (status, changes, minutes, what, since, by) => {
      const { standing, next } = tell(aPurchase(status, changes), later(minutes));

      expect(standing).toMatchObject({ what, since });
      expect(next.by).toBe(by);
      for (const words of [standing.words, next.words]) {
        expect(words.pt).toMatch(/^[A-ZÀ-Ú0-9].*\.$/);
        expect(words.en).toMatch(/^[A-Z0-9].*\.$/);
        expect(words.pt).not.toBe(words.en);
      }
    },
  );

  test('covers every status and every standing', () => {
    expect(new Set(CASES.map(([status]) => status))).toEqual(new Set(STATUS_NAMES));
    expect(new Set(CASES.map(([, , , what]) => what))).toEqual(new Set(STANDINGS));
  });

  test.each<[Status, string[]]>([
    ['CREATED', ['OPENED']],
    ['AWAITING_MFA', ['OPENED']],
    ['AWAITING_PIX', ['OPENED', 'CONFIRMED']],
    ['PROCESSING', ['OPENED', 'CONFIRMED', 'PAID']],
    ['COMPLETED', ['OPENED', 'CONFIRMED', 'PAID', 'DELIVERED']],
    ['FAILED', ['OPENED', 'CONFIRMED', 'PAID', 'NOT_DELIVERED', 'REASON_RECORDED']],
    ['EXPIRED', ['OPENED', 'EXPIRED']],
    ['CANCELED', ['OPENED', 'CANCELED']],
  ])('in %s has the facts %j in their order', (status, names) => {
    const story = tell(aPurchase(status));

    expect(namesOf(story)).toEqual(names);
    const times = story.happened.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  test('has a payment before its refund, although the provider dated it in the future', () => {
    const payment = { endToEndId: PIX, paidAt: NOW + 60 * MINUTE_MS, amountCentavos: 250_00 };
    const refund = aRefund({ status: 'REFUNDED', refundedAt: NOW + 8 * MINUTE_MS });

    const { happened } = tell(aPurchase('FAILED', { payment, ...refund }));

    expect(happened.map(({ what }) => what)).toEqual([
      'OPENED',
      'CONFIRMED',
      'PAID',
      'NOT_DELIVERED',
      'REASON_RECORDED',
      'REFUNDED',
    ]);
    expect(happened[2]?.at).toBe(paidAt);
  });

  test('writes an amount of tokens with the decimal sign of each language', () => {
    const words = tell(aPurchase('COMPLETED')).happened.at(-1)?.words;

    expect(words?.pt).toMatch(/^\d+,\d+ USD. foram/);
    expect(words?.en).toMatch(/^\d+\.\d+ USD. were/);
  });

  test('ends a failed purchase with the return of its money', () => {
    const refund = aRefund({ status: 'REFUNDED', refundedAt: NOW + 8 * MINUTE_MS, amountCentavos: 100_50 });

    const last = tell(aPurchase('FAILED', refund)).happened.at(-1);

    expect(last).toMatchObject({ what: 'REFUNDED', at: NOW + 8 * MINUTE_MS });
    expect(last?.words.pt).toContain('R$ 100,50');
    expect(last?.words.en).toContain('R$100.50');
  });

  test('has a late Pix and its return', () => {
    const late: UnmatchedPayment = {
      id: 'E99',
      reason: 'PAID_LATE',
      amountCentavos: 250_00,
      paidAt: endedAt + MINUTE_MS,
      foundAt: endedAt + MINUTE_MS,
      refund: { status: 'PENDING' },
    };
    const returned = {
      ...late,
      refund: { status: 'REFUNDED' as const, refundedAt: endedAt + 2 * MINUTE_MS },
    };

    expect(namesOf(tell(aPurchase('EXPIRED'), AT, [late]))).toEqual([
      'OPENED',
      'EXPIRED',
      'OTHER_PIX_RECEIVED',
    ]);
    expect(namesOf(tell(aPurchase('EXPIRED'), AT, [returned]))).toEqual([
      'OPENED',
      'EXPIRED',
      'OTHER_PIX_RECEIVED',
      'OTHER_PIX_RETURNED',
    ]);
  });

  test('gives times in São Paulo', () => {
    const { words } = tell(aPurchase('AWAITING_PIX')).next;

    expect(words.pt).toContain('até 20/11/2026, 09:15 (horário de Brasília)');
    expect(words.en).toContain('by 11/20/26, 9:15 AM (Brasília time)');
  });

  test.each(Object.keys(HAPPENINGS))(
    'has a place for the fact %s, for partners or for operators alone',
    (name) => {
      expect(HAPPENINGS[name as keyof typeof HAPPENINGS].isForPartner).toBe(name !== 'REASON_RECORDED');
    },
  );
});

describe('the partner’s part of the story', () => {
  const REASONS = Object.keys(FAILURE_REASONS) as FailureReason[];
  const SUSPICIONS: FailureReason[] = ['SANCTIONS_HIT', 'KYC_REJECTED', 'WALLET_RISK_TOO_HIGH'];
  const viewOf = (transaction: Transaction) => storyView({ transaction, unmatched: [] }, later(7));

  test.each(REASONS)('names no reason, list, review or check when a purchase fails for %s', (failed) => {
    const text = JSON.stringify(viewOf(aPurchase('FAILED', { ...aRefund(), failure: { reason: failed } })));

    for (const name of REASONS) expect(text).not.toContain(name);
    expect(text).not.toMatch(/sanç|sanction|OFAC|lista|list\b|review|revis|risco|risk|suspei|suspic|PEP\b/i);
  });

  test('is the same for each suspicion and for a fault of ours', () => {
    const told = [...SUSPICIONS, 'SETTLEMENT_FAILED' as const, 'SETTLEMENT_CANCELLED' as const].map(
      (failed) => viewOf(aPurchase('FAILED', { ...aRefund(), failure: { reason: failed } })),
    );

    for (const each of told) expect(each).toEqual(told[0]);
  });

  test('tells operators the recorded reason', () => {
    const { happened } = tell(aPurchase('FAILED', { failure: { reason: 'SANCTIONS_HIT' } }));

    expect(happened.at(-1)).toMatchObject({ what: 'REASON_RECORDED' });
    expect(happened.at(-1)?.words.en).toContain('SANCTIONS_HIT');
  });

  test('has ISO times, and only the fields that are listed', () => {
    const view = viewOf(aPurchase('AWAITING_PIX'));

    expect(view.happened[0]).toEqual({
      what: 'OPENED',
      at: new Date(NOW).toISOString(),
      text: {
        pt: 'A compra de R$ 250,00 em USDC para a carteira 0x8ba1…BA72 foi aberta.',
        en: 'The purchase of R$250.00 in USDC for the wallet 0x8ba1…BA72 was opened.',
      },
    });
    expect(Object.keys(view.standing).sort()).toEqual(['since', 'text', 'what']);
    expect(view.next.by).toBe(new Date(NOW + 15 * MINUTE_MS).toISOString());
  });
});
