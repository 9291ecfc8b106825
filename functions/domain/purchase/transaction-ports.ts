import type { Evidence } from './evidence.ts';
import type { Status } from './status.ts';
import type { NotedObstacle } from './story-obstacles.ts';
import type { Transaction } from './transaction.ts';
import type { PurchaseChange } from './transitions.ts';

export type Transactions = {
  findTransaction(id: string): Promise<Transaction | undefined>;
  /**
   * The ids of purchases whose `nextCheckAt` has passed, the oldest first. DynamoDB updates the index of
   * these rows late, so a purchase may be missing for some seconds.
   */
  listDue(now: number, limit: number): Promise<string[]>;
  /** The id of the partner's purchase with this `externalId`. */
  findIdOf(partnerId: string, externalId: string): Promise<string | undefined>;
  /**
   * Writes a new purchase, unless it exists, and returns the stored one. The same write reserves its
   * `externalId` and marks its quote as used. Refuses with EXTERNAL_ID_TAKEN or QUOTE_USED if another
   * purchase of the partner has this `externalId` or has used this quote. The same write also stores the `evidence`
   * for which the purchase may begin.
   */
  create(transaction: Transaction, evidence?: Evidence): Promise<Transaction>;
  /** Writes the change, its events and its postings together. False if the row has changed since it was read. */
  save(change: PurchaseChange): Promise<boolean>;
  /**
   * Saves a change that claims the refund, as `save` does. False also if the purchase's settlement owns a
   * nonce. Its transfer may then still be mined, so a refund could pay twice.
   */
  saveRefundClaim(change: PurchaseChange): Promise<boolean>;
  /**
   * Counts a try of a TOTP code, and answers the number of tries. Undefined after `limit` tries, or if the
   * purchase does not wait for a code.
   */
  countMfaAttempt(id: string, limit: number): Promise<number | undefined>;
  /** Takes back a counted try, because the code was not checked or was not wrong. */
  returnMfaAttempt(id: string): Promise<void>;
  /** Notes the error of work on the purchase, or that it is gone, if the purchase still has `status`. */
  noteObstacle(id: string, status: Status, obstacle?: NotedObstacle): Promise<void>;
  saveWait(id: string, wait: { status: Status; token: string }): Promise<void>;
  /** Records when `SweepStuckTransactions` looks at the row next, and how many executions it has started. */
  postpone(id: string, nextCheckAt: number, executions: number): Promise<void>;
};
