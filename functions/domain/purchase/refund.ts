import { postingsAdded } from '../ledger.ts';
import type { Instant } from '../time.ts';
import { postingsOf } from './postings.ts';
import { REFUND_RETRY_MINUTES, type Refund, type Transaction } from './transaction.ts';
import { type Change, eventOf } from './transitions.ts';

const REFUSALS_OF_AN_HOUR = 3;
/**
 * Whether a person should hear of it though it is tried again: refused for more than an hour, it may be our own account that
 * cannot pay. Earlier it is most often the payer's, who may have closed it on purpose.
 */
export const isRefusedLong = (tries: number): boolean => tries > REFUSALS_OF_AN_HOUR;

/**
 * The id of the refund's present try at the provider: an id that ended stays ended there. It follows from the row,
 * so a new one is used only after the end of the last was recorded.
 */
export function refundIdOf({ id, refund }: Transaction): string {
  return refund?.tries ? `${id}R${refund.tries}` : id;
}

/**
 * The outcome of one try of the refund: the status stays `FAILED`, a success is announced. `IMPOSSIBLE` is one that no try
 * can ever make.
 */
export function recordRefund(
  transaction: Transaction,
  outcome: 'REFUNDED' | 'FAILED' | 'IMPOSSIBLE',
  at: Instant,
): Change | undefined {
  const { refund } = transaction;
  if (refund?.status !== 'PENDING') return undefined;
  const events = outcome === 'REFUNDED' ? (['transaction.refunded'] as const) : [];
  const set = {
    refund: refundAfter(refund, outcome, at),
    sequence: transaction.sequence + events.length,
  };
  const next = { ...transaction, ...set };
  return {
    id: transaction.id,
    was: { status: transaction.status, sequence: transaction.sequence, refundTries: refund.tries ?? 0 },
    set,
    remove: set.refund.status === 'PENDING' ? [] : ['nextCheckAt'],
    events: events.map((type) => eventOf(next, type, set.sequence, at.now)),
    postings: postingsAdded(postingsOf(transaction), postingsOf(next)),
  };
}

function refundAfter(refund: Refund, outcome: 'REFUNDED' | 'FAILED' | 'IMPOSSIBLE', at: Instant): Refund {
  if (outcome === 'REFUNDED') return { ...refund, status: outcome, refundedAt: at.now };
  return outcome === 'FAILED' ? afterRefusal(refund, at) : { ...refund, status: 'FAILED' };
}

function afterRefusal(refund: Refund, at: Instant): Refund {
  const tries = (refund.tries ?? 0) + 1;
  const minutes = REFUND_RETRY_MINUTES[tries - 1];
  if (minutes === undefined) return { ...refund, tries, status: 'FAILED' };
  return { ...refund, tries, nextTryAt: at.now + minutes * at.minuteMs };
}
