/** The days that a listed birth date allows, ISO, both included. ISO days compare as text. */
export type Birth = { from: string; to: string };

/** What "circa" is worth to either side. The publishers do not say; the frozen evaluation list takes two. */
const CIRCA_YEARS = 2;
const LAST_YEAR = 9999;
/** Months end on the 31st here: days compare as text. */
const ISO_DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

export function dayOf(text: string): Birth | undefined {
  return ISO_DAY.test(text) ? { from: text, to: text } : undefined;
}

/** From the first day of one to the last of the other; undefined where that would be before. */
export function spanOf(first: Birth | undefined, last: Birth | undefined): Birth | undefined {
  return first && last && first.from <= last.to ? { from: first.from, to: last.to } : undefined;
}

/** Whole years, as when only the year is listed. */
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
