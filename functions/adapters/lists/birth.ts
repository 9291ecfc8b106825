/** The days that a listed birth date allows, ISO, both included. ISO days compare as text. */
export type Birth = { from: string; to: string };

/** What "circa" is worth to either side. The publishers do not say; the frozen evaluation list takes two. */
const CIRCA_YEARS = 2;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

export function dayOf(text: string): Birth | undefined {
  return ISO_DAY.test(text) ? { from: text, to: text } : undefined;
}

/** Whole years, as when only the year is listed. */
export function yearsOf(first: string, last: string): Birth | undefined {
  if (!/^\d{4}$/.test(first) || !/^\d{4}$/.test(last)) return undefined;
  return { from: `${first}-01-01`, to: `${last}-12-31` };
}

export function circa(birth: Birth): Birth {
  return { from: shiftYears(birth.from, -CIRCA_YEARS), to: shiftYears(birth.to, CIRCA_YEARS) };
}

function shiftYears(day: string, years: number): string {
  return `${String(Number(day.slice(0, 4)) + years).padStart(4, '0')}${day.slice(4)}`;
}
