/** Durations of virtual time. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/**
 * The instant at which each world starts. It is later than the first block of every anvil, whenever the simulation
 * runs.
 */
export const START_AT = Date.UTC(2090, 0, 2);
export const SPAN_MS = 60 * MINUTE_MS;
/** No fault happens from this time on. The windows of the last purchase have ended an hour before. */
export const QUIET_AFTER_MS = SPAN_MS + 2 * HOUR_MS;
/**
 * A purchase that has not ended this long after the last fault is stuck. A person could end it in production, but the
 * simulation has no person.
 */
export const STUCK_AFTER_MS = 4 * HOUR_MS;
/** The longest virtual time of a world. A refund alone may take two and a half days of tries. */
export const LONGEST_MS = 12 * 24 * HOUR_MS;
