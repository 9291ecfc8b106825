/** How long an endpoint has taken no event: docs/decisions.md, "Webhooks". */
import type { Instant } from '../time.ts';

/** The time in which an endpoint has had only failures, in epoch milliseconds. */
export type FailingPeriod = {
  since: number;
  /** The last failure that was recorded. */
  lastAt: number;
};

/** The service pauses an endpoint after this time without a success. */
export const PAUSE_AFTER_MINUTES = 5 * 24 * 60;
/**
 * This is longer than every pause between two attempts. If the last failure is older than this, nothing was
 * sent to the endpoint meanwhile, so a new period of failures begins.
 */
const GAP_MINUTES = 2 * 24 * 60;
/** At most one failure is written in this time, so that many failures at once cost one write. */
const NOTED_EACH_MINUTES = 60;

/**
 * The period of failures after one more failure. If nothing needs to be saved, the result is the same
 * object as `period`.
 */
export function failingAfter(period: FailingPeriod | undefined, { now, minuteMs }: Instant): FailingPeriod {
  if (!period || now - period.lastAt > GAP_MINUTES * minuteMs) return { since: now, lastAt: now };
  const isNoted = now - period.lastAt < NOTED_EACH_MINUTES * minuteMs;
  return isNoted ? period : { ...period, lastAt: now };
}

/** Whether the endpoint has failed for `PAUSE_AFTER_MINUTES`, so that the service must pause it. */
export const isPauseDue = ({ since }: FailingPeriod, { now, minuteMs }: Instant): boolean =>
  now - since >= PAUSE_AFTER_MINUTES * minuteMs;
