import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, Refusal } from '../../functions/domain/errors.ts';
import {
  hasEndedUnpaid,
  isOpen,
  type PaidStatus,
  STATUS_NAMES,
  STATUSES,
  type Status,
  TERMINAL,
} from '../../functions/domain/purchase/status.ts';
import {
  isPastDeadline,
  isStuck,
  isUnmatched,
  requireAwaitingMfa,
  requireOwn,
  type Transaction,
} from '../../functions/domain/purchase/transaction.ts';
import {
  advance,
  TRANSITIONS,
  type Trigger,
  withChange,
} from '../../functions/domain/purchase/transitions.ts';
import { AT, aTransaction, failing, issued, MINUTE_MS, NOW } from '../support/builders.ts';

const TRIGGERS = [...new Set(TRANSITIONS.map((row) => row.trigger))];

/** The specification's table, written again from its text, with our events. The code must agree. */
const SPECIFIED: [Status | undefined, Trigger, Status, string[]][] = [
  [undefined, 'transaction initiate', 'CREATED', []],
  ['CREATED', 'auth challenge issued', 'AWAITING_MFA', []],
  ['AWAITING_MFA', 'MFA code accepted', 'AWAITING_PIX', []],
  [
    'AWAITING_MFA',
    'liveness completed',
    'AWAITING_PIX',
    ['transaction.mfa_cleared', 'transaction.pix_ready'],
  ],
  ['AWAITING_PIX', 'Pix payment detected', 'PROCESSING', ['transaction.processing']],
  ['PROCESSING', 'stablecoin settled on-chain', 'COMPLETED', ['transaction.completed']],
  ['PROCESSING', 'settlement error', 'FAILED', ['transaction.failed']],
  ['AWAITING_MFA', 'no MFA response within 15 minutes', 'EXPIRED', ['transaction.expired']],
  ['AWAITING_PIX', 'no Pix payment within 30 minutes', 'EXPIRED', ['transaction.expired']],
];

function inStatus(status: Status): Transaction {
  return aTransaction({
    status,
    pix: { payload: '000201…', expiresAt: NOW },
    payment: { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_00 },
  });
}

describe('the transition table', () => {
  // Spec, Transaction states: "CREATED: transaction initiate, valid request"
  test('has every row of the specification', () => {
    const rows = TRANSITIONS.filter((row) => !('ours' in row));

    expect(rows.map((row) => [row.from, row.trigger, row.to, row.events])).toEqual(SPECIFIED);
  });

  // docs/decisions.md, "Paid, then failed"
  // docs/life-of-a-purchase.md, "When a purchase ends before its payment"
  test('adds only failures of a paid purchase, and cancellations of one that is not paid', () => {
    const ours = TRANSITIONS.filter((row) => 'ours' in row);

    expect(ours.map((row) => [row.from, row.to])).toEqual([
      ['PROCESSING', 'FAILED'],
      ['PROCESSING', 'FAILED'],
      ['PROCESSING', 'FAILED'],
      ['AWAITING_MFA', 'CANCELED'],
      ['AWAITING_PIX', 'CANCELED'],
    ]);
  });

  test.each(STATUS_NAMES.filter((status) => STATUSES[status].chargeMayBeOpen))(
    'lets %s end unpaid in each way, by one trigger each',
    (status) => {
      const ends = TRANSITIONS.filter((row) => row.from === status && hasEndedUnpaid(row.to));

      expect(ends.map(({ to }) => to).sort()).toEqual(STATUS_NAMES.filter(hasEndedUnpaid).sort());
    },
  );

  // Spec, Initiate a transaction: "an auth challenge before a Pix payload is issued"
  test('has two ways to a Pix payload, both from AWAITING_MFA by a cleared challenge', () => {
    const ways = TRANSITIONS.filter((row) => row.to === 'AWAITING_PIX');

    expect(ways.map((row) => [row.from, row.trigger])).toEqual([
      ['AWAITING_MFA', 'MFA code accepted'],
      ['AWAITING_MFA', 'liveness completed'],
    ]);
    const paid = TRANSITIONS.filter((row) => row.to === 'PROCESSING');
    expect(paid.map((row) => row.from)).toEqual(['AWAITING_PIX']);
  });

  test('makes a purchase paid by one move only', () => {
    const isPaid = (status: Status | undefined) => status !== undefined && STATUSES[status].paid;
    const paying = TRANSITIONS.filter(({ from, to }) => isPaid(from) !== isPaid(to));

    expect(paying.map(({ trigger }) => trigger)).toEqual(['Pix payment detected']);
  });

  // Spec, Transaction states: "COMPLETED, FAILED and EXPIRED are terminal"
  test('lets nothing leave a terminal status', () => {
    expect(TRANSITIONS.filter((row) => row.from && TERMINAL.includes(row.from))).toEqual([]);
  });

  // Spec, Transaction states: "CREATED, AWAITING_MFA, AWAITING_PIX, PROCESSING, COMPLETED, FAILED, EXPIRED"
  test('reaches every status', () => {
    expect(new Set(TRANSITIONS.map((row) => row.to))).toEqual(new Set(STATUS_NAMES));
  });
});

