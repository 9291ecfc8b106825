import type { Asset } from '../assets.ts';
import { refuse } from '../errors.ts';
import { getDefined } from '../get.ts';
import type { Liveness } from '../kyc/identity.ts';
import type { KycRecord, RiskTier } from '../kyc/kyc.ts';
import type { Quote } from '../money.ts';
import type { Instant } from '../time.ts';
import type { Challenge } from './challenge.ts';
import type { Claim } from './charge-limits.ts';
import type { FailureReason } from './return-reasons.ts';
import type { ReturnState } from './return-state.ts';
import { isBeingSettled, isOpen, type Status } from './status.ts';

/** Spec, "Limits". A test requires that the time limits of the state machine are the same. */
export const MFA_WINDOW_MINUTES = 15;
export const PIX_WINDOW_MINUTES = 30;

/** The charge at the payment provider, as it was issued. */
export type IssuedPix = { payload: string; expiresAt: number };

/** The received Pix that pays a purchase. */
export type Payment = { endToEndId: string; paidAt: number; amountCentavos: number };

/** One purchase. Instants are epoch milliseconds. `id` is also the txid and the name of the first execution. */
export type Transaction = {
  id: string;
  partnerId: string;
  clientId: string;
  /** Keyed hash of the CPF, the same at all partners. Older rows lack it. */
  personId?: string;
  kycToken: string;
  /** The partner's own reference, unique among its purchases. */
  externalId?: string;
  /** The partner's own entries: ciphertext of their JSON, bound to the id. */
  metadataCipher?: string;
  /** Where the liveness page leads the client back to, without the purchase's id. */
  returnUrl?: string;
  model: KycRecord['model'];
  riskTier: RiskTier;
  status: Status;
  asset: Asset;
  amountCentavos: number;
  walletAddress: string;
  challenge: Challenge;
  quote: Quote;
  /** Set if `quote` is the price of a quote. The charge must be made before `until`. */
  rateLock?: { quoteId: string; until: number };
  /**
   * The number of TOTP codes tried. The service counts a try before it checks the code. It takes a try back if it did
   * not check the code, or if the code was not at fault.
   */
  mfaAttempts: number;
  liveness?: Liveness;
  /** The claim on the client's limits, written before the charge is made. It stays. */
  claim?: Claim;
  pix?: IssuedPix;
  payment?: Payment;
  txHash?: string;
  /** Hashes that were reported before a reorganisation replaced the transfer by another one of the same nonce. */
  formerTxHashes?: string[];
  failure?: { reason: FailureReason };
  refund?: Refund;
  /** Written once, by the claim on a nonce or by the claim on the refund. Each requires that the other is absent. */
  disposition?: 'SETTLE' | 'REFUND';
  /** The task token of the state machine, and the status whose end it waits for. */
  wait?: { status: Status; token: string };
  /** The number of the last announced event. */
  sequence: number;
  createdAt: number;
  /** The deadline of the present wait for the client. Absent after the last wait. */
  expiresAt?: number;
  /** When the sweeper checks whether an execution drives this row. Absent once the service has nothing left to do. */
  nextCheckAt?: number;
  /** How many executions the sweeper has started for this row. The next one is `<id>-r<n>`. */
  executions: number;
  history: { status: Status; at: number }[];
};

/** A purchase with its payment: every purchase of a status that is `paid` (`STATUSES`). */
export type Paid = Transaction & { payment: Payment };

export function isPaid(transaction: Transaction): transaction is Paid {
  return transaction.payment !== undefined;
}

/** Whether the Pix of this end-to-end id is its payment. */
export function isPaidWith(transaction: Transaction, endToEndId: string): transaction is Paid {
  return transaction.payment?.endToEndId === endToEndId;
}

export function getPaid(transaction: Transaction): Paid {
  if (!isPaid(transaction)) throw new Error(`${transaction.id} is ${transaction.status} without a payment`);
  return transaction;
}

/** The charge of a purchase that has one. Throws if it has none. */
export function getIssued({ id, pix }: Transaction): IssuedPix {
  return getDefined(pix, `the charge of ${id}`);
}

/** The deadline of a purchase that waits for its client. Throws if it has none. */
export function getDeadline({ id, expiresAt }: Transaction): number {
  return getDefined(expiresAt, `the deadline of ${id}`);
}

/**
 * How long a paid purchase may go on before it becomes a case for a person. The same time holds for the return of an
 * unmatched payment: docs/decisions.md, "Cases of money".
 */
export const STUCK_AFTER_MINUTES = 24 * 60;

/** A paid purchase ends within minutes. After this time a person looks for the cause. */
const SLOW_AFTER_MINUTES = 60;

/**
 * Whether the purchase was paid a day ago, and its settlement or its refund still goes on. A failed refund has its
 * own case.
 */
export const isStuck = (transaction: Transaction, at: Instant): transaction is Paid =>
  goesOnSince(STUCK_AFTER_MINUTES, transaction, at);

/** As `isStuck`, after an hour. */
export const isSlow = (transaction: Transaction, at: Instant): transaction is Paid =>
  goesOnSince(SLOW_AFTER_MINUTES, transaction, at);

function goesOnSince(minutes: number, transaction: Transaction, { now, minuteMs }: Instant): boolean {
  const { status, refund } = transaction;
  const isOver = !isBeingSettled(status) && refund?.status !== 'PENDING';
  if (isOver || !isPaid(transaction)) return false;
  return now - transaction.payment.paidAt >= minutes * minuteMs;
}

/** Whether the deadline has passed. False without a deadline. The row decides, never a timer that fired. */
export function isOver(transaction: Transaction, now: number): boolean {
  return transaction.expiresAt !== undefined && now >= transaction.expiresAt;
}

/** Whether the purchase's Pix can be paid now. Otherwise the payload is not shown. */
export function isPayable(transaction: Transaction, now: number): boolean {
  return transaction.status === 'AWAITING_PIX' && !isOver(transaction, now);
}

/**
 * Whether a Pix with this transaction's txid can no longer become its payment, because another Pix is, or because the
 * purchase ended unpaid. In an open purchase it still can.
 */
export function isUnmatched(transaction: Transaction, endToEndId: string): boolean {
  return !isOpen(transaction.status) && !isPaidWith(transaction, endToEndId);
}

/** The partner's own transaction. Another partner's is refused as an unknown one. */
export function requireOwn(transaction: Transaction | undefined, partnerId: string): Transaction {
  if (transaction?.partnerId !== partnerId) refuse('TRANSACTION_NOT_FOUND');
  return transaction;
}

/** Refuses a transaction that does not wait for its authentication. */
export function requireAwaitingMfa(transaction: Transaction, now: number): void {
  if (transaction.status === 'EXPIRED' || isOver(transaction, now)) refuse('TRANSACTION_EXPIRED');
  if (transaction.status !== 'AWAITING_MFA') {
    refuse('INVALID_TRANSACTION_STATE', { status: transaction.status });
  }
}

export type Refund = ReturnState & {
  endToEndId: string;
  amountCentavos: number;
  reason: FailureReason;
};
