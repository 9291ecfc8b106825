import { getAt } from '../get.ts';
import type { Instant } from '../time.ts';

/** How far a return of money has come, as its row keeps it. Instants are epoch milliseconds. */
export type ReturnState = {
  /** `FAILED`: nothing tries it any more, and a person must decide. */
  status: 'PENDING' | 'REFUNDED' | 'FAILED';
  /** How many tries the provider has ended without sending anything. Absent before the first such end. */
  tries?: number;
  /** There is no new try before this instant. */
  nextTryAt?: number;
  /** When the success was recorded. */
  refundedAt?: number;
};

/** How one try has ended. `FAILED`: the provider sent nothing. `IMPOSSIBLE`: no other try can succeed either. */
export type TryEnd = 'REFUNDED' | 'FAILED' | 'IMPOSSIBLE';

/**
 * Minutes before each new try of a return that the provider ended without sending it. Together they are more than two
 * days. A request that the provider refused is repeated after the same minutes.
 */
export const RETURN_RETRY_MINUTES = [1, 10, 60, 360, 1440, 1440] as const;

export function stateAfter<State extends ReturnState>(state: State, end: TryEnd, at: Instant): State {
  if (end === 'REFUNDED') return { ...state, status: 'REFUNDED', refundedAt: at.now };
  if (end === 'IMPOSSIBLE') return { ...state, status: 'FAILED' };
  const tries = (state.tries ?? 0) + 1;
  const minutes = RETURN_RETRY_MINUTES[tries - 1];
  if (minutes === undefined) return { ...state, status: 'FAILED', tries };
  return { ...state, tries, nextTryAt: at.now + minutes * at.minuteMs };
}

/** When to repeat, under the same id, a request that the provider has refused `faults` times. */
export function nextAfterFault(faults: number, at: Instant): number {
  const minutes = getAt(RETURN_RETRY_MINUTES, Math.min(faults, RETURN_RETRY_MINUTES.length) - 1);
  return at.now + minutes * at.minuteMs;
}

const REFUSALS_IN_AN_HOUR = 3;
/**
 * Whether operators get an alarm about a refused return although it is tried again. The cause of an early refusal is
 * usually the payer's account. After more than an hour it may be that our own account cannot pay.
 */
export const isRefusedLong = (tries: number): boolean => tries > REFUSALS_IN_AN_HOUR;