describe('advance', () => {
  const pairs = STATUS_NAMES.flatMap((status) => TRIGGERS.map((trigger) => ({ status, trigger })));

  test.each(pairs)('on $trigger in $status makes the move of the table, or none', ({ status, trigger }) => {
    const row = TRANSITIONS.find((each) => each.from === status && each.trigger === trigger);

    const change = advance(inStatus(status), trigger, AT);

    expect(change?.set.status).toBe(row?.to);
    expect(change?.events.map((event) => event.type) ?? []).toEqual(row?.events ?? []);
  });

  test('names the version that it was computed from, so that a concurrent write is refused', () => {
    const change = advance(aTransaction({ sequence: 3 }), 'MFA code accepted', AT, issued());

    expect(change?.was).toEqual({ status: 'AWAITING_MFA', sequence: 3, isClaimed: false });
  });

  test('numbers events after the last announced event', () => {
    const change = advance(aTransaction({ sequence: 4 }), 'liveness completed', AT, issued());

    expect(change?.events.map((event) => event.sequence)).toEqual([5, 6]);
    expect(change?.events.map((event) => event.id)).toEqual([
      '01JD4G0000000000000000000A.5',
      '01JD4G0000000000000000000A.6',
    ]);
    expect(change?.set.sequence).toBe(6);
  });

  test('gives the wait for the Pix 30 minutes', () => {
    const change = advance(aTransaction(), 'MFA code accepted', AT, issued());

    expect(change?.set.expiresAt).toBe(NOW + 30 * MINUTE_MS);
    expect(change?.remove).not.toContain('expiresAt');
  });

  test('removes the deadline when no action from outside is expected', () => {
    const change = advance(inStatus('AWAITING_PIX'), 'Pix payment detected', AT, {
      payment: { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_00 },
    });

    expect(change?.remove).toContain('expiresAt');
    expect(change?.set.nextCheckAt).toBeGreaterThan(NOW);
  });

  test('keeps a failed purchase with the sweeper until its refund is done', () => {
    const refund = {
      status: 'PENDING',
      endToEndId: 'E1',
      amountCentavos: 250_00,
      reason: 'PAID_LATE',
    } as const;

    const change = advance(inStatus('PROCESSING'), 'payment refused', AT, failing(refund));

    expect(change?.set.nextCheckAt).toBeGreaterThan(NOW);
    expect(change?.remove).not.toContain('nextCheckAt');
  });

  test('removes a finished purchase from the sweeper', () => {
    const change = advance(inStatus('PROCESSING'), 'stablecoin settled on-chain', AT, { txHash: '0x1' });

    expect(change?.remove).toContain('nextCheckAt');
    expect(change?.set).not.toHaveProperty('nextCheckAt');
  });

  // Spec, Events: "transaction.completed: txHash, amount, walletAddress"
  // docs/decisions.md, "Facts that partners learn"
  test('announces a completion with hash, amount and wallet', () => {
    const change = advance(inStatus('PROCESSING'), 'stablecoin settled on-chain', AT, { txHash: '0xabc' });

    expect(change?.events[0]?.data).toEqual({
      transactionId: '01JD4G0000000000000000000A',
      status: 'COMPLETED',
      sequence: 1,
      txHash: '0xabc',
      amount: '45.566968',
      asset: 'USDC',
      amountBrl: 250,
      walletAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    });
  });

  test('never repeats a sequence number in any run of triggers', () => {
    const triggers = fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 20 });
    fc.assert(
      fc.property(triggers, (run) => {
        let transaction = aTransaction();
        const seen: number[] = [];
        for (const trigger of run) {
          const change = advance(transaction, trigger, AT);
          if (!change) continue;
          seen.push(...change.events.map((event) => event.sequence));
          transaction = withChange(transaction, change);
        }
        expect(seen).toEqual(seen.map((_, index) => index + 1));
        expect(transaction.history.at(-1)?.status).toBe(transaction.status);
      }),
    );
  });
});

