/** The days in which an endpoint takes nothing: docs/decisions.md, "An endpoint that fails for days". */
import type { Instant } from '../time.ts';

/** The time without a success of an endpoint that fails, in epoch milliseconds. */
export type FailingPeriod = {
  since: number;
  /** The last failure that was noted. */
  lastAt: number;
};

/** Without one success for so long, the service pauses the endpoint. */
export const PAUSE_AFTER_MINUTES = 5 * 24 * 60;
/** Longer than each pause between two attempts. An endpoint that got nothing for so long is not failing. */
const GAP_MINUTES = 2 * 24 * 60;
/** A burst of failures is one write in this time. */
const NOTED_EACH_MINUTES = 60;

/** The period after one more failure. It is the same object if nothing needs to be written. */
export function failingAfter(period: FailingPeriod | undefined, { now, minuteMs }: Instant): FailingPeriod {
  if (!period || now - period.lastAt > GAP_MINUTES * minuteMs) return { since: now, lastAt: now };
  const isNoted = now - period.lastAt < NOTED_EACH_MINUTES * minuteMs;
  return isNoted ? period : { ...period, lastAt: now };
}

/** True if the endpoint has failed for so long that it is paused. */
export const isPauseDue = ({ since }: FailingPeriod, { now, minuteMs }: Instant): boolean =>
  now - since >= PAUSE_AFTER_MINUTES * minuteMs;
