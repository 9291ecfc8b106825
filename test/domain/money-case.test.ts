import { describe, expect, it } from 'vitest';
import {
  blocksClient,
  isClosedSo,
  medDeadline,
  moneyCaseId,
  openMoneyCase,
} from '../../functions/domain/books/money-case.ts';
import { aMoneyCase, CASE_FACTS } from '../support/money-cases.ts';

const AT = Date.UTC(2026, 10, 20, 12);

describe('a case of money', () => {
  // docs/decisions.md, "The books"
  it('is named by its kind and its subject, so one discrepancy is one case', () => {
    const opened = openMoneyCase({
      kind: 'TRANSFER_UNKNOWN',
      key: '0xabc:3',
      openedAt: AT,
      facts: CASE_FACTS.TRANSFER_UNKNOWN,
    });

    expect(opened).toEqual({
      id: 'TRANSFER_UNKNOWN#0xabc:3',
      kind: 'TRANSFER_UNKNOWN',
      status: 'OPEN',
      openedAt: AT,
      facts: CASE_FACTS.TRANSFER_UNKNOWN,
    });
    expect(moneyCaseId('MED_REFUND', 'E1#D1')).toBe('MED_REFUND#E1#D1');
  });

  it('must be decided within seven days of the refund for a MED refund', () => {
    expect(new Date(medDeadline(AT)).toISOString()).toBe('2026-11-27T12:00:00.000Z');
  });

  it.each([
    { kind: 'MED_REFUND', clientId: 'c', blocks: true },
    { kind: 'MED_REFUND', clientId: undefined, blocks: false },
    { kind: 'REFUND_FAILED', clientId: 'c', blocks: false },
  ] as const)('$kind of the client $clientId blocks: $blocks', ({ kind, clientId, blocks }) => {
    expect(blocksClient({ kind, clientId })).toBe(blocks);
  });

  it('distinguishes its own closing from that of another person', () => {
    const closing = { by: 'ana', at: AT, reason: 'paid by hand', outcome: 'RETURNED' } as const;
    const open = aMoneyCase('UNMATCHED_LEFT', 'E1');

    expect(isClosedSo(open, closing)).toBe(false);
    expect(isClosedSo({ ...open, status: 'CLOSED', closed: closing }, closing)).toBe(true);
    expect(isClosedSo({ ...open, status: 'CLOSED', closed: { ...closing, by: 'rui' } }, closing)).toBe(false);
  });
});
