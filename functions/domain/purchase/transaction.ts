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
import {
  type DeliveredStatus,
  isBeingSettled,
  isOpen,
  type PaidStatus,
  STATUSES,
  type Status,
} from './status.ts';
import type { NotedObstacle } from './story-obstacles.ts';

/** Spec, "Limits". A test compares these with the time limits of the state machine. */
export const MFA_WINDOW_MINUTES = 15;
export const PIX_WINDOW_MINUTES = 30;

export type IssuedPix = { payload: string; expiresAt: number };

/** The received Pix that pays a purchase. */
export type Payment = { endToEndId: string; paidAt: number; amountCentavos: number };

/**
 * The facts of a purchase in any status. Instants are epoch milliseconds. The `id` is also the charge's txid, and the
 * name of the first execution of the state machine.
 */
type PurchaseFacts = {
  id: string;
  partnerId: string;
  clientId: string;
  /** A keyed hash of the CPF, which is the same at all partners. */
  personId: string;
  kycToken: string;
  /** The partner's own reference, unique among its purchases. */
  externalId?: string;
  /**
   * The `metadata` of the partner's request, as encrypted JSON. It can be decrypted only together with this
   * purchase's id.
   */
  metadataCipher?: string;
  /**
   * The partner's URL to which the liveness page sends the client back. `returnAddress` in `return-url.ts`
   * adds the purchase's id.
   */
  returnUrl?: string;
  model: KycRecord['model'];
  riskTier: RiskTier;
  asset: Asset;
  amountCentavos: number;
  walletAddress: string;
  challenge: Challenge;
  quote: Quote;
  /**
   * Present if the partner named an earlier quote (`quoteId`), whose price the purchase keeps. The charge
   * must be issued before `until`.
   */
  rateLock?: { quoteId: string; until: number };
  /**
   * The number of TOTP codes that were tried. A try is counted before its code is checked, so that parallel
   * requests cannot exceed the limit. The count goes down again if the code was not checked or was not wrong.
   */
  mfaAttempts: number;
  liveness?: Liveness;
  /**
   * The part of the client's limits that the purchase has taken: `charge-limits.ts`. It is written before the
   * charge is made, and is never removed.
   */
  claim?: Claim;
  pix?: IssuedPix;
  /**
   * The encrypted `Destination` (`sealed-terms.ts`). The write that opens the purchase stores it. A settlement
   * that was rebuilt from the chain has none.
   */
  sealedDestination?: string;
  /** The encrypted `ChargedUnits` (`sealed-terms.ts`). The write that saves the charge stores it. */
  sealedUnits?: string;
  /**
   * The hashes that partners have read before the present `txHash`, the oldest first. A reorganisation of the
   * chain has replaced each by another transaction at the same nonce.
   */
  formerTxHashes?: string[];
  /**
   * Decides that the purchase is either settled or refunded, and never both. `SETTLE` is set when the
   * settlement gets a nonce, unless the refund was claimed. It is removed when a failed try gives up the
   * nonce. `REFUND` is set when the refund is claimed. The claim is refused while the settlement owns a
   * nonce.
   */
  disposition?: 'SETTLE' | 'REFUND';
  /**
   * The execution waits until the purchase leaves `status`. `token` is the task token with which Step
   * Functions resumes it.
   */
  wait?: { status: Status; token: string };
  /** For operators: the last error of work outside the state machine (`story-obstacles.ts`). */
  obstacle?: NotedObstacle;
  /** The number of the last event about this purchase. */
  sequence: number;
  createdAt: number;
  /** By when the client must act in the present status. Absent once nothing is expected from the client. */
  expiresAt?: number;
  /**
   * When `SweepStuckTransactions` checks next that an execution drives this purchase. Absent if the service
   * has nothing left to do for it.
   */
  nextCheckAt?: number;
  /**
   * How many executions `SweepStuckTransactions` has started for this purchase. The latest of them is named
   * `<id>-r<n>`, where `n` is this number.
   */
  executions: number;
  history: { status: Status; at: number }[];
  /** When an erasure last deleted the data of this row that no law requires us to keep. */
  erasedAt?: number;
};

export type Refund = ReturnState & {
  endToEndId: string;
  amountCentavos: number;
  reason: FailureReason;
};

/** The facts that a purchase has in one status. It has none of the others. */
type FactsIn<Its extends Status> = (Its extends PaidStatus ? { payment: Payment } : { payment?: undefined }) &
  (Its extends DeliveredStatus ? { txHash: string } : { txHash?: undefined }) &
  // A failed purchase has no refund if the provider has already returned the whole payment.
  (Its extends 'FAILED'
    ? { failure: { reason: FailureReason }; refund?: Refund }
    : { failure?: undefined; refund?: undefined });
