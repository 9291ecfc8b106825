import type { UnmatchedChange } from './return.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/**
 * Stores unmatched payments, and how far the reconciliation has read. Its calls fail as all ports do:
 * functions/domain/ports.ts.
 */
export type UnmatchedPayments = {
  findUnmatched(endToEndId: string): Promise<UnmatchedPayment | undefined>;
  /**
   * Writes an unmatched payment and its posting, unless its row exists. Answers the row that is stored now.
   * `isNew`: this call has written it.
   */
  create(payment: UnmatchedPayment): Promise<{ payment: UnmatchedPayment; isNew: boolean }>;
  /**
   * The ids of payments whose `nextCheckAt` has passed, the oldest first. DynamoDB updates the index of these
   * rows late, so a payment may be missing for some seconds.
   */
  listDue(now: number, limit: number): Promise<string[]>;
  /**
   * All payments that are not returned, the oldest first, also those about which a person must decide.
   * DynamoDB updates the index of these rows late, so a new payment may be missing for some seconds.
   */
  listOpen(): Promise<UnmatchedPayment[]>;
  /**
   * Writes the change, its event and its posting together. False if another write has ended the same try, or
   * if the purchase of the event has changed since it was read.
   */
  save(change: UnmatchedChange): Promise<boolean>;
  /**
   * Saves when `ReturnUnmatchedPayments` looks at the payment next. Writes nothing if another run has saved a
   * new time since the row was read.
   */
  postpone(payment: UnmatchedPayment, next: { nextCheckAt: number; faults?: number }): Promise<void>;
  /**
   * The cursor: every Pix that was received before this instant has been handled, or has failed for a day.
   * Undefined before the first reconciliation.
   */
  findCursor(): Promise<number | undefined>;
  /**
   * The saved place at which the next run begins. Undefined if the next run begins shortly before the cursor,
   * as `OVERLAP_MS` in `reconcile-pix.ts` says.
   */
  findStop(): Promise<ReadingStop | undefined>;
  /**
   * Moves the cursor forward, never back, and saves the place where the next run begins. Without `stop`, the
   * next run begins shortly before the cursor.
   */
  moveCursor(upTo: number, stop?: ReadingStop): Promise<void>;
};

export type UnmatchedLists = {
  /**
   * The unmatched payments with this purchase's txid, the oldest first. DynamoDB updates the index of these
   * rows late, so a new payment may be missing for some seconds.
   */
  listOf(transactionId: string): Promise<UnmatchedPayment[]>;
};

/**
 * The place where the next run of `ReconcilePix` begins. It is saved if a run had no time left, or if several
 * runs were needed to read up to the present. Instants are epoch milliseconds.
 */
export type ReadingStop = {
  /** Where the next run continues. */
  at: number;
  /** When the first run began of those that have not yet read up to the present. Absent if they have. */
  begun?: number;
  /**
   * When the earliest Pix was paid that these runs could not handle because of an error. The cursor stays
   * before it, so that a later run handles it.
   */
  failedAt?: number;
};
