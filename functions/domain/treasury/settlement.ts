import type { Asset } from '../assets.ts';
import type { FailureReason } from '../purchase/return-reasons.ts';
import type { Instant } from '../time.ts';
import type { Doing } from './doing.ts';

/** Spec, "Limits": one try and three automatic retries. */
export const SETTLEMENT_TRIES = 4;
/**
 * A settlement without a nonce waits so long for an outage to end, from its first visit on. After that an outage is a
 * failed try.
 */
export const OUTAGE_PATIENCE_MINUTES = 30;

/** The transfer that a purchase asks for. `units` are base units of the token. */
export type Payout = { transactionId: string; asset: Asset; units: bigint; to: string };

/**
 * One signed transaction, stored before it is sent. `raw` is its bytes in hex. A `cancel` uses the nonce up and
 * transfers nothing.
 */
export type Attempt = { kind: 'pay' | 'cancel'; hash: string; raw: string; at: number };
/** The attempts at one nonce, the oldest first. */
export type Attempts = readonly [Attempt, ...Attempt[]];

/**
 * The payment is not wanted any more. If a nonce is owned, the cancel competes with the payment at it, and the chain
 * decides.
 */
export type Cancellation = { reason: FailureReason; at: number };

/** Why a try failed: nothing of it can ever be mined. */
export type TryFailure =
  | 'CANCELLED'
  | 'DESTINATION_BLACKLISTED'
  | 'DESTINATION_RESERVED'
  | 'DESTINATION_SANCTIONED'
  | 'NONCE_USED_ELSEWHERE'
  | 'OUTAGE'
  | 'REVERTED'
  | 'TRANSFER_REFUSED';
type Failures = readonly [TryFailure, ...TryFailure[]];

type Begun = Payout & {
  /** When settlement first read it. Rows from before this was stored have none. */
  openedAt?: number;
  /** The slice of the hour in which it was last counted: functions/domain/treasury/payout-window.ts. */
  countedIn?: number;
  tries: readonly TryFailure[];
  attempts: readonly Attempt[];
  /** How many sends of the latest attempt were noted. */
  casts: number;
  cancel?: Cancellation;
};
type Unowned = Begun & { wallet?: undefined; nonce?: undefined };
type Owner = Begun & { wallet: string; nonce: number };

/** Owns no nonce: the next try is to begin. */
export type Requested = Unowned & { state: 'REQUESTED' };
/** Owns a nonce for which nothing is signed. */
export type Assigned = Owner & { state: 'ASSIGNED' };
/**
 * Has bytes that may be mined. `SIGNED`: no send of the latest bytes is noted yet. `hint` is the answer of the nodes:
 * never a fact.
 */
export type Signed = Owner & { attempts: Attempts } & (
    | { state: 'SIGNED'; lastCastAt?: undefined; hint?: undefined }
    | { state: 'BROADCAST'; lastCastAt: number; hint: string }
  );
/** Reported as completed. A reorganisation may still undo it. */
export type Confirmed = Owner & {
  state: 'CONFIRMED';
  attempts: Attempts;
  txHash: string;
  blockNumber: number;
} & (Watch | { confirmedAt?: undefined; nextCheckAt?: undefined });
/** The instants of the watch until the transfer is final. Only rows from before there was a watch have none. */
type Watch = { confirmedAt: number; nextCheckAt: number };
export type Watched = Confirmed & Watch;
/**
 * Nothing can undo the transfer. Without `confirmedAt`, it was final when it was first seen, or a replay found it.
 * After a replay attempts may be missing.
 */
export type Final = Owner & {
  state: 'FINAL';
  txHash: string;
  blockNumber: number;
  confirmedAt?: number;
  nextCheckAt?: undefined;
};
/**
 * A person must decide. A reorganisation undid its transfer for good, or a replay left it in doubt. After a replay
 * there is no `confirmedAt`.
 */
export type Lost = Owner & {
  state: 'LOST';
  txHash: string;
  blockNumber?: number;
  confirmedAt?: number;
  nextCheckAt?: undefined;
};
/** No try is left, or it was cancelled. */
export type Failed = Unowned & { state: 'FAILED'; tries: Failures };

/**
 * The settlement of one purchase (docs/settlement.md). It keeps its nonce until a fact at final depth takes the nonce
 * away. That fact counts as a failed try.
 */
export type Settlement = Requested | Owned | Failed;
/** May still be signed, sent, failed and cancelled. */
export type Open = Requested | Assigned | Signed;
export type Owned = Assigned | Signed | Confirmed | Final | Lost;
type Over = Exclude<Settlement, Open>;

/** Nothing is signed any more, and nothing is cancelled. */
export const OVER = ['CONFIRMED', 'FINAL', 'LOST', 'FAILED'] as const satisfies readonly Over['state'][];

export function isOver(settlement: Settlement): settlement is Over {
  return OVER.some((state) => state === settlement.state);
}

export function isOwned(settlement: Settlement): settlement is Owned {
  return settlement.nonce !== undefined;
}

/** Whether `WatchTransfers` still looks for a reorganisation of its block. */
export function isWatched(settlement: Settlement): settlement is Watched {
  return settlement.state === 'CONFIRMED' && settlement.nextCheckAt !== undefined;
}

/** A transfer in the chain. `at` is when it was seen. Unless it is final, `lookAt` is when to look at it again. */
export type Mined = { hash: string; blockNumber: number; isFinal: boolean; at: number; lookAt: number };