type In<Its extends Status> = {
  [Each in Its]: PurchaseFacts & { status: Each } & FactsIn<Each>;
}[Its];

/** One purchase. Its status decides which facts it has. */
export type Transaction = In<Status>;
export type Paid = In<PaidStatus>;
export type Delivered = In<DeliveredStatus>;

/** When the purchase reached its present status. */
export const reachedAt = ({ history, createdAt }: Pick<Transaction, 'history' | 'createdAt'>): number =>
  history.at(-1)?.at ?? createdAt;

export function isDelivered(transaction: Transaction): transaction is Delivered {
  return STATUSES[transaction.status].tokens === 'DELIVERED';
}

/** Whether the Pix with this end-to-end id is the purchase's payment. */
export function isPaidWith(transaction: Transaction, endToEndId: string): transaction is Paid {
  return transaction.payment?.endToEndId === endToEndId;
}

export function getPaid(transaction: Transaction): Paid {
  if (!transaction.payment) throw new Error(`${transaction.id} is ${transaction.status} without a payment`);
  return transaction;
}

/** The issued charge of the purchase. Throws if it has none. */
export function getIssued({ id, pix }: Transaction): IssuedPix {
  return getDefined(pix, `the charge of ${id}`);
}

/** The deadline of the present wait for the client. Throws if there is none. */
export function getDeadline({ id, expiresAt }: Transaction): number {
  return getDefined(expiresAt, `the deadline of ${id}`);
}

/**
 * The longest time that a paid purchase, or the return of an unmatched payment, may take. After it a case is
 * opened, so that a person decides: docs/decisions.md, "The books".
 */
export const STUCK_AFTER_MINUTES = 24 * 60;

/**
 * A paid purchase normally ends within minutes. After this time it counts as slow, and a person should find
 * out why.
 */
const SLOW_AFTER_MINUTES = 60;

/**
 * Whether the purchase was paid more than a day ago, and is still being settled or refunded. False after a
 * refund has failed for good, because this opens a case of its own.
 */
export const isStuck = (transaction: Transaction, at: Instant): transaction is Paid =>
  goesOnSince(STUCK_AFTER_MINUTES, transaction, at);

/** Whether the purchase was paid more than an hour ago, and is still being settled or refunded. */
export const isSlow = (transaction: Transaction, at: Instant): transaction is Paid =>
  goesOnSince(SLOW_AFTER_MINUTES, transaction, at);

function goesOnSince(minutes: number, transaction: Transaction, { now, minuteMs }: Instant): boolean {
  const { status, refund } = transaction;
  const isOver = !isBeingSettled(status) && refund?.status !== 'PENDING';
  if (isOver || !transaction.payment) return false;
  return now - transaction.payment.paidAt >= minutes * minuteMs;
}

/**
 * Whether the deadline has passed. False if there is no deadline. The row's deadline decides, not a timer, which may be
 * early or late.
 */
export function isPastDeadline(transaction: Transaction, now: number): boolean {
  return transaction.expiresAt !== undefined && now >= transaction.expiresAt;
}

/** Whether the client may pay the Pix now. Otherwise its payload is not shown. */
export function isPayable(transaction: Transaction, now: number): boolean {
  return transaction.status === 'AWAITING_PIX' && !isPastDeadline(transaction, now);
}

/**
 * Whether a Pix with this purchase's txid can no longer become its payment: another Pix is the payment, or the purchase
 * ended unpaid.
 */
export function isUnmatched(transaction: Transaction, endToEndId: string): boolean {
  return !isOpen(transaction.status) && !isPaidWith(transaction, endToEndId);
}

/**
 * Requires that the purchase belongs to the partner. Another partner's purchase is refused as if it did not
 * exist, so that nobody learns that it does.
 */
export function requireOwn(transaction: Transaction | undefined, partnerId: string): Transaction {
  if (transaction?.partnerId !== partnerId) refuse('TRANSACTION_NOT_FOUND');
  return transaction;
}

/** Refuses a purchase that does not wait for the client's code or face check. */
export function requireAwaitingMfa(transaction: Transaction, now: number): void {
  if (transaction.status === 'EXPIRED' || isPastDeadline(transaction, now)) refuse('TRANSACTION_EXPIRED');
  if (transaction.status !== 'AWAITING_MFA') {
    refuse('INVALID_TRANSACTION_STATE', { status: transaction.status });
  }
}
