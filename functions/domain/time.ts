export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Brasília has had no summer time since 2019. */
const OFFSET_MS = -3 * HOUR_MS;

/** An instant in epoch milliseconds as an ISO text in UTC. The API, events and logs show instants in this form. */
export const isoInstant = (at: number): string => new Date(at).toISOString();

/**
 * The day in Brasília as an ISO date. Ages, daily limits, postings and searches of the lists depend on this
 * day. `now` is in epoch milliseconds.
 */
export function dayInBrasilia(now: number): string {
  return new Date(now + OFFSET_MS).toISOString().slice(0, 10);
}

/**
 * The end of a day (`YYYY-MM-DD`) in Brasília, in epoch milliseconds. NaN if the calendar does not have the
 * day.
 */
export function endOfDayInBrasilia(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS - OFFSET_MS;
}

/** A period in epoch milliseconds. `from` belongs to it, and `to` does not. */
export type Period = { from: number; to: number };

/**
 * Converts a month (`2026-11`) or a day (`2026-11-20`) in Brasília to a period. Undefined if the calendar
 * does not have it.
 */
export function periodInBrasilia(text: string): Period | undefined {
  const [year = 0, month = 0, day] = text.split('-').map(Number);
  const from = Date.UTC(year, month - 1, day ?? 1) - OFFSET_MS;
  const to = Date.UTC(year, ...(day === undefined ? [month] : ([month - 1, day + 1] as const))) - OFFSET_MS;
  // `Date.UTC` reads the 31st of a short month as a day of the next month. Therefore the result is formatted
  // again and compared with the text.
  return text === dayInBrasilia(from).slice(0, text.length) ? { from, to } : undefined;
}

/** The first instant after a day's month in Brasília. */
export function endOfMonthInBrasilia(day: string): number {
  const [year, month] = day.split('-').map(Number);
  return Date.UTC(Number(year), Number(month)) - OFFSET_MS;
}

/** The first instant after a day's year in Brasília. */
export function endOfYearInBrasilia(day: string): number {
  return Date.UTC(Number.parseInt(day, 10) + 1, 0) - OFFSET_MS;
}

/**
 * The days in Brasília from the day of one instant to the day of the other, both included, in their order.
 */
export function daysBetween(from: number, to: number): string[] {
  const days = new Set<string>();
  for (let at = from; at < to; at += DAY_MS) days.add(dayInBrasilia(at));
  return [...days.add(dayInBrasilia(to))];
}

/**
 * The present instant, and the length of a minute in all waits: 60,000 ms, or less in a sandbox with short
 * minutes.
 */
export type Instant = { now: number; minuteMs: number };

/** The pause before the next look at something that waits: a quarter of its age, within bounds. */
export const quarterOf = (ageMs: number, { least, most }: { least: number; most: number }): number =>
  Math.min(Math.max(ageMs / 4, least), most);

/** The instant as an ISO text with Brasília's time and offset. */
export function withBrasiliaOffset(at: number): string {
  return new Date(at + OFFSET_MS).toISOString().replace('Z', '-03:00');
}
