/** Durations of virtual time. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** The start is later than the first block of every anvil, whenever the simulation runs. */
export const START_AT = Date.UTC(2090, 0, 2);
export const SPAN_MS = 60 * MINUTE_MS;
/** The windows of the last purchase have ended by then, and one more hour has passed. */
export const QUIET_AFTER_MS = SPAN_MS + 2 * HOUR_MS;
/** A purchase may wait for a person for some hours. The simulation has no person. */
export const STUCK_AFTER_MS = 4 * HOUR_MS;
/** The service tries a refund for two and a half days. */
export const LONGEST_MS = 12 * 24 * HOUR_MS;
