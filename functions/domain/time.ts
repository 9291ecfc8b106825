/** Brasília has had no summer time since 2019. */
const OFFSET_MS = -3 * 60 * 60_000;
const MS_PER_DAY = 24 * 60 * 60_000;

/** The day in Brasília as an ISO date. Birthdays and sanctions follow it. `now` is in epoch milliseconds. */
export function dayInBrasilia(now: number): string {
  return new Date(now + OFFSET_MS).toISOString().slice(0, 10);
}

/** The end of a day (`YYYY-MM-DD`) in Brasília, in epoch milliseconds. NaN if the text is no date. */
export function endOfDayInBrasilia(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + MS_PER_DAY - OFFSET_MS;
}

/** The days in Brasília from one instant to another, both included, in their order. */
export function daysBetween(from: number, to: number): string[] {
  const days = new Set<string>();
  for (let at = from; at < to; at += MS_PER_DAY) days.add(dayInBrasilia(at));
  return [...days.add(dayInBrasilia(to))];
}

/** The instant, and the length of a minute of the waits (60,000 ms, or less in a hurried sandbox). */
export type Instant = { now: number; minuteMs: number };

/** The instant as an ISO text with Brasília's time and offset. */
export function withBrasiliaOffset(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().replace('Z', '-03:00');
}
