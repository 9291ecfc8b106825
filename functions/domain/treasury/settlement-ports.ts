import type { Cancellation, Payout, SettlementOutcome, WatchVerdict } from './settlement.ts';

export type Treasury = {
  /** Drives the payout one visit further. Idempotent; any number may run at once. */
  settle(payout: Payout): Promise<SettlementOutcome>;
};

export type Cancellations = {
  /** Settlement's next visit begins to cancel. False: asked for before, already over, or never begun. */
  ask(transactionId: string, cancellation: Cancellation): Promise<boolean>;
};

/** Transfers that were reported as completed and are not final yet. */
export type Transfers = {
  /** The purchases whose transfers are due to be looked at, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Looks once. What a reorganisation dropped is cast again; nothing is ever signed. Undefined: not watched any more. */
  look(transactionId: string): Promise<WatchVerdict | undefined>;
};
