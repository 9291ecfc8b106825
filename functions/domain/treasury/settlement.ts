import type { Asset } from '../assets.ts';
import type { FailureReason } from '../purchase/transaction.ts';

/** Spec, "Limits": one try and three automatic retries. */
export const SETTLEMENT_TRIES = 4;
/** Until an outage counts as a failed try, of what owns no nonce: the client waits for long enough then. */
export const OUTAGE_PATIENCE_MINUTES = 30;
/** Blocks' worth of patience before the same signed bytes are cast again. */
export const RECAST_AFTER_MS = 4_000;
/** Casts of the same bytes before they are signed again with higher fees, at the same nonce. */
export const BUMP_AFTER_CASTS = 3;

/** What is to be sent: `units` are token base units. */
export type Payout = { transactionId: string; asset: Asset; units: bigint; to: string };

/** One signed transaction, stored before it is sent. `raw` are its bytes in hex; `cancel` uses the nonce up for nothing. */
export type Attempt = { kind: 'pay' | 'cancel'; hash: string; raw: string; at: number };

/** The payment is not to be made any more. What is on its way is outbid by a cancel; the chain says which of them won. */
export type Cancellation = { reason: FailureReason; at: number };

/**
 * `CONFIRMED` is reported as completed and watched until it is `FINAL`; `LOST` is one that a reorganisation undid for good.
 */
type State = 'REQUESTED' | 'ASSIGNED' | 'SIGNED' | 'BROADCAST' | 'CONFIRMED' | 'FINAL' | 'LOST' | 'FAILED';
/** Nothing is signed any more, and nothing cancelled. */
export const OVER = ['CONFIRMED', 'FINAL', 'LOST', 'FAILED'] as const satisfies readonly State[];

export function isOver({ state }: Settlement): boolean {
  return OVER.some((each) => each === state);
}

/**
 * The settlement of one purchase (docs/settlement.md). It owns its nonce for life: only a fact at final depth
 * takes the nonce away and counts a try.
 */
export type Settlement = Payout & {
  state: State;
  /** When settlement first looked at it; older rows do not tell. */
  openedAt?: number;
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
  cancel?: Cancellation;
  /** From then on it is watched; when it is looked at next. */
  confirmedAt?: number;
  nextCheckAt?: number;
};

/** A transfer in the chain. Unless it is final it is watched: `at` is when it was seen, `lookAt` when to look again. */
export type Mined = { hash: string; blockNumber: number; isFinal?: boolean; at?: number; lookAt?: number };

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
  /**
   * A definitive failure: nothing of this try can ever be mined. `triesLeft` 0 means that it is over; `cancelledFor` says
   * why, where it was cancelled.
   */
  | { state: 'FAILED'; reason: string; triesLeft: number; cancelledFor?: FailureReason };

/** A new settlement, before anything is owned. */
export function openSettlement(payout: Payout, openedAt?: number): Settlement {
  const opened = openedAt !== undefined && { openedAt };
  return { ...payout, ...opened, state: 'REQUESTED', tries: [], attempts: [], casts: 0 };
}

/**
 * Whether it is a failed try that nobody answered before a nonce was owned: docs/decisions.md, "A provider is down". A row that
 * does not tell when it was opened is older than this rule, and so than its patience.
 */
