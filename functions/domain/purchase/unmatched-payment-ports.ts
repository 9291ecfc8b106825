import type { UnmatchedChange } from './return.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/** The unmatched payments, and how far reconciliation has read. Failures as in `ports.ts`. */
export type UnmatchedPayments = {
  findUnmatched(endToEndId: string): Promise<UnmatchedPayment | undefined>;
  /** Put-if-absent, with its posting. Answers the row that is there now, and whether this call made it. */
  create(payment: UnmatchedPayment): Promise<{ payment: UnmatchedPayment; isNew: boolean }>;
  /** Ids of rows past their `nextCheckAt`, oldest first. The index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** All that are not returned, oldest first, also those that a person must decide. The index may be stale. */
  listOpen(): Promise<UnmatchedPayment[]>;
  /** The change, its event and its posting in one write. False: row or purchase was no longer as the change says. */
  save(change: UnmatchedChange): Promise<boolean>;
  /** Plans the next visit, unless another visit was planned since the row was read. */
  postpone(payment: UnmatchedPayment, next: { nextCheckAt: number; faults?: number }): Promise<void>;
  /** Every Pix received before this instant has been seen. Undefined before the first reconciliation. */
  findCursor(): Promise<number | undefined>;
  /** Where the next run goes on. Undefined where the last run reached its end. */
  findStop(): Promise<Stop | undefined>;
  /** Never goes back. Without a stop the run has reached its end. */
  moveCursor(upTo: number, stop?: Stop): Promise<void>;
};

export type UnmatchedLists = {
  /** The unmatched payments with the txid of this purchase, oldest first. The index may be stale. */
  listOf(transactionId: string): Promise<UnmatchedPayment[]>;
};

/** Where a run of reconciliation stopped. Instants are epoch milliseconds. */
export type Stop = {
  /** Where the next run goes on. */
  at: number;
  /** When the first of the runs began that have not reached the end of their time. */
  begun?: number;
  /** When the first Pix was paid that could not be handled. It holds the cursor back. */
  failedAt?: number;
};
