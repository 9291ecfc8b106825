import type { Asset } from './transaction.ts';

/** Spec, "Limits": one try and three automatic retries. */
export const SETTLEMENT_TRIES = 4;
/** Blocks' worth of patience before the same signed bytes are cast again. */
export const RECAST_AFTER_MS = 4_000;

/** What is to be sent: `units` are token base units. */
export type Payout = { transactionId: string; asset: Asset; units: bigint; to: string };

/** One signed transaction, stored before it is sent. `raw` are its bytes in hex. */
export type Attempt = { hash: string; raw: string; at: number };

/**
 * The settlement of one purchase (settlement.md section 6). It owns its nonce for life: only a fact at final depth
 * takes the nonce away and counts a try.
 */
export type Settlement = Payout & {
  state: 'REQUESTED' | 'ASSIGNED' | 'SIGNED' | 'BROADCAST' | 'CONFIRMED' | 'FAILED';
  /** Failed tries, each with its reason. */
  tries: string[];
  wallet?: string;
  nonce?: number;
  attempts: Attempt[];
  lastCastAt?: number;
  txHash?: string;
  blockNumber?: number;
};

/** What the chain says of a signed transaction. `transferred` is true when the right Transfer log is there. */
export type Receipt = {
  hash: string;
  succeeded: boolean;
  transferred: boolean;
  blockNumber: number;
  confirmations: number;
  isFinal: boolean;
};

export type SettlementOutcome =
  | { state: 'CONFIRMED'; txHash: string; blockNumber: number }
  | { state: 'PENDING'; doing: string }
  /** A definitive failure: nothing of this try can ever be mined. `triesLeft` 0 means that it is over. */
  | { state: 'FAILED'; reason: string; triesLeft: number };

/** A new settlement, before anything is owned. */
export function openSettlement(payout: Payout): Settlement {
  return { ...payout, state: 'REQUESTED', tries: [], attempts: [] };
}

export type Verdict = 'WAIT' | 'CAST' | 'CONFIRM' | 'FAIL' | 'HOLD';

/**
 * What the receipts of all attempts of one nonce mean. Doubt never frees the nonce: no receipt is cast again,
 * a revert counts only at final depth, and a success without the right log is held for a person.
 */
export function judge(
  settlement: Settlement,
  receipts: Receipt[],
  at: { now: number; confirmations: number },
): Verdict {
  const mined = receipts[0];
  if (!mined) {
    const isQuiet = settlement.lastCastAt === undefined || at.now - settlement.lastCastAt >= RECAST_AFTER_MS;
    return isQuiet ? 'CAST' : 'WAIT';
  }
  if (!mined.succeeded) return mined.isFinal ? 'FAIL' : 'WAIT';
  if (!mined.transferred) return 'HOLD';
  return mined.confirmations >= at.confirmations ? 'CONFIRM' : 'WAIT';
}
