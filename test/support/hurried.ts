/**
 * What a minute of the shared sandbox lasts: short, for tests wait for expiries; long enough for a purchase to be opened
 * and paid within its windows by a machine that has much else to do.
 */
export const HURRIED_MINUTE_MS = 2_000;

/** So many minutes of the shared sandbox, in milliseconds. */
export const hurriedMinutes = (count: number) => count * HURRIED_MINUTE_MS;
