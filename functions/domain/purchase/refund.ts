import { postingsAdded, postingsOf } from '../ledger.ts';
import { type Change, eventOf, type FailureReason, type Instant, type Transaction } from './transaction.ts';

export type Refund = {
  status: 'PENDING' | 'REFUNDED' | 'FAILED';
  endToEndId: string;
  amountCentavos: number;
  reason: FailureReason;
  /** How often the provider ended it without sending anything; absent before the first time. */
  tries?: number;
  /** No new try before this instant. */
  nextTryAt?: number;
  /** When its success was recorded. */
  refundedAt?: number;
};

/** Minutes before each new try of a refund that the provider ended without sending it, over more than two days. */
export const REFUND_RETRY_MINUTES = [1, 10, 60, 360, 1440, 1440] as const;

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
