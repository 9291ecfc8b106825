/**
 * The length of a minute in the shared sandbox. It is short, because tests wait for expiries. It is long enough to
 * open and pay a purchase within its windows on a busy machine.
 */
export const HURRIED_MINUTE_MS = 2_000;

/** The length of `count` minutes of the shared sandbox, in milliseconds. */
export const hurriedMinutes = (count: number) => count * HURRIED_MINUTE_MS;
