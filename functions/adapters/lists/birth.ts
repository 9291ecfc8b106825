/**
 * The first and the last day of a listed birth date, both included. Both are ISO days, so they can be
 * compared as text.
 */
export type Birth = { from: string; to: string };

/**
 * The years that "circa" adds before and after. The publishers give no number, so two years are our own
 * choice.
 */
const CIRCA_YEARS = 2;
const LAST_YEAR = 9999;
/** Accepts the 31st in every month, because days are only compared as text. */
const ISO_DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

export function birthDayOf(text: string): Birth | undefined {
  return ISO_DAY.test(text) ? { from: text, to: text } : undefined;
}

/**
 * The period from the first day of `first` to the last day of `last`. Undefined if one of them is undefined,
 * or if the period would end before it begins.
 */
export function birthSpan(first: Birth | undefined, last: Birth | undefined): Birth | undefined {
  return first && last && first.from <= last.to ? { from: first.from, to: last.to } : undefined;
}

/** The period from 1 January of the first year to 31 December of the last year. */
export function yearsOf(first: string, last: string): Birth | undefined {
  if (!/^\d{4}$/.test(first) || !/^\d{4}$/.test(last)) return undefined;
  return first <= last ? { from: `${first}-01-01`, to: `${last}-12-31` } : undefined;
}

export function circa(birth: Birth): Birth {
  return { from: shiftYears(birth.from, -CIRCA_YEARS), to: shiftYears(birth.to, CIRCA_YEARS) };
}

function shiftYears(day: string, years: number): string {
  const year = Math.min(Math.max(Number(day.slice(0, 4)) + years, 0), LAST_YEAR);
  return `${String(year).padStart(4, '0')}${day.slice(4)}`;
}
