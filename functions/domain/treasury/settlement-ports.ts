import type { Cancellation, Payout, Settlement, SettlementOutcome } from './settlement.ts';

export type Treasury = {
  /**
   * Makes one visit: it advances the settlement of this payout as far as the chain allows now. A visit may be repeated,
   * and any number of visits may run at once.
   */
  settle(payout: Payout, early?: EarlyCalls): Promise<SettlementOutcome>;
  /**
   * Begins those reads of a visit that need only the purchase's id, so that they run while the caller reads the
   * purchase.
   */
  begin(transactionId: string): EarlyCalls;
};

/**
 * Calls that begin before a visit, to save time. They decide nothing. If one fails, the visit gets its error.
 */
export type EarlyCalls = {
  /**
   * The settlement as it was read, or undefined if there was none. If the row has changed since, each write
   * of the visit is refused.
   */
  readonly found: Promise<Settlement | undefined>;
  /**
   * Opens the settlement, and begins the checks on the chain that a payment needs before it gets a nonce.
   * Called only for a payment that owns none, once its client and wallet were checked. Without this call the
   * visit takes no nonce. A settlement without a nonce pays nothing and forbids nothing.
   */
  clear(payout: Payout): void;
};

export type Cancellations = {
  /**
   * Requests to cancel a payment. The next visit to the settlement begins the cancel. False if it was already
   * requested, or if the settlement has ended or never began.
   */
  ask(transactionId: string, cancellation: Cancellation): Promise<boolean>;
};

/** The result of looking once at a confirmed transfer: docs/settlement.md, step 9. */
export type Look = 'WAIT' | 'CAST' | 'DOUBT' | 'LOST' | 'MOVED' | 'FINAL';

/** Transfers that were reported as completed and are not final yet. */
export type Transfers = {
  /**
   * Lists the purchases whose transfers must be looked at now, the longest due first. DynamoDB updates the
   * index of these rows late, so a transfer may be missing for some seconds.
   */
  listDue(now: number, limit: number): Promise<string[]>;
  /**
   * Looks at a transfer once. If a reorganisation has dropped it, its stored bytes are sent again. Nothing
   * new is signed. Undefined if the transfer is not watched any more.
   */
  look(transactionId: string): Promise<Look | undefined>;
};
