/** Brasília has had no summer time since 2019. */
const OFFSET_MS = -3 * 60 * 60_000;
const MS_PER_DAY = 24 * 60 * 60_000;

/** The day in Brasília as an ISO date, at an instant in epoch milliseconds: birthdays and sanctions go by it. */
export function dayInBrasilia(now: number): string {
  return new Date(now + OFFSET_MS).toISOString().slice(0, 10);
}

/** The instant at which a day (`YYYY-MM-DD`) is over in Brasília, in epoch milliseconds; NaN where it is no date. */
export function endOfDayInBrasilia(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + MS_PER_DAY - OFFSET_MS;
}

/** The days in Brasília that two instants and what lies between them belong to, the first first. */
export function daysBetween(from: number, to: number): string[] {
  const days = new Set<string>();
  for (let at = from; at < to; at += MS_PER_DAY) days.add(dayInBrasilia(at));
  return [...days.add(dayInBrasilia(to))];
}

/** Now, and how long a minute of the waits lasts (60,000 ms but in a hurried sandbox). */
export type Instant = { now: number; minuteMs: number };
