import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isOver,
  isStray,
  isStuck,
  requireAwaitingMfa,
  requireOwn,
  STATUSES,
  type Status,
  TERMINAL,
  type Transaction,
} from '../../functions/domain/purchase/transaction.ts';
import { advance, TRANSITIONS, type Trigger } from '../../functions/domain/purchase/transitions.ts';
import { AT, aTransaction, MINUTE_MS, NOW } from '../support/builders.ts';

const TRIGGERS = [...new Set(TRANSITIONS.map((row) => row.trigger))];

/** The specification's table, typed in again from its text, with the events that we add: the code must say the same. */
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
  test('has every row of the specification, in its words', () => {
    const rows = TRANSITIONS.filter((row) => !('ours' in row));

    expect(rows.map((row) => [row.from, row.trigger, row.to, row.events])).toEqual(SPECIFIED);
  });

  test('adds only failures of a paid purchase', () => {
    const ours = TRANSITIONS.filter((row) => 'ours' in row);

    expect(ours.map((row) => [row.from, row.to])).toEqual([
      ['PROCESSING', 'FAILED'],
      ['PROCESSING', 'FAILED'],
      ['PROCESSING', 'FAILED'],
    ]);
  });

  test('has two ways to a Pix payload, each from AWAITING_MFA by a cleared challenge', () => {
    const ways = TRANSITIONS.filter((row) => row.to === 'AWAITING_PIX');

    expect(ways.map((row) => [row.from, row.trigger])).toEqual([
      ['AWAITING_MFA', 'MFA code accepted'],
      ['AWAITING_MFA', 'liveness completed'],
    ]);
    const paid = TRANSITIONS.filter((row) => row.to === 'PROCESSING');
    expect(paid.map((row) => row.from)).toEqual(['AWAITING_PIX']);
  });

  test('lets nothing leave a terminal status', () => {
    expect(TRANSITIONS.filter((row) => row.from && TERMINAL.includes(row.from))).toEqual([]);
  });

  test('reaches every status', () => {
    expect(new Set(TRANSITIONS.map((row) => row.to))).toEqual(new Set(STATUSES));
  });
});

describe('advance', () => {
  const pairs = STATUSES.flatMap((status) => TRIGGERS.map((trigger) => ({ status, trigger })));

  test.each(pairs)('on $trigger in $status makes the table’s move or none', ({ status, trigger }) => {
    const row = TRANSITIONS.find((each) => each.from === status && each.trigger === trigger);

    const change = advance(inStatus(status), trigger, AT);

    expect(change?.set.status).toBe(row?.to);
    expect(change?.events.map((event) => event.type) ?? []).toEqual(row?.events ?? []);
  });

  test('names what it was computed from, so that a racer’s write is refused', () => {
    const change = advance(aTransaction({ sequence: 3 }), 'MFA code accepted', AT);

    expect(change?.was).toEqual({ status: 'AWAITING_MFA', sequence: 3 });
  });

  test('numbers its events after the last one announced', () => {
    const change = advance(aTransaction({ sequence: 4 }), 'liveness completed', AT);

    expect(change?.events.map((event) => event.sequence)).toEqual([5, 6]);
    expect(change?.events.map((event) => event.id)).toEqual([
      '01JD4G0000000000000000000A.5',
      '01JD4G0000000000000000000A.6',
    ]);
    expect(change?.set.sequence).toBe(6);
  });

  test('gives the Pix wait its 30 minutes', () => {
    const change = advance(aTransaction(), 'MFA code accepted', AT);

    expect(change?.set.expiresAt).toBe(NOW + 30 * MINUTE_MS);
    expect(change?.remove).not.toContain('expiresAt');
  });

  test('takes the deadline away once nobody outside is waited for', () => {
    const change = advance(inStatus('AWAITING_PIX'), 'Pix payment detected', AT);

    expect(change?.remove).toContain('expiresAt');
    expect(change?.set.nextCheckAt).toBeGreaterThan(NOW);
  });

  test('leaves a failed purchase with the sweeper until its refund is done', () => {
    const refund = {
      status: 'PENDING',
      endToEndId: 'E1',
      amountCentavos: 250_00,
      reason: 'PAID_LATE',
    } as const;

    const change = advance(inStatus('PROCESSING'), 'payment refused', AT, { refund });

    expect(change?.set.nextCheckAt).toBeGreaterThan(NOW);
    expect(change?.remove).not.toContain('nextCheckAt');
  });

  test('takes a finished purchase out of the sweeper’s sight', () => {
    const change = advance(inStatus('PROCESSING'), 'stablecoin settled on-chain', AT, { txHash: '0x1' });

    expect(change?.remove).toContain('nextCheckAt');
    expect(change?.set).not.toHaveProperty('nextCheckAt');
  });

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

  test('never repeats a sequence number over any run of triggers', () => {
    const triggers = fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 20 });
    fc.assert(
      fc.property(triggers, (run) => {
        let transaction = aTransaction();
        const seen: number[] = [];
        for (const trigger of run) {
          const change = advance(transaction, trigger, AT);
          if (!change) continue;
          seen.push(...change.events.map((event) => event.sequence));
          transaction = { ...transaction, ...change.set };
        }
        expect(seen).toEqual(seen.map((_, index) => index + 1));
        expect(transaction.history.at(-1)?.status).toBe(transaction.status);
      }),
    );
  });
});

