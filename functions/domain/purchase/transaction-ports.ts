import type { Status } from './status.ts';
import type { Transaction } from './transaction.ts';
import type { Change } from './transitions.ts';

export type Transactions = {
  findTransaction(id: string): Promise<Transaction | undefined>;
  /** Rows past their `nextCheckAt`, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Put-if-absent; the answer is the transaction that is there now. */
  create(transaction: Transaction): Promise<Transaction>;
  /** The change, its events and its postings in one write. False: the row was no longer as the change says. */
  save(change: Change): Promise<boolean>;
  /** As `save`, and claims the refund: false also where a nonce is owned: docs/decisions.md, "Disposition". */
  saveRefundClaim(change: Change): Promise<boolean>;
  /** Counts a try where fewer than `limit` were made and the code may still be given. */
  countMfaAttempt(id: string, limit: number): Promise<number | undefined>;
  /** Takes a count back: the code was right, and what came after it failed. */
  returnMfaAttempt(id: string): Promise<void>;
  saveWait(id: string, wait: { status: Status; token: string }): Promise<void>;
  /** Plans the next look of the sweeper and notes how many executions were started. */
  postpone(id: string, nextCheckAt: number, executions: number): Promise<void>;
};
