import type { Status } from './status.ts';
import type { Transaction } from './transaction.ts';
import type { Change } from './transitions.ts';

export type Transactions = {
  findTransaction(id: string): Promise<Transaction | undefined>;
  /** Ids of rows past their `nextCheckAt`, oldest first. The index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** The id of the partner's purchase with this reference. */
  findIdOf(partnerId: string, externalId: string): Promise<string | undefined>;
  /**
   * Put-if-absent. Answers the transaction that is there now. Reserves its `externalId` and uses its quote in the same
   * write. Refuses with EXTERNAL_ID_TAKEN or QUOTE_USED if another purchase of the partner has them.
   */
  create(transaction: Transaction): Promise<Transaction>;
  /** Writes the change, its events and its postings at once. False if the row was no longer as the change says. */
  save(change: Change): Promise<boolean>;
  /** As `save`, and claims the refund. False also while a nonce is owned: docs/decisions.md, "Disposition". */
  saveRefundClaim(change: Change): Promise<boolean>;
  /** Counts a try, and answers the count. Undefined after `limit` tries, or if the purchase waits for no code. */
  countMfaAttempt(id: string, limit: number): Promise<number | undefined>;
  /** Takes a counted try back, if the code was not checked or was not at fault. */
  returnMfaAttempt(id: string): Promise<void>;
  saveWait(id: string, wait: { status: Status; token: string }): Promise<void>;
  /** Sets when the sweeper visits the row next, and how many executions were started for it. */
  postpone(id: string, nextCheckAt: number, executions: number): Promise<void>;
};
