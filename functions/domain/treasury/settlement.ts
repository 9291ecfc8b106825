import type { Asset } from '../assets.ts';
import type { FailureReason } from '../purchase/return-reasons.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Instant } from '../time.ts';
import type { Doing } from './doing.ts';
import type { GasSpent } from './gas.ts';

/** Spec, "Limits": one try and three automatic retries. */
export const SETTLEMENT_TRIES = 4;
/**
 * How long a settlement without a nonce waits for an outage to end, counted from the visit that first found it. From
 * then on, each further visit that finds it is a failed try. If no visit found it for this long, it counts as over.
 */
export const OUTAGE_PATIENCE_MINUTES = 30;

/**
 * The transfer that pays a purchase. `units` are base units of the token. A purchase without both seals is
 * not paid out.
 */
export type Payout = { transactionId: string; asset: Asset; units: bigint; to: string } & Seals;
type Seals = Pick<Transaction, 'sealedDestination' | 'sealedUnits'>;

/**
 * One signed transaction. It is stored before it is sent. `raw` is its bytes in hex. A `cancel` uses up the nonce and
 * transfers nothing.
 */
export type Attempt = { kind: 'pay' | 'cancel'; hash: string; raw: string; at: number };
/** The attempts at one nonce, the oldest first. At most one of them can be mined. */
type Attempts = readonly [Attempt, ...Attempt[]];

/**
 * The request to cancel a payment. If the payment owns a nonce, a `cancel` is signed with the same nonce.
 * Only one of the payment and the cancel can be mined.
 */
export type Cancellation = { reason: FailureReason; at: number };

/** Why a try failed. No transaction of a failed try can be mined any more. */
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

type BegunPayout = Payout & {
  /** When the first visit opened the settlement, or when a replay found its transfer without a row. */
  openedAt: number;
  /**
   * When nodes or KMS fell silent before a nonce was owned, and when a visit last found them so. Absent while they
   * answer.
   */
  outage?: { since: number; seenAt: number };
  /**
   * The number of the five-minute slice to which the payout was last added: `PayoutWindow` in
   * `payout-window.ts`.
   */
  countedIn?: number;
  tries: readonly TryFailure[];
  attempts: readonly Attempt[];
  /** How many sends of the latest attempt were recorded. */
  casts: number;
  cancel?: Cancellation;
};
type Unowned = BegunPayout & { wallet?: undefined; nonce?: undefined };
type OwnedNonce = BegunPayout & { wallet: string; nonce: number };

/** A settlement that owns no nonce. Its next try has not begun. */
export type Requested = Unowned & { state: 'REQUESTED' };
/** A settlement that owns a nonce. No transaction is signed for it yet. */
export type Assigned = OwnedNonce & { state: 'ASSIGNED' };
/**
 * A settlement with a signed transaction that may be mined. `SIGNED`: no send of the latest bytes is
 * recorded yet. `hint` is the nodes' answer to the last send. The answer proves nothing.
 */
export type Signed = OwnedNonce & { attempts: Attempts } & (
    | { state: 'SIGNED'; lastCastAt?: undefined; hint?: undefined }
    | { state: 'BROADCAST'; lastCastAt: number; hint: string }
  );
/**
 * The transfer was reported as completed. A reorganisation may still undo it, so `WatchTransfers` must look at it next
 * at `nextCheckAt`.
 */
export type Confirmed = OwnedNonce & {
  state: 'CONFIRMED';
  attempts: Attempts;
  txHash: string;
  blockNumber: number;
  confirmedAt: number;
  nextCheckAt: number;
};
/**
 * Nothing can undo the transfer any more. `confirmedAt` is absent if the transfer was final when it was first seen, or
 * if a replay found it. After a replay, attempts may be missing.
 */
export type Final = OwnedNonce & {
  state: 'FINAL';
  txHash: string;
  blockNumber: number;
  confirmedAt?: number;
  nextCheckAt?: undefined;
};
/**
 * A person must decide. Either a reorganisation has undone the transfer for good, or a replay cannot prove
 * which purchase the transfer paid. In the second case `confirmedAt` is absent.
 */
export type Lost = OwnedNonce & {
  state: 'LOST';
  txHash: string;
  blockNumber?: number;
  confirmedAt?: number;
  nextCheckAt?: undefined;
};
/** A settlement that will not pay: no try is left, or it was cancelled. */
export type Failed = Unowned & { state: 'FAILED'; tries: Failures };

/**
 * The settlement of one purchase: docs/settlement.md. It loses a nonce only by an event in final blocks: a
 * revert, a mined cancel, or a use of the nonce by another party. Each of these is a failed try.
 */
export type Settlement = Requested | Owned | Failed;
/** A settlement that may still be signed, sent or cancelled, and may still fail. */
export type Open = Requested | Assigned | Signed;
export type Owned = Assigned | Signed | Confirmed | Final | Lost;
type Over = Exclude<Settlement, Open>;

/** The states in which the settlement signs and cancels nothing more. */
export const OVER = ['CONFIRMED', 'FINAL', 'LOST', 'FAILED'] as const satisfies readonly Over['state'][];

export function isOver(settlement: Settlement): settlement is Over {
  return OVER.some((state) => state === settlement.state);
}

export function isOwned(settlement: Settlement): settlement is Owned {
  return settlement.nonce !== undefined;
}

/** Whether `WatchTransfers` still checks that no reorganisation has undone the transfer. */
export function isWatched(settlement: Settlement): settlement is Confirmed {
  return settlement.state === 'CONFIRMED';
}