describe('isPastDeadline', () => {
  test('is true from the deadline on', () => {
    const transaction = aTransaction({ expiresAt: NOW });

    expect(isPastDeadline(transaction, NOW - 1)).toBe(false);
    expect(isPastDeadline(transaction, NOW)).toBe(true);
    expect(isPastDeadline(aTransaction({ expiresAt: undefined }), NOW)).toBe(false);
  });
});

describe('isUnmatched', () => {
  const payment = { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_00 };

  const UNPAID: Record<Exclude<Status, PaidStatus>, boolean> = {
    CREATED: false,
    AWAITING_MFA: false,
    AWAITING_PIX: false,
    EXPIRED: true,
    CANCELED: true,
  };

  test.each(Object.entries(UNPAID) as [Status, boolean][])(
    'is for an unpaid purchase in %s: %s',
    (status, expected) => {
      expect(isUnmatched(aTransaction({ status }), 'E1')).toBe(expected);
    },
  );

  test.each(STATUS_NAMES.filter((status) => STATUSES[status].paid))(
    'is in %s true for every Pix except the payment',
    (status) => {
      expect(isUnmatched(aTransaction({ status, payment }), 'E1')).toBe(false);
      expect(isUnmatched(aTransaction({ status, payment }), 'E2')).toBe(true);
    },
  );
});

describe('requireOwn', () => {
  test('answers for another partner’s transaction as for an unknown one', () => {
    const transaction = aTransaction({ partnerId: 'demo' });

    expect(requireOwn(transaction, 'demo')).toBe(transaction);
    for (const found of [transaction, undefined]) {
      expect(() => requireOwn(found, 'other')).toThrowError(
        expect.objectContaining({ code: 'TRANSACTION_NOT_FOUND', details: {} }),
      );
    }
  });
});

describe('requireAwaitingMfa', () => {
  const CODES: Record<Status, ErrorCode | undefined> = {
    CREATED: 'INVALID_TRANSACTION_STATE',
    AWAITING_MFA: undefined,
    AWAITING_PIX: 'INVALID_TRANSACTION_STATE',
    PROCESSING: 'INVALID_TRANSACTION_STATE',
    COMPLETED: 'INVALID_TRANSACTION_STATE',
    FAILED: 'INVALID_TRANSACTION_STATE',
    EXPIRED: 'TRANSACTION_EXPIRED',
    CANCELED: 'INVALID_TRANSACTION_STATE',
  };
  const codeOf = (status: Status, expiresAt?: number): ErrorCode | undefined => {
    try {
      requireAwaitingMfa(aTransaction({ status, expiresAt }), NOW);
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
    return undefined;
  };

  test.each(STATUS_NAMES)('answers in %s by the status', (status) => {
    expect(codeOf(status, isOpen(status) ? NOW + 1 : undefined)).toBe(CODES[status]);
  });

  test('answers TRANSACTION_EXPIRED from the deadline on, before any time-out has run', () => {
    expect(codeOf('AWAITING_MFA', NOW)).toBe('TRANSACTION_EXPIRED');
  });
});

describe('isStuck', () => {
  const payment = { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_00 };
  const refund = { endToEndId: 'E1', amountCentavos: 250_00, reason: 'PAID_LATE' } as const;
  const paid = (changes: Partial<Transaction>) => aTransaction({ payment, ...changes });
  const hoursLater = (hours: number) => ({ now: NOW + hours * 60 * 60_000, minuteMs: 60_000 });

  test.each<[string, Transaction, boolean]>([
    ['still processed', paid({ status: 'PROCESSING' }), true],
    ['still being refunded', paid({ status: 'FAILED', refund: { ...refund, status: 'PENDING' } }), true],
    [
      'refunded',
      paid({ status: 'FAILED', refund: { ...refund, status: 'REFUNDED', refundedAt: NOW } }),
      false,
    ],
    [
      'not to be refunded by itself',
      paid({ status: 'FAILED', refund: { ...refund, status: 'FAILED' } }),
      false,
    ],
    ['failed with nothing left to refund', paid({ status: 'FAILED' }), false],
    ['completed', paid({ status: 'COMPLETED' }), false],
    ['not paid', aTransaction({ status: 'AWAITING_PIX' }), false],
  ])(
    'becomes true a day after the payment, or never, for a purchase that is %s',
    (_, transaction, isLate) => {
      expect(isStuck(transaction, hoursLater(23.9))).toBe(false);
      expect(isStuck(transaction, hoursLater(24))).toBe(isLate);
    },
  );
});