describe('isOver', () => {
  test('begins with the deadline itself', () => {
    const transaction = aTransaction({ expiresAt: NOW });

    expect(isOver(transaction, NOW - 1)).toBe(false);
    expect(isOver(transaction, NOW)).toBe(true);
    expect(isOver(aTransaction({ expiresAt: undefined }), NOW)).toBe(false);
  });
});

describe('isStray', () => {
  const payment = { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_00 };

  test.each([
    ['CREATED', undefined, false],
    ['AWAITING_MFA', undefined, false],
    ['AWAITING_PIX', undefined, false],
    ['EXPIRED', undefined, true],
    ['PROCESSING', payment, false],
    ['COMPLETED', payment, false],
    ['FAILED', payment, false],
    ['PROCESSING', { ...payment, endToEndId: 'E2' }, true],
    ['COMPLETED', { ...payment, endToEndId: 'E2' }, true],
    ['FAILED', { ...payment, endToEndId: 'E2' }, true],
  ] as const)('in %s paid by %j is %s of E1', (status, paidBy, expected) => {
    expect(isStray(aTransaction({ status, payment: paidBy }), 'E1')).toBe(expected);
  });
});

describe('requireOwn', () => {
  test('answers another partner’s transaction as an unknown one', () => {
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
  test.each([
    ['AWAITING_MFA', NOW + 1, undefined],
    ['AWAITING_MFA', NOW, 'TRANSACTION_EXPIRED'],
    ['EXPIRED', undefined, 'TRANSACTION_EXPIRED'],
    ['CREATED', NOW + 1, 'INVALID_TRANSACTION_STATE'],
    ['AWAITING_PIX', NOW + 1, 'INVALID_TRANSACTION_STATE'],
    ['PROCESSING', undefined, 'INVALID_TRANSACTION_STATE'],
    ['COMPLETED', undefined, 'INVALID_TRANSACTION_STATE'],
    ['FAILED', undefined, 'INVALID_TRANSACTION_STATE'],
  ] as const)('in %s with its deadline at %s answers %s', (status, expiresAt, code) => {
    const act = () => requireAwaitingMfa(aTransaction({ status, expiresAt }), NOW);

    if (code) expect(act).toThrowError(expect.objectContaining({ code }));
    else expect(act).not.toThrow();
  });
});

describe('isStuck', () => {
  const payment = { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_00 };
  const refund = { endToEndId: 'E1', amountCentavos: 250_00, reason: 'PAID_LATE' } as const;
  const paid = (changes: Partial<Transaction>) => aTransaction({ payment, ...changes });
  const hoursLater = (hours: number) => ({ now: NOW + hours * 60 * 60_000, minuteMs: 60_000 });

  test.each<[string, Transaction, boolean]>([
    ['processed', paid({ status: 'PROCESSING' }), true],
    ['refunded still', paid({ status: 'FAILED', refund: { ...refund, status: 'PENDING' } }), true],
    ['refunded', paid({ status: 'FAILED', refund: { ...refund, status: 'REFUNDED' } }), false],
    [
      'not to be refunded by itself',
      paid({ status: 'FAILED', refund: { ...refund, status: 'FAILED' } }),
      false,
    ],
    ['failed with nothing left to refund', paid({ status: 'FAILED' }), false],
    ['completed', paid({ status: 'COMPLETED' }), false],
    ['not paid', aTransaction({ status: 'AWAITING_PIX' }), false],
  ])('of one that is %s begins a day after its payment, or never', (_, transaction, isLate) => {
    expect(isStuck(transaction, hoursLater(23.9))).toBe(false);
    expect(isStuck(transaction, hoursLater(24))).toBe(isLate);
  });
});
