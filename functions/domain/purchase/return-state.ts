import { getAt } from '../get.ts';
import { type Instant, isoInstant } from '../time.ts';

/** How far a return has come, as its row says. Instants are epoch milliseconds. */
export type ReturnState =
  /** `FAILED`: the service tries no more, and a person must decide. */
  | (TriedReturn & { status: 'PENDING' | 'FAILED' })
  /** `refundedAt`: when the service recorded the success. */
  | (TriedReturn & Partial<MadeReturn> & { status: 'REFUNDED'; refundedAt: number });
type TriedReturn = {
  /** How many tries have ended without money being sent. Absent if none has. */
  tries?: number;
  /** When the next try may begin, at the earliest. */
  nextTryAt?: number;
};

/**
 * The ids of a return that was made. `returnId` is the id that we gave to it. `rtrId` is its id between the
 * banks, by which the payer's bank finds it. It is absent if the provider did not show it.
 */
export type MadeReturn = { returnId: string; rtrId?: string };

/**
 * How one try of a return ended. `FAILED`: the provider sent no money, but another try may succeed.
 * `IMPOSSIBLE`: no other try can succeed, because the provider itself has already returned too much.
 */
export type TryEnd = 'REFUNDED' | 'FAILED' | 'IMPOSSIBLE';

/**
 * The pauses before each new try of a return, in minutes. Together they last more than two days.
 * `nextAfterFault` uses the same pauses for a request that the provider refused with an error.
 */
export const RETURN_RETRY_MINUTES = [1, 10, 60, 360, 1440, 1440] as const;

export function stateAfter<State extends ReturnState>(
  state: State,
  end: TryEnd,
  at: Instant,
  made?: MadeReturn,
): State {
  if (end === 'REFUNDED') return { ...state, ...made, status: 'REFUNDED', refundedAt: at.now };
  if (end === 'IMPOSSIBLE') return { ...state, status: 'FAILED' };
  const tries = (state.tries ?? 0) + 1;
  const minutes = RETURN_RETRY_MINUTES[tries - 1];
  if (minutes === undefined) return { ...state, status: 'FAILED', tries };
  return { ...state, tries, nextTryAt: at.now + minutes * at.minuteMs };
}

/**
 * When to repeat a request for a return that the provider has refused with an error `faults` times. Such a
 * refusal ends no try, so the repeated request has the same id.
 */
export function nextAfterFault(faults: number, at: Instant): number {
  const minutes = getAt(RETURN_RETRY_MINUTES, Math.min(faults, RETURN_RETRY_MINUTES.length) - 1);
  return at.now + minutes * at.minuteMs;
}

/** The facts by which a partner proves a made return to the client's bank. Undefined if it is not made. */
export function proofOf(state: ReturnState) {
  if (state.status !== 'REFUNDED') return undefined;
  const { returnId, rtrId, refundedAt } = state;
  return { returnId, rtrId, refundedAt: isoInstant(refundedAt) };
}

const REFUSALS_IN_AN_HOUR = 3;
/**
 * Whether a refused return raises an alarm, although it is tried again. `tries` counts the refused tries. The
 * first three come within minutes, and are usually due to the payer's account. The fourth comes after more
 * than an hour. Our own account may then be unable to pay.
 */
export const isRefusedLong = (tries: number): boolean => tries > REFUSALS_IN_AN_HOUR;
