/** The days that a listed birth date allows. ISO, both included. ISO days compare as text. */
export type Birth = { from: string; to: string };

/** The years that "circa" adds on either side. The publishers give no number; the evaluation list uses two. */
const CIRCA_YEARS = 2;
const LAST_YEAR = 9999;
/** Every month may end on the 31st here, because days compare as text. */
const ISO_DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

export function dayOf(text: string): Birth | undefined {
  return ISO_DAY.test(text) ? { from: text, to: text } : undefined;
}

/** From the first day of one to the last day of the other; undefined if that is before the first. */
export function spanOf(first: Birth | undefined, last: Birth | undefined): Birth | undefined {
  return first && last && first.from <= last.to ? { from: first.from, to: last.to } : undefined;
}

/** Whole years, for a list that gives only the year. */
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
