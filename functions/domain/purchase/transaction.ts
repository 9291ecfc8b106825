import type { Asset } from '../assets.ts';
import { refuse } from '../errors.ts';
import { getDefined } from '../get.ts';
import type { Liveness } from '../kyc/identity.ts';
import type { KycRecord, RiskTier } from '../kyc/kyc.ts';
import type { Quote } from '../money.ts';
import type { Instant } from '../time.ts';
import type { Challenge } from './challenge.ts';
import type { FailureReason } from './return-reasons.ts';
import type { ReturnState } from './return-state.ts';
import { isBeingSettled, isOpen, type Status } from './status.ts';

/** Spec, "Limits". The state machine's time limits are asserted equal to these. */
export const MFA_WINDOW_MINUTES = 15;
export const PIX_WINDOW_MINUTES = 30;

/** What the charge at the payment provider looked like when it was issued. */
export type IssuedPix = { payload: string; expiresAt: number };

/** The received Pix that pays a purchase. */
export type Payment = { endToEndId: string; paidAt: number; amountCentavos: number };

/** One purchase. Instants are epoch milliseconds; money is integers. `id` is also the execution's name and the txid. */
export type Transaction = {
  id: string;
  partnerId: string;
  clientId: string;
  kycToken: string;
  model: KycRecord['model'];
  riskTier: RiskTier;
  status: Status;
  asset: Asset;
  amountCentavos: number;
  walletAddress: string;
  challenge: Challenge;
  quote: Quote;
  /** TOTP codes tried; counted before each is checked. */
  mfaAttempts: number;
  liveness?: Liveness;
  pix?: IssuedPix;
  payment?: Payment;
  txHash?: string;
  /** Transfers that were reported before, and gave way to another of the same nonce in a reorganisation. */
  formerTxHashes?: string[];
  failure?: { reason: FailureReason };
  refund?: Refund;
  /** Written once, by the claim on a nonce or by the claim on the refund; each needs the other's absence. */
  disposition?: 'SETTLE' | 'REFUND';
  /** The state machine's task token, and the status that its wait ends with. */
  wait?: { status: Status; token: string };
  /** Number of the last event announced. */
  sequence: number;
  createdAt: number;
  /** When the present wait is over; absent once nobody outside is waited for. */
  expiresAt?: number;
  /** When the sweeper looks whether somebody drives this row; absent once nothing is left to do. */
  nextCheckAt?: number;
  /** Executions of the state machine started for this row; the next is `<id>-r<n>`. */
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

/** The charge of a purchase that was issued one. */
export function getIssued({ id, pix }: Transaction): IssuedPix {
  return getDefined(pix, `the charge of ${id}`);
}

/** The end of the wait of a purchase that still waits. */
export function getDeadline({ id, expiresAt }: Transaction): number {
  return getDefined(expiresAt, `the deadline of ${id}`);
}

/** After its payment a purchase is a person's to look at: docs/decisions.md, "Cases of money". */
export const STUCK_AFTER_MINUTES = 24 * 60;

/** Whether it was paid a day ago, and is neither delivered nor given back. A refund that has failed has a case of its own. */
export function isStuck(transaction: Transaction, { now, minuteMs }: Instant): transaction is Paid {
  const { status, refund } = transaction;
  const isOver = !isBeingSettled(status) && refund?.status !== 'PENDING';
  if (isOver || !isPaid(transaction)) return false;
  return now - transaction.payment.paidAt >= STUCK_AFTER_MINUTES * minuteMs;
}

/** Deadlines are judged by the record, never by a timer that fired. */
export function isOver(transaction: Transaction, now: number): boolean {
  return transaction.expiresAt !== undefined && now >= transaction.expiresAt;
}

/** Whether its Pix can be paid now: nobody is shown a payload that cannot. */
export function isPayable(transaction: Transaction, now: number): boolean {
  return transaction.status === 'AWAITING_PIX' && !isOver(transaction, now);
}

/**
 * Whether a Pix with this transaction's txid can no longer be its payment: the purchase is paid with another, or was
 * over before. An open purchase may still take it.
 */
export function isUnmatched(transaction: Transaction, endToEndId: string): boolean {
  return !isOpen(transaction.status) && !isPaidWith(transaction, endToEndId);
}

/** The partner's own transaction, or the answer that an unknown id gets too. */
export function requireOwn(transaction: Transaction | undefined, partnerId: string): Transaction {
  if (transaction?.partnerId !== partnerId) refuse('TRANSACTION_NOT_FOUND');
  return transaction;
}

/** Refuses to act on a transaction that is not waiting for its authentication any more. */
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
