/**
 * A return of money: the refund of a failed purchase, or the return of an unmatched payment. This file computes the ids
 * of its tries, and records how a try ended. It also tells our own returns from those that the provider made.
 * `return-state.ts` has the states, and `postings.ts` the postings.
 */
import { getDefined } from '../get.ts';
import { type Posting, postingsAdded } from '../ledger.ts';
import { brlOf } from '../money.ts';
import type { EventType } from '../partners/events.ts';
import type { Instant } from '../time.ts';
import { releasedBy } from './claim.ts';
import { type PixReturn, type ReceivedPix, takenBackOf } from './pix.ts';
import { postingsOf, postingsOfUnmatched } from './postings.ts';
import { type MadeReturn, type ReturnState, stateAfter, type TryEnd } from './return-state.ts';
import type { Paid, Transaction } from './transaction.ts';
import { type PurchaseChange, purchaseEvent, withChange } from './transitions.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/**
 * The row that a received Pix belongs to: the purchase that it pays, or its own row as an unmatched payment.
 */
export type Origin =
  | { kind: 'PURCHASE'; transaction: Paid }
  | { kind: 'UNMATCHED'; payment: UnmatchedPayment };

type Return = ReturnState & {
  endToEndId: string;
  amountCentavos: number;
  /** The id of the first try at the provider. It is computed from the row. */
  firstId: string;
};

/**
 * The return that the purchase or the unmatched payment requires. Undefined for a purchase without a refund.
 */
export function returnOf(origin: Origin): Return | undefined {
  if (origin.kind === 'UNMATCHED') {
    const { id: endToEndId, amountCentavos, refund } = origin.payment;
    return { ...refund, endToEndId, amountCentavos, firstId: `S${endToEndId}` };
  }
  const { id: firstId, refund } = origin.transaction;
  return refund && { ...refund, firstId };
}

/** Like `returnOf`, for an origin that certainly requires a return. Throws if it requires none. */
export const getReturn = (origin: Origin): Return => getDefined(returnOf(origin), 'return');

/** The postings that the row requires so far. */
export const postingsOfOrigin = (origin: Origin): Posting[] =>
  origin.kind === 'PURCHASE' ? postingsOf(origin.transaction) : postingsOfUnmatched(origin.payment);

/**
 * The ids of all tries of the return at the provider, computed from the row. The last one belongs to the
 * present try, or to the next one if none is running. Each try has its own id, because the provider never
 * opens an ended try again. A new id is used only after the end of the try before it was recorded.
 */
export function returnIdsOf({ firstId, tries = 0 }: Return): string[] {
  return Array.from({ length: tries + 1 }, (_, ended) => returnIdOf({ firstId, tries: ended }));
}

/** The id of the present try, or of the next one if none is running. */
export function returnIdOf({ firstId, tries = 0 }: Pick<Return, 'firstId' | 'tries'>): string {
  return tries === 0 ? firstId : `${firstId}R${tries}`;
}

/**
 * Whether an id has the form that `returnIdsOf` gives to the returns of this Pix. If so, this service has probably
 * made the return.
 */
export const hasOurForm = (id: string, { txid, endToEndId }: Pick<ReceivedPix, 'txid' | 'endToEndId'>) =>
  [txid, `S${endToEndId}`].some(
    (first) => first && id.startsWith(first) && /^(R\d+)?$/.test(id.slice(first.length)),
  );

/**
 * Whether the provider made this return without our request, and has sent the money. False while the return
 * is pending or if it failed.
 */
export function isForeign(origin: Origin, { id, status }: PixReturn): boolean {
  const wanted = returnOf(origin);
  return status === 'REFUNDED' && !(wanted && returnIdsOf(wanted).includes(id));
}

/**
 * Whether the provider has already returned money of this Pix without our request, and less is left than our
 * return needs. False if the row requires no return, or if the amount of such a return is unknown.
 */
export function isTakenAlready(origin: Origin, { amountCentavos, returns = [] }: ReceivedPix): boolean {
  const taken = takenBackOf(returns.filter((each) => isForeign(origin, each)));
  const wanted = returnOf(origin);
  return wanted !== undefined && taken !== undefined && amountCentavos - taken < wanted.amountCentavos;
}

/**
 * The change that records the end of one try of a refund, with its event. Undefined if no refund is pending. The
 * purchase stays `FAILED`. `made` names the return if it was made.
 */
export function recordRefund(
  transaction: Transaction,
  end: TryEnd,
  at: Instant,
  made?: MadeReturn,
): PurchaseChange | undefined {
  const { id, status, refund } = transaction;
  if (refund?.status !== 'PENDING') return undefined;
  const sequence = transaction.sequence + 1;
  const set = { refund: stateAfter(refund, end, at, made), sequence };
  const next = withChange(transaction, { set });
  return {
    id,
    was: { status, sequence: transaction.sequence, refundTries: refund.tries ?? 0 },
    set,
    remove: set.refund.status === 'PENDING' ? [] : ['nextCheckAt'],
    events: [purchaseEvent(next, REFUND_EVENTS[set.refund.status], sequence, at.now)],
    postings: postingsAdded(postingsOf(transaction), postingsOf(next)),
    released: releasedBy(transaction, next),
  };
}

/** For each state of the refund after a try: the event that the try causes. */
const REFUND_EVENTS = {
  PENDING: 'transaction.refund_delayed',
  REFUNDED: 'transaction.refunded',
  FAILED: 'transaction.refund_failed',
} as const satisfies Record<ReturnState['status'], EventType>;

/**
 * A change of an unmatched payment. It is written only if the return is still pending and no other write has
 * ended the same try.
 */
export type UnmatchedChange = {
  was: UnmatchedPayment;
  next: UnmatchedPayment;
  at: number;
  postings: Posting[];
  /**
   * The event for the partner of the purchase that the txid names. The same write saves it, and gives it the
   * next sequence number of that purchase.
   */
  announcement?: PurchaseChange;
};

/**
 * The change that records the end of one try to return an unmatched payment. Undefined if no return is pending.
 * `transaction` is the purchase that the payment's txid names. If it is given, a success is announced to its partner.
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

function announcementOf(payment: UnmatchedPayment, transaction: Transaction, now: number): PurchaseChange {
  const { id, status } = transaction;
  const sequence = transaction.sequence + 1;
  const event = purchaseEvent(transaction, 'transaction.pix_returned', sequence, now);
  const { id: endToEndId, amountCentavos, reason } = payment;
  const returned = { endToEndId, amountBrl: brlOf(amountCentavos), reason };
  const was = { status, sequence: transaction.sequence };
  const events = [{ ...event, data: { ...event.data, returned } }];
  return { id, was, set: { sequence }, remove: [], events, postings: [] };
}