export type SettlementFailure = {
  state: 'FAILED';
  reason: TryFailure | 'NOT_TO_BE_SETTLED';
  /** 0: settlement must not be tried again. It is over, or the purchase is not to be settled. */
  triesLeft: number;
  /** Why it was cancelled, if it was. */
  cancelledFor?: FailureReason;
};

export type SettlementOutcome =
  | { state: 'CONFIRMED'; txHash: string; blockNumber: number }
  | { state: 'PENDING'; doing: Doing }
  | SettlementFailure;

/** A new settlement. */
export function openSettlement(payout: Payout, openedAt?: number): Requested {
  const opened = openedAt !== undefined && { openedAt };
  return { ...payout, ...opened, state: 'REQUESTED', tries: [], attempts: [], casts: 0 };
}

/**
 * Whether an outage is a failed try: docs/decisions.md, "A provider is down". A row without `openedAt` is older than
 * this rule, so its patience is over.
 */
export function isOutageATry({ openedAt }: Requested, { now, minuteMs }: Instant): boolean {
  return openedAt === undefined || now - openedAt >= OUTAGE_PATIENCE_MINUTES * minuteMs;
}

/** The settlement as the owner of a nonce. From now on only a fact takes the nonce away. */
export function withNonce(settlement: Requested, wallet: string, nonce: number): Assigned {
  return { ...settlement, state: 'ASSIGNED', wallet, nonce };
}

/** The settlement with one more signed transaction, not sent yet. */
export function withAttempt(settlement: Assigned | Signed, attempt: Attempt): Signed {
  const attempts = append(settlement.attempts, attempt);
  return { ...settlement, state: 'SIGNED', attempts, casts: 0, lastCastAt: undefined, hint: undefined };
}

export function withCast(settlement: Signed, cast: { at: number; hint: string }): Signed {
  return {
    ...settlement,
    state: 'BROADCAST',
    casts: settlement.casts + 1,
    lastCastAt: cast.at,
    hint: cast.hint,
  };
}

export function asConfirmed(settlement: Signed, mined: Mined): Confirmed | Final {
  const { hash: txHash, blockNumber, at, lookAt } = mined;
  if (mined.isFinal) return asFinal({ ...settlement, txHash }, blockNumber);
  return { ...settlement, state: 'CONFIRMED', txHash, blockNumber, confirmedAt: at, nextCheckAt: lookAt };
}

/** Marks a settlement whose transfer cannot be undone any more. It is not watched. */
export function asFinal(settlement: Owner & { txHash: string }, blockNumber: number): Final {
  return { ...settlement, state: 'FINAL', blockNumber, nextCheckAt: undefined };
}

/**
 * Marks a settlement that a person must decide. Either a reorganisation undid its transfer for good, or a replay
 * cannot prove which purchase its transfer paid.
 */
export function asLost(settlement: Owner & { txHash: string }): Lost {
  return { ...settlement, state: 'LOST', nextCheckAt: undefined };
}

/** Notes that another attempt than the reported one is in the chain. */
export function asMoved(
  settlement: Watched,
  { hash, blockNumber }: Pick<Mined, 'hash' | 'blockNumber'>,
): Watched {
  return { ...settlement, txHash: hash, blockNumber };
}

export function hasAttempts<Any extends Owned>(settlement: Any): settlement is Any & { attempts: Attempts } {
  return settlement.attempts.length > 0;
}

/** The attempt to send: the one that was confirmed, otherwise the latest. */
export function attemptToCast({ attempts, txHash }: { attempts: Attempts; txHash?: string }): Attempt {
  return attempts.find(({ hash }) => hash === txHash) ?? lastOf(attempts);
}

/**
 * Counts a failed try and gives up the nonce. The settlement is over after the last try, or at once if it is to be
 * cancelled.
 */
export function withFailedTry(settlement: Open, reason: TryFailure, cancel = settlement.cancel): AfterTry {
  const { transactionId, asset, units, to, openedAt, countedIn } = settlement;
  const tries = append(settlement.tries, reason);
  const counted = countedIn !== undefined && { countedIn };
  const anew = { ...openSettlement({ transactionId, asset, units, to }, openedAt), ...counted };
  const wish = cancel && { cancel };
  const isLast = tries.length >= SETTLEMENT_TRIES || cancel !== undefined;
  return isLast ? { ...anew, ...wish, state: 'FAILED', tries } : { ...anew, tries };
}

export type AfterTry = Failed | (Requested & { tries: Failures });

/** The answer to the caller about a failed try. */
export function asFailure({ state, tries, cancel }: AfterTry): SettlementFailure {
  const failure = { state: 'FAILED', reason: lastOf(tries) } as const;
  if (state === 'FAILED' && cancel) return { ...failure, triesLeft: 0, cancelledFor: cancel.reason };
  return { ...failure, triesLeft: SETTLEMENT_TRIES - tries.length };
}

/** Whether the payment is to be cancelled, and the latest attempt is not a cancel yet. */
export function isCancelDue({ cancel, attempts }: Signed): boolean {
  return cancel !== undefined && attempts.at(-1)?.kind !== 'cancel';
}

function append<Each>(list: readonly Each[], last: Each): readonly [Each, ...Each[]] {
  const [first, ...others] = list;
  return first === undefined ? [last] : [first, ...others, last];
}

function lastOf<Each>(list: readonly [Each, ...Each[]]): Each {
  return list.at(-1) ?? list[0];
}
