import type { Asset } from './transaction.ts';

/** Spec, "Limits": one try and three automatic retries. */
export const SETTLEMENT_TRIES = 4;
/** Blocks' worth of patience before the same signed bytes are cast again. */
export const RECAST_AFTER_MS = 4_000;
/** Casts of the same bytes before they are signed again with higher fees, at the same nonce. */
export const BUMP_AFTER_CASTS = 3;

/** What is to be sent: `units` are token base units. */
export type Payout = { transactionId: string; asset: Asset; units: bigint; to: string };

/** One signed transaction, stored before it is sent. `raw` are its bytes in hex. */
export type Attempt = { hash: string; raw: string; at: number };

/**
 * The settlement of one purchase (docs/settlement.md). It owns its nonce for life: only a fact at final depth
 * takes the nonce away and counts a try.
 */
export type Settlement = Payout & {
  state: 'REQUESTED' | 'ASSIGNED' | 'SIGNED' | 'BROADCAST' | 'CONFIRMED' | 'FAILED';
  /** Failed tries, each with its reason. */
  tries: string[];
  wallet?: string;
  nonce?: number;
  attempts: Attempt[];
  /** Times that the latest attempt was sent, and what the nodes said of it: a hint, never a fact. */
  casts: number;
  lastCastAt?: number;
  hint?: string;
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
  /** How many of the nodes that were `asked` show exactly this. */
  nodes: number;
  asked: number;
};

export type SettlementOutcome =
  | { state: 'CONFIRMED'; txHash: string; blockNumber: number }
  | { state: 'PENDING'; doing: string }
  /** A definitive failure: nothing of this try can ever be mined. `triesLeft` 0 means that it is over. */
  | { state: 'FAILED'; reason: string; triesLeft: number };

/** A new settlement, before anything is owned. */
export function openSettlement(payout: Payout): Settlement {
  return { ...payout, state: 'REQUESTED', tries: [], attempts: [], casts: 0 };
}

/** The settlement as the owner of a nonce, which from now on is taken away by a fact alone. */
export function withNonce(settlement: Settlement, wallet: string, nonce: number): Settlement {
  return { ...settlement, state: 'ASSIGNED', wallet, nonce };
}

/** The settlement with one more signed transaction, not sent yet. */
export function withAttempt(settlement: Settlement, attempt: Attempt): Settlement {
  const { lastCastAt: _, hint: __, ...rest } = settlement;
  return { ...rest, state: 'SIGNED', attempts: [...settlement.attempts, attempt], casts: 0 };
}

export function withCast(settlement: Settlement, cast: { at: number; hint: string }): Settlement {
  return {
    ...settlement,
    state: 'BROADCAST',
    casts: settlement.casts + 1,
    lastCastAt: cast.at,
    hint: cast.hint,
  };
}

export function asConfirmed(
  settlement: Settlement,
  mined: { hash: string; blockNumber: number },
): Settlement {
  return { ...settlement, state: 'CONFIRMED', txHash: mined.hash, blockNumber: mined.blockNumber };
}

/** One try less: nothing is owned any more, and after the last try it is over. */
export function withFailedTry(settlement: Settlement, reason: string): Settlement {
  const { transactionId, asset, units, to } = settlement;
  const tries = [...settlement.tries, reason];
  const state = tries.length < SETTLEMENT_TRIES ? 'REQUESTED' : 'FAILED';
  return { ...openSettlement({ transactionId, asset, units, to }), state, tries };
}

/** What a failed try is to the caller. */
export function asFailure(settlement: Settlement): SettlementOutcome & { state: 'FAILED' } {
  const reason = settlement.tries.at(-1) ?? 'UNKNOWN';
  return { state: 'FAILED', reason, triesLeft: SETTLEMENT_TRIES - settlement.tries.length };
}

/** Nodes that must show a transfer, where so many are asked. A failure, which frees the nonce, needs every one. */
const CONFIRMING_NODES = 2;

export type Verdict = 'WAIT' | 'CAST' | 'BUMP' | 'CONFIRM' | 'FAIL' | 'HOLD';

/**
 * What the receipts of all attempts of one nonce mean. Doubt never frees the nonce: no receipt is cast again,
 * a revert counts only at final depth, and a success without the right log is held for a person. A nonce that is
 * used although no receipt is seen means a node that lags: ask again. Two receipts of one nonce contradict, and one
 * node that lies or follows a fork must not make us pay again.
 */
export function judge(
  settlement: Settlement,
  receipts: Receipt[],
  at: { now: number; confirmations: number; isNonceUsed?: boolean },
): Verdict {
  const mined = receipts[0];
  if (receipts.length > 1) return 'WAIT';
  if (!mined) return at.isNonceUsed ? 'WAIT' : judgeSilence(settlement, at.now);
  if (!mined.succeeded) return mined.isFinal && mined.nodes === mined.asked ? 'FAIL' : 'WAIT';
  if (!mined.transferred) return 'HOLD';
  const isCorroborated = mined.nodes >= Math.min(CONFIRMING_NODES, mined.asked);
  return mined.confirmations >= at.confirmations && isCorroborated ? 'CONFIRM' : 'WAIT';
}

function judgeSilence(settlement: Settlement, now: number): Verdict {
  if (settlement.lastCastAt === undefined) return 'CAST';
  if (now - settlement.lastCastAt < RECAST_AFTER_MS) return 'WAIT';
  return settlement.casts >= BUMP_AFTER_CASTS ? 'BUMP' : 'CAST';
}