/**
 * A transfer that is in the chain. `at` is when it was seen. If it is not final, `lookAt` is when to look again. If it
 * is, `gas` is its cost, unless the nodes do not tell it.
 */
export type Mined = {
  hash: string;
  blockNumber: number;
  isFinal: boolean;
  at: number;
  lookAt: number;
  gas?: GasSpent;
};

type SettlementFailure = {
  state: 'FAILED';
  reason: TryFailure | 'NOT_TO_BE_SETTLED';
  /** If it is 0, settlement must not be tried again: no try is left, or the purchase must not be settled. */
  triesLeft: number;
  /** Why the payment was cancelled. Absent if it was not. */
  cancelledFor?: FailureReason;
};

export type SettlementOutcome =
  | { state: 'CONFIRMED'; txHash: string; blockNumber: number }
  | { state: 'PENDING'; doing: Doing }
  | SettlementFailure;

export function payoutOf(purchase: Transaction): Payout {
  const { id: transactionId, asset, quote, walletAddress: to, sealedDestination, sealedUnits } = purchase;
  return { transactionId, asset, units: quote.assetUnits, to, sealedDestination, sealedUnits };
}

/** A new settlement of the payout, or of the payout of an earlier settlement. */
export function openSettlement(payout: Payout, openedAt: number): Requested {
  const { transactionId, asset, units, to, sealedDestination, sealedUnits } = payout;
  const terms = { transactionId, asset, units, to, sealedDestination, sealedUnits };
  return { ...terms, openedAt, state: 'REQUESTED', tries: [], attempts: [], casts: 0 };
}

/**
 * Whether an outage is a failed try now: docs/decisions.md, "A provider is down". Only the outage itself counts. A
 * payment that has waited for tokens or for other payments must outlast a short silence like any other.
 */
export function isOutageATry(settlement: Requested, at: Instant): boolean {
  return at.now - outageNow(settlement, at).since >= OUTAGE_PATIENCE_MINUTES * at.minuteMs;
}

/** The outage as this visit finds it: the one that an earlier visit has found, or a new one. */
export function outageNow({ outage }: Requested, { now, minuteMs }: Instant) {
  const isKnown = outage && now - outage.seenAt <= OUTAGE_PATIENCE_MINUTES * minuteMs;
  return { since: isKnown ? outage.since : now, seenAt: now };
}

export function withNonce(settlement: Requested, wallet: string, nonce: number): Assigned {
  return { ...settlement, outage: undefined, state: 'ASSIGNED', wallet, nonce };
}

/** Adds a signed transaction that is not sent yet. */
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

/** Marks a settlement whose transfer nothing can undo any more. It is no longer watched. */
export function asFinal(settlement: OwnedNonce & { txHash: string }, blockNumber: number): Final {
  return { ...settlement, state: 'FINAL', blockNumber, nextCheckAt: undefined };
}

/**
 * Marks a settlement about which a person must decide. Either a reorganisation undid its transfer for good, or a replay
 * cannot prove which purchase the transfer paid.
 */
export function asLost(settlement: OwnedNonce & { txHash: string }): Lost {
  return { ...settlement, state: 'LOST', nextCheckAt: undefined };
}

/**
 * Records that a reorganisation has replaced the reported transaction by another attempt at the same nonce.
 */
export function asMoved(
  settlement: Confirmed,
  { hash, blockNumber }: Pick<Mined, 'hash' | 'blockNumber'>,
): Confirmed {
  return { ...settlement, txHash: hash, blockNumber };
}

export function hasAttempts<Any extends Owned>(settlement: Any): settlement is Any & { attempts: Attempts } {
  return settlement.attempts.length > 0;
}

/** The attempt whose bytes are sent again: the one with the reported hash, otherwise the latest. */
export function attemptToCast({ attempts, txHash }: { attempts: Attempts; txHash?: string }): Attempt {
  return attempts.find(({ hash }) => hash === txHash) ?? lastOf(attempts);
}

/**
 * Counts a failed try and gives up the nonce. The settlement fails for good after the last try, or at once if
 * a cancel was asked for.
 */
export function withFailedTry(settlement: Open, reason: TryFailure, cancel = settlement.cancel): AfterTry {
  const { openedAt, countedIn, outage } = settlement;
  const tries = append(settlement.tries, reason);
  const counted = countedIn !== undefined && { countedIn };
  // If the try failed for any other reason than an outage, the nodes have answered. The outage is then
  // over.
  const silent = reason === 'OUTAGE' && outage && { outage };
  const anew = { ...openSettlement(settlement, openedAt), ...counted, ...silent };
  const wish = cancel && { cancel };
  const isLast = tries.length >= SETTLEMENT_TRIES || cancel !== undefined;
  return isLast ? { ...anew, ...wish, state: 'FAILED', tries } : { ...anew, tries };
}

export type AfterTry = Failed | (Requested & { tries: Failures });

/** Makes the answer about a failed try, which tells the state machine how many tries are left. */
export function asFailure({ state, tries, cancel }: AfterTry): SettlementFailure {
  const failure = { state: 'FAILED', reason: lastOf(tries) } as const;
  if (state === 'FAILED' && cancel) return { ...failure, triesLeft: 0, cancelledFor: cancel.reason };
  return { ...failure, triesLeft: SETTLEMENT_TRIES - tries.length };
}

/** Whether a cancel was asked for, and the latest attempt is not yet a cancel. */
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
