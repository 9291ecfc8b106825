import { move, type Posting, postingOf, postingsAdded } from '../ledger.ts';
import { AMOUNT_LIMITS_CENTAVOS, brlOf } from '../money.ts';
import type { DomainEvent } from '../partners/events.ts';
import type { Instant } from '../time.ts';
import type { ReceivedPix } from './pix.ts';
import { type Status, TERMINAL } from './status.ts';
import { REFUND_RETRY_MINUTES, type Refund, STUCK_AFTER_MINUTES, type Transaction } from './transaction.ts';

/** Why a Pix is no purchase's payment: docs/decisions.md, "Pix that are no purchase's payment". */
export type StrayReason = 'PAID_TWICE' | 'PAID_LATE' | 'UNKNOWN_TXID' | 'NO_TXID';

/** A Pix that goes back, or waits for a person. Nothing in it says who paid. Instants are epoch milliseconds. */
export type StrayPix = {
  /** The Pix's end-to-end id, so that one Pix has one row. */
  id: string;
  reason: StrayReason;
  amountCentavos: number;
  paidAt: number;
  foundAt: number;
  /** Only where it has the form of a charge's: a free text of the payer may be anything. */
  txid?: string;
  transactionId?: string;
  partnerId?: string;
  /** `FAILED` without `tries` was never asked for: only a person can say whether it may go back. */
  refund: Pick<Refund, 'status' | 'tries' | 'nextTryAt' | 'refundedAt'>;
  /** How often the provider refused the request itself; the refund keeps its id then. */
  faults?: number;
  /** When somebody looks at it again; absent once nothing is left to do by itself. */
  nextCheckAt?: number;
};

/** What to write where the row is still as it was, with the news for the partner and what it posts, all or nothing. */
export type StrayChange = {
  id: string;
  /** The tries that had ended before; the refund is `PENDING`. */
  wasTries: number;
  set: Partial<StrayPix>;
  at: number;
  postings: Posting[];
  announcement?: { was: { id: string; status: Status; sequence: number }; event: DomainEvent };
};

/**
 * Less than any purchase costs, so nobody waits for tokens for it. It costs its sender next to nothing, also where it cannot
 * go back; more than that, a flood of what cannot go back costs its sender a fortune.
 */
export function isDust(amountCentavos: number | undefined): boolean {
  return amountCentavos !== undefined && amountCentavos < AMOUNT_LIMITS_CENTAVOS.minimum;
}

/** Of an immediate charge, by API Pix 2.9. */
const CHARGE_TXID = /^[a-zA-Z0-9]{26,35}$/;

export function isChargeTxid(txid: string | undefined): txid is string {
  return txid !== undefined && CHARGE_TXID.test(txid);
}

type Origin = {
  /** The purchase that the txid names. */
  transaction?: Transaction;
  /** Whether it may go back without a person's word. */
  mayReturn: boolean;
};

export function newStray(pix: ReceivedPix, { transaction, mayReturn }: Origin, now: number): StrayPix {
  const { endToEndId, txid, amountCentavos, paidAt } = pix;
  return {
    ...{ id: endToEndId, reason: reasonOf(pix, transaction), amountCentavos, paidAt, foundAt: now },
    ...(isChargeTxid(txid) && { txid }),
    ...(transaction && { transactionId: transaction.id, partnerId: transaction.partnerId }),
    refund: { status: mayReturn ? 'PENDING' : 'FAILED' },
    ...(mayReturn && { nextCheckAt: now }),
  };
}

function reasonOf({ txid }: ReceivedPix, transaction: Transaction | undefined): StrayReason {
  if (transaction) return transaction.payment ? 'PAID_TWICE' : 'PAID_LATE';
  return txid ? 'UNKNOWN_TXID' : 'NO_TXID';
}

/** The id of the refund's present try: a new one only after the end of the last was recorded. */
export function strayRefundIdOf({ id, refund }: StrayPix): string {
  return refund.tries ? `S${id}R${refund.tries}` : `S${id}`;
}