export function isOutageATry(
  { openedAt = 0 }: Settlement,
  { now, minuteMs }: { now: number; minuteMs: number },
): boolean {
  return now - openedAt >= OUTAGE_PATIENCE_MINUTES * minuteMs;
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

export function asConfirmed(settlement: Settlement, mined: Mined): Settlement {
  const { hash: txHash, blockNumber, at, lookAt } = mined;
  if (mined.isFinal) return asFinal({ ...settlement, txHash }, blockNumber);
  return { ...settlement, state: 'CONFIRMED', txHash, blockNumber, confirmedAt: at, nextCheckAt: lookAt };
}

/** The transfer cannot be undone any more: nobody looks at it again. */
export function asFinal(settlement: Settlement, blockNumber: number): Settlement {
  return { ...settlement, state: 'FINAL', blockNumber, nextCheckAt: undefined };
}

/** The transfer was undone and cannot come back: a person's. */
export function asLost(settlement: Settlement): Settlement {
  return { ...settlement, state: 'LOST', nextCheckAt: undefined };
}

/** The transfer that is in the chain is another attempt's than the one that was reported. */
export function asMoved(settlement: Settlement, { hash, blockNumber }: Mined): Settlement {
  return { ...settlement, txHash: hash, blockNumber };
}

/** The signed bytes that are to be in the chain: those that were confirmed, else the latest. */
export function bytesOf({ attempts, txHash }: Settlement): string | undefined {
  return (attempts.find(({ hash }) => hash === txHash) ?? attempts.at(-1))?.raw;
}

/** One try less: nothing is owned any more. After the last try it is over, and at once where it is to be cancelled. */
export function withFailedTry(settlement: Settlement, reason: string): Settlement {
  const { transactionId, asset, units, to, cancel, openedAt } = settlement;
  const tries = [...settlement.tries, reason];
  const state = tries.length < SETTLEMENT_TRIES && !cancel ? 'REQUESTED' : 'FAILED';
  const anew = openSettlement({ transactionId, asset, units, to }, openedAt);
  return { ...anew, state, tries, ...(cancel && { cancel }) };
}

/** What a failed try is to the caller. */
export function asFailure({ state, tries, cancel }: Settlement): SettlementOutcome & { state: 'FAILED' } {
  const failure = { state: 'FAILED', reason: tries.at(-1) ?? 'UNKNOWN' } as const;
  if (state === 'FAILED' && cancel) return { ...failure, triesLeft: 0, cancelledFor: cancel.reason };
  return { ...failure, triesLeft: SETTLEMENT_TRIES - tries.length };
}

/** It is to be cancelled, and nothing that does so is signed yet. */
export function isCancelDue({ cancel, attempts }: Settlement): boolean {
  return cancel !== undefined && attempts.at(-1)?.kind !== 'cancel';
}

/** Nodes that must show a transfer, where so many are asked. A failure, which frees the nonce, needs every one. */
const CONFIRMING_NODES = 2;

export type Verdict = 'WAIT' | 'CAST' | 'BUMP' | 'CANCEL' | 'CONFIRM' | 'FAIL' | 'CANCELLED' | 'HOLD';

/**
 * What the receipts of all attempts of one nonce mean. Doubt never frees the nonce: no receipt is cast again,
 * a revert counts only at final depth, and a success without the right log is held for a person. A nonce that is
 * used although no receipt is seen means a node that lags: ask again. Two receipts of one nonce contradict, and one
 * node that lies or follows a fork must not make us pay again, or pay back what was paid: so a cancel in the chain ends
 * the payment as a revert does, at final depth and shown by every node. What was outbid counts as paid once it is final.
 */
export function judge(
  settlement: Settlement,
  receipts: Receipt[],
  at: { now: number; confirmations: number; isNonceUsed?: boolean },
): Verdict {
  const mined = receipts[0];
  if (receipts.length > 1) return 'WAIT';
  if (!mined) return at.isNonceUsed ? 'WAIT' : judgeSilence(settlement, at.now);
  const isBeyondDoubt = mined.isFinal && mined.nodes === mined.asked;
  const { kind } = settlement.attempts.find(({ hash }) => hash === mined.hash) ?? {};
  if (kind === 'cancel') return isBeyondDoubt ? 'CANCELLED' : 'WAIT';
  if (!mined.succeeded) return isBeyondDoubt ? 'FAIL' : 'WAIT';
  if (!mined.transferred) return 'HOLD';
  const isDeep = mined.confirmations >= at.confirmations && (mined.isFinal || !isOutbid(settlement));
  return isDeep && isCorroborated(mined) ? 'CONFIRM' : 'WAIT';
}

/** A cancel is signed: were the payment undone, no cast of it would win against the higher fees. */
function isOutbid({ attempts }: Settlement): boolean {
  return attempts.some(({ kind }) => kind === 'cancel');
}

function isCorroborated({ nodes, asked }: Receipt): boolean {
  return nodes >= Math.min(CONFIRMING_NODES, asked);
}

/** `DOUBT`: the nonce is used, and nobody shows by what. `MOVED`: another attempt of ours is the transfer now. */
export type WatchVerdict = 'WAIT' | 'CAST' | 'DOUBT' | 'MOVED' | 'FINAL' | 'LOST';

/**
 * What has become of a confirmed transfer (docs/settlement.md, step 9). What a reorganisation dropped is cast again; it
 * is lost only where something else at its nonce is final, by every node.
 */
export function judgeConfirmed(
  settlement: Settlement,
  receipts: Receipt[],
  at: { confirmations: number; isNonceUsed: boolean },
): WatchVerdict {
  const mined = receipts[0];
  if (receipts.length > 1) return 'WAIT';
  if (!mined) return at.isNonceUsed ? 'DOUBT' : 'CAST';
  if (!mined.succeeded || !mined.transferred) {
    return mined.isFinal && mined.nodes === mined.asked ? 'LOST' : 'WAIT';
  }
  if (!isCorroborated(mined)) return 'WAIT';
  if (mined.hash === settlement.txHash) return mined.isFinal ? 'FINAL' : 'WAIT';
  return mined.confirmations >= at.confirmations ? 'MOVED' : 'WAIT';
}

function judgeSilence(settlement: Settlement, now: number): Verdict {
  if (isCancelDue(settlement)) return 'CANCEL';
  if (settlement.lastCastAt === undefined) return 'CAST';
  if (now - settlement.lastCastAt < RECAST_AFTER_MS) return 'WAIT';
  return settlement.casts >= BUMP_AFTER_CASTS ? 'BUMP' : 'CAST';
}
