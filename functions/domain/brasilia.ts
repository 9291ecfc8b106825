/** Brasília has had no summer time since 2019. */
const OFFSET_MS = -3 * 60 * 60_000;

/** The day in Brasília as an ISO date, at an instant in epoch milliseconds: birthdays and sanctions go by it. */
export function dayInBrasilia(now: number): string {
  return new Date(now + OFFSET_MS).toISOString().slice(0, 10);
}