/**
 * Whether the end of a return can be told. A purchase that still moves is left alone: its own moves depend on its
 * sequence, and the refusal of one must mean what it meant before.
 */
export function isTellable(transaction: Transaction | undefined): boolean {
  return transaction === undefined || TERMINAL.includes(transaction.status);
}

/** The end of one try, as of `recordRefund`. A success is announced where it is a purchase's; what a person must do is not. */
export function recordReturn(
  stray: StrayPix,
  outcome: 'REFUNDED' | 'FAILED' | 'IMPOSSIBLE',
  at: Instant,
  transaction?: Transaction,
): StrayChange | undefined {
  if (stray.refund.status !== 'PENDING') return undefined;
  const wasTries = stray.refund.tries ?? 0;
  const change = { id: stray.id, wasTries, at: at.now, postings: [] };
  if (outcome === 'FAILED') return { ...change, set: afterRefusal(wasTries + 1, at) };
  if (outcome === 'IMPOSSIBLE') return { ...change, set: { refund: { ...stray.refund, status: 'FAILED' } } };
  const returned = { ...stray, refund: { ...stray.refund, status: 'REFUNDED', refundedAt: at.now } as const };
  const postings = postingsAdded(postingsOfStray(stray), postingsOfStray(returned));
  const set: StrayChange['set'] = { refund: returned.refund };
  if (!transaction) return { ...change, postings, set };
  const { id, status, sequence } = transaction;
  const event = returnedEvent(stray, transaction, at.now);
  return { ...change, postings, set, announcement: { was: { id, status, sequence }, event } };
}

function afterRefusal(tries: number, at: Instant): StrayChange['set'] {
  const minutes = REFUND_RETRY_MINUTES[tries - 1];
  if (minutes === undefined) return { refund: { status: 'FAILED', tries } };
  const nextTryAt = at.now + minutes * at.minuteMs;
  return { refund: { status: 'PENDING', tries, nextTryAt }, nextCheckAt: nextTryAt };
}

/** As `isStuck` of a purchase. */
export function isReturnStuck({ refund, foundAt }: StrayPix, { now, minuteMs }: Instant): boolean {
  return refund.status === 'PENDING' && now - foundAt >= STUCK_AFTER_MINUTES * minuteMs;
}

/** When a request that the provider refuses is made again, under the same id. */
export function nextAfterFault(faults: number, at: Instant): number {
  const minutes = REFUND_RETRY_MINUTES[faults - 1] ?? REFUND_RETRY_MINUTES.at(-1)!;
  return at.now + minutes * at.minuteMs;
}

function returnedEvent(stray: StrayPix, transaction: Transaction, now: number): DomainEvent {
  const { id: transactionId, partnerId, status } = transaction;
  const sequence = transaction.sequence + 1;
  const returned = {
    ...{ endToEndId: stray.id, amountBrl: brlOf(stray.amountCentavos), reason: stray.reason },
  };
  return {
    ...{ id: `${transactionId}.${sequence}`, partnerId, type: 'transaction.pix_returned', sequence, at: now },
    data: { transactionId, status, sequence, returned },
  };
}

/** What a Pix that is no purchase's payment has moved so far, as `postingsOf`. */
export function postingsOfStray(stray: StrayPix): Posting[] {
  const { id: endToEndId, transactionId, amountCentavos, paidAt, foundAt, refund } = stray;
  const origin = { endToEndId, ...(transactionId !== undefined && { transactionId }) };
  const received = move('BRL', amountCentavos, { debit: 'pix', credit: 'strays' });
  const postings = [postingOf(endToEndId, 'STRAY_RECEIVED', paidAt, { ...origin, entries: received })];
  if (refund.status === 'REFUNDED') {
    const entries = move('BRL', amountCentavos, { debit: 'strays', credit: 'pix' });
    const at = refund.refundedAt ?? foundAt;
    postings.push(postingOf(endToEndId, 'STRAY_RETURNED', at, { ...origin, entries }));
  }
  return postings;
}
