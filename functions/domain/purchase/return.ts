/**
 * A return of money: the refund of a purchase that failed, or the return of an unmatched payment. This file makes the
 * ids of its tries and records how a try ended. It also tells the provider's own returns from ours.
 * `return-state.ts` has the states of a try, and `postings.ts` the postings.
 */
import { getDefined } from '../get.ts';
import { type Posting, postingsAdded } from '../ledger.ts';
import { brlOf } from '../money.ts';
import type { EventType } from '../partners/events.ts';
import type { Instant } from '../time.ts';
import { releasedBy } from './claim.ts';
import { type PixReturn, type ReceivedPix, takenBackOf } from './pix.ts';
import { postingsOf, postingsOfUnmatched } from './postings.ts';
import { type ReturnState, stateAfter, type TryEnd } from './return-state.ts';
import type { Paid, Transaction } from './transaction.ts';
import { type Change, eventOf } from './transitions.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/** The row that a received Pix belongs to. */
export type Origin =
  | { kind: 'PURCHASE'; transaction: Paid }
  | { kind: 'UNMATCHED'; payment: UnmatchedPayment };

export type Return = ReturnState & {
  endToEndId: string;
  amountCentavos: number;
  /** The id of its first try at the provider, which follows from the row. */
  firstId: string;
};

/** The return that the row asks for; undefined for a purchase without a refund. */
export function returnOf(origin: Origin): Return | undefined {
  if (origin.kind === 'UNMATCHED') {
    const { id: endToEndId, amountCentavos, refund } = origin.payment;
    return { ...refund, endToEndId, amountCentavos, firstId: `S${endToEndId}` };
  }
  const { id: firstId, refund } = origin.transaction;
  return refund && { ...refund, firstId };
}

/** The return of a row that is known to ask for one. */
export const getReturn = (origin: Origin): Return => getDefined(returnOf(origin), 'return');

/** The postings of the row so far. */
export const postingsOfOrigin = (origin: Origin): Posting[] =>
  origin.kind === 'PURCHASE' ? postingsOf(origin.transaction) : postingsOfUnmatched(origin.payment);

/**
 * The ids of all tries of the return at the provider. The last id belongs to the present try, or to the next one. An
 * id that has ended stays ended at the provider, so each try has its own. The ids follow from the row: a new id is
 * used only after the end of the last try was recorded.
 */
export function idsOf({ firstId, tries = 0 }: Return): string[] {
  return Array.from({ length: tries + 1 }, (_, ended) => idOf({ firstId, tries: ended }));
}

/** The id of the present try, or of the next one. */
export function idOf({ firstId, tries = 0 }: Pick<Return, 'firstId' | 'tries'>): string {
  return tries === 0 ? firstId : `${firstId}R${tries}`;
}

/** Whether the id of a return has the form that `idsOf` gives to a return of this Pix. */
export const hasOurForm = (id: string, { txid, endToEndId }: Pick<ReceivedPix, 'txid' | 'endToEndId'>) =>
  [txid, `S${endToEndId}`].some(
    (first) => first && id.startsWith(first) && /^(R\d+)?$/.test(id.slice(first.length)),
  );

/**
 * Whether money went back under an id that is not of the row's own return. A return that is not done has moved no
 * money.
 */
export function isForeign(origin: Origin, { id, status }: PixReturn): boolean {
  const wanted = returnOf(origin);
  return status === 'REFUNDED' && !(wanted && idsOf(wanted).includes(id));
}

/**
 * Whether the provider has itself taken back so much that the rest is less than the return. False also if the row
 * asks for no return, or if the amount of a return is unknown.
 */
export function isTakenAlready(origin: Origin, { amountCentavos, returns = [] }: ReceivedPix): boolean {
  const taken = takenBackOf(returns.filter((each) => isForeign(origin, each)));
  const wanted = returnOf(origin);
  return wanted !== undefined && taken !== undefined && amountCentavos - taken < wanted.amountCentavos;
}

/**
 * The end of one try of a purchase's refund, and its event. Undefined if no refund is pending. The status of the
 * purchase stays `FAILED`.
 */
export function recordRefund(transaction: Transaction, end: TryEnd, at: Instant): Change | undefined {
  const { id, status, refund } = transaction;
  if (refund?.status !== 'PENDING') return undefined;
  const sequence = transaction.sequence + 1;
  const set = { refund: stateAfter(refund, end, at), sequence };
  const next = { ...transaction, ...set };
  return {
    id,
    was: { status, sequence: transaction.sequence, refundTries: refund.tries ?? 0 },
    set,
    remove: set.refund.status === 'PENDING' ? [] : ['nextCheckAt'],
    events: [eventOf(next, REFUND_EVENTS[set.refund.status], sequence, at.now)],
    postings: postingsAdded(postingsOf(transaction), postingsOf(next)),
    released: releasedBy(transaction, next),
  };
}

/** The event of a try, by the state of the refund after it. */
const REFUND_EVENTS = {
  PENDING: 'transaction.refund_delayed',
  REFUNDED: 'transaction.refunded',
  FAILED: 'transaction.refund_failed',
} as const satisfies Record<ReturnState['status'], EventType>;

/** A row as it was and as it becomes. It is written only if the row is still as it was. */
export type UnmatchedChange = {
  was: UnmatchedPayment;
  next: UnmatchedPayment;
  at: number;
  postings: Posting[];
  /** The event for the partner, under the next sequence of the purchase. It is part of the same write. */
  announcement?: Change;
};

/**
 * The end of one try to return an unmatched payment. Undefined if its return is not pending. A success is announced
 * if `transaction` is given: the purchase that the payment's txid names.
 */
export function recordReturn(
  was: UnmatchedPayment,
  end: TryEnd,
  at: Instant,
  transaction?: Transaction,
): UnmatchedChange | undefined {
  if (was.refund.status !== 'PENDING') return undefined;
  const refund = stateAfter(was.refund, end, at);
  const next = { ...was, refund, nextCheckAt: refund.status === 'PENDING' ? refund.nextTryAt : undefined };
  const postings = postingsAdded(postingsOfUnmatched(was), postingsOfUnmatched(next));
  const change = { was, next, at: at.now, postings };
  if (end !== 'REFUNDED' || !transaction) return change;
  return { ...change, announcement: announcementOf(was, transaction, at.now) };
}

function announcementOf(payment: UnmatchedPayment, transaction: Transaction, now: number): Change {
  const { id, status } = transaction;
  const sequence = transaction.sequence + 1;
  const event = eventOf(transaction, 'transaction.pix_returned', sequence, now);
  const { id: endToEndId, amountCentavos, reason } = payment;
  const returned = { endToEndId, amountBrl: brlOf(amountCentavos), reason };
  const was = { status, sequence: transaction.sequence };
  const events = [{ ...event, data: { ...event.data, returned } }];
  return { id, was, set: { sequence }, remove: [], events, postings: [] };
}
