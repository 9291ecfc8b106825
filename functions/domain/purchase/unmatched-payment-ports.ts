import type { UnmatchedChange } from './return.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/**
 * Stores unmatched payments, and how far the reconciliation has read. Its calls fail as all ports do:
 * functions/domain/ports.ts.
 */
export type UnmatchedPayments = {
  findUnmatched(endToEndId: string): Promise<UnmatchedPayment | undefined>;
  /**
   * Writes an unmatched payment and its posting, unless it exists. Answers the row that exists now, and whether this
   * call has made it.
   */
  create(payment: UnmatchedPayment): Promise<{ payment: UnmatchedPayment; isNew: boolean }>;
  /** The ids of payments whose `nextCheckAt` has passed, the oldest first. The index may lag by seconds. */
  listDue(now: number, limit: number): Promise<string[]>;
  /**
   * All payments that are not returned, the oldest first. Those that a person must decide are included. The index may
   * lag by seconds.
   */
  listOpen(): Promise<UnmatchedPayment[]>;
  /**
   * Writes the change, its event and its posting together. False if the payment or the purchase has changed since it
   * was read.
   */
  save(change: UnmatchedChange): Promise<boolean>;
  /** Plans the next visit, unless another visit has planned one since the row was read. */
  postpone(payment: UnmatchedPayment, next: { nextCheckAt: number; faults?: number }): Promise<void>;
  /** Every Pix that was received before this instant has been handled. Undefined before the first reconciliation. */
  findCursor(): Promise<number | undefined>;
  /** Where the next run continues. Undefined if the last run reached its end. */
  findStop(): Promise<Stop | undefined>;
  /** Moves the cursor forward, never back. Without `stop` the run has reached its end. */
  moveCursor(upTo: number, stop?: Stop): Promise<void>;
};

export type UnmatchedLists = {
  /** The unmatched payments with this purchase's txid, the oldest first. The index may lag by seconds. */
  listOf(transactionId: string): Promise<UnmatchedPayment[]>;
};

/** Where a run of the reconciliation stopped before its end. Instants are epoch milliseconds. */
export type Stop = {
  /** Where the next run continues. */
  at: number;
  /** When the first of these unfinished runs began. */
  begun?: number;
  /**
   * When the earliest Pix was paid that these runs could not handle. The cursor stays before it, so that a
   * later run handles it.
   */
  failedAt?: number;
};
