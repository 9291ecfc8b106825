import type { Cancellation, Payout, Settlement, SettlementOutcome } from './settlement.ts';

export type Treasury = {
  /**
   * Makes one visit to the settlement of the payout. It may be repeated, and any number of visits may run at once.
   */
  settle(payout: Payout, early?: EarlyReads): Promise<SettlementOutcome>;
  /** Begins the reads of a visit that need the id alone. */
  begin(transactionId: string): EarlyReads;
};

/** Reads that began before a visit. They decide nothing and write nothing; the visit meets their errors. */
export type EarlyReads = {
  /** Undefined: there was no settlement. It may be old, but each write names what it was computed from. */
  readonly found: Promise<Settlement | undefined>;
  /** Begins the checks of the chain for a payment that owns no nonce. */
  clear(payout: Payout): void;
};

export type Cancellations = {
  /**
   * Asks for a cancel, which the next visit begins. False: it was asked for before, or the settlement is over or
   * never began.
   */
  ask(transactionId: string, cancellation: Cancellation): Promise<boolean>;
};

/** The result of a look at a transfer: docs/settlement.md, step 9. */
export type Look = 'WAIT' | 'CAST' | 'DOUBT' | 'LOST' | 'MOVED' | 'FINAL';

/** Transfers that were reported as completed and are not final yet. */
export type Transfers = {
  /** The purchases whose transfers are due, the longest due first. The index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /**
   * Looks once. If a reorganisation dropped the transfer, its bytes are sent again. Nothing is ever signed.
   * Undefined: it is not watched any more.
   */
  look(transactionId: string): Promise<Look | undefined>;
};
