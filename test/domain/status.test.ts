import { describe, expect, test } from 'vitest';
import {
  hasEndedUnpaid,
  isBeingSettled,
  isOpen,
  STATUS_NAMES,
  STATUSES,
  type Status,
  TERMINAL,
} from '../../functions/domain/purchase/status.ts';

/** The phase of a purchase's life of each status. A status belongs to one phase. */
const PHASES: Record<Status, string[]> = {
  CREATED: ['open'],
  AWAITING_MFA: ['open'],
  AWAITING_PIX: ['open'],
  PROCESSING: ['being settled'],
  COMPLETED: ['delivered'],
  FAILED: ['ended, paid'],
  EXPIRED: ['ended unpaid'],
  CANCELED: ['ended unpaid'],
};

describe('a status', () => {
  test.each(STATUS_NAMES)('%s belongs to one phase', (status) => {
    const isDelivered = STATUSES[status].tokens === 'DELIVERED';
    const phases = [
      isOpen(status) && 'open',
      isBeingSettled(status) && 'being settled',
      isDelivered && 'delivered',
      TERMINAL.includes(status) && STATUSES[status].paid && !isDelivered && 'ended, paid',
      hasEndedUnpaid(status) && 'ended unpaid',
    ];

    expect(phases.filter((phase) => phase !== false)).toEqual(PHASES[status]);
  });

  test.each(STATUS_NAMES)('%s has facts that do not contradict each other', (status) => {
    const { terminal, paid, chargeMayBeOpen, tokens } = STATUSES[status];

    if (chargeMayBeOpen) expect([terminal, paid]).toEqual([false, false]);
    if (tokens === 'DELIVERED') expect([terminal, paid]).toEqual([true, true]);
    if (terminal) expect(['DELIVERED', 'NONE']).toContain(tokens);
  });

  test('is terminal as the specification says, or as a decision of ours', () => {
    expect(TERMINAL).toEqual(['COMPLETED', 'FAILED', 'EXPIRED', 'CANCELED']);
  });
});
