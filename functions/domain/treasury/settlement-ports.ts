import type { Cancellation, Payout, SettlementOutcome } from './settlement.ts';

export type Treasury = {
  /** Drives the payout one visit further. Idempotent; any number may run at once. */
  settle(payout: Payout): Promise<SettlementOutcome>;
};

export type Cancellations = {
  /** The next visit of the settlement begins to cancel. False: asked for before, already over, or never begun. */
  ask(transactionId: string, cancellation: Cancellation): Promise<boolean>;
};

/** The result of a look at a transfer: docs/settlement.md, step 9. */
export type Look = 'WAIT' | 'CAST' | 'DOUBT' | 'LOST' | 'MOVED' | 'FINAL';

/** Transfers that were reported as completed and are not final yet. */
export type Transfers = {
  /** The purchases whose transfers are due, the oldest first. The index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /**
   * Looks once. A transfer that a reorganisation dropped is cast again. Nothing is ever signed. Undefined: it is not
   * watched any more.
   */
  look(transactionId: string): Promise<Look | undefined>;
};
