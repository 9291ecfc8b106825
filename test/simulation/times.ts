/** Of virtual time. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** After every anvil's first block, whenever this runs. */
export const START_AT = Date.UTC(2090, 0, 2);
export const SPAN_MS = 60 * MINUTE_MS;
/** The last purchase's windows, and an hour. */
export const QUIET_AFTER_MS = SPAN_MS + 2 * HOUR_MS;
/** A person may have to pause for a while; nobody is asked in here. */
export const STUCK_AFTER_MS = 4 * HOUR_MS;
/** Refunds are tried for two and a half days. */
export const LONGEST_MS = 12 * 24 * HOUR_MS;
