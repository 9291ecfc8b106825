import { getAt } from '../../domain/get.ts';
import { int32At, uint32At } from './numbers.ts';
/**
 * How a client's birth date agrees with the listed birth dates. In this file a day is a number of the form
 * `yyyymmdd`, so the greater number is the later day.
 */
export type BirthVerdict = 'day' | 'span' | 'slip' | 'near' | 'unknown' | 'differs';

export type BirthEvidence = { verdict: BirthVerdict; weight: number };

/**
 * Natural logarithms of likelihood ratios. A ratio says how many times more often the listed person agrees or
 * differs in this way than a stranger. Two strangers are born on the same day once in some 30,000 pairs.
 */
const DAY = 10;
/**
 * The evidence of an equal year. Two strangers have an equal year of birth about once in fifty. The evidence
 * is lower for a listed period of several years.
 */
const YEAR = 4;
const MONTH = 5.5;
const SLIP = 4;
const NEAR = 0.1;
const DIFFERS_BY_YEARS = [-3.5, -4.5, -6, -7, -8];
const FARTHEST = -9;

const UNKNOWN: BirthEvidence = { verdict: 'unknown', weight: 0 };
const EQUAL: BirthEvidence = { verdict: 'day', weight: DAY };
const IN_MONTH: BirthEvidence = { verdict: 'span', weight: MONTH };
const IN_WHOLE_YEAR: BirthEvidence = { verdict: 'span', weight: YEAR - 0.5 };
const IN_YEARS: BirthEvidence[] = Array.from({ length: 40 }, (_, years) => ({
  verdict: 'span',
  weight: Math.max(YEAR - Math.log(Math.max(years, 1)), 0.5),
}));
const ONE_SLIP: BirthEvidence = { verdict: 'slip', weight: SLIP };
const NEAR_BY: BirthEvidence = { verdict: 'near', weight: NEAR };
const DIFFERENT: BirthEvidence[] = [...DIFFERS_BY_YEARS, FARTHEST].map((weight) => ({
  verdict: 'differs',
  weight,
}));

/** Converts `yyyy-mm-dd` to a number. 0 if the text is absent or has another form. */
export function dayNumber(text: string | undefined): number {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? Number(text.replaceAll('-', '')) : 0;
}

const yearOf = (day: number) => Math.floor(day / 10_000);
const birthMonth = (day: number) => Math.floor(day / 100) % 100;
/**
 * The day with month and day exchanged, which is the most frequent mistake between American and Brazilian
 * dates.
 */
const flipped = (day: number) => yearOf(day) * 10_000 + (day % 100) * 100 + birthMonth(day);
/** True for the first of January. In most sanctions lists this day means that only the year is known. */
const isWholeYear = (from: number, to: number) => from === to && from % 10_000 === 101;

/**
 * The listed birth dates of all entries. Those of entry `n` are at the positions from `offsets[n]` to before
 * `offsets[n + 1]`.
 */
export type ListedBirths = { offsets: Uint32Array; from: Int32Array; to: Int32Array };

/**
 * The evidence of the client's birth date for or against the listed person. If the entry lists several dates,
 * the date with the highest evidence is used.
 */
export function birthEvidence(
  day: number,
  { offsets, from, to }: ListedBirths,
  entry: number,
): BirthEvidence {
  // A search for a company passes the day 0, because a company has no birth date. The arrays may have no
  // place for its entry.
  if (!day) return UNKNOWN;
  const end = uint32At(offsets, entry + 1);
  let best = UNKNOWN;
  for (let at = uint32At(offsets, entry); at < end; at++) {
    const evidence = compareBirth(day, int32At(from, at), int32At(to, at));
    if (best === UNKNOWN || evidence.weight > best.weight) best = evidence;
  }
  return best;
}

function compareBirth(day: number, from: number, to: number): BirthEvidence {
  if (day >= from && day <= to) return inside(from, to);
  if (isWholeYear(from, to) && yearOf(day) === yearOf(from)) return IN_WHOLE_YEAR;
  const years = Math.max(yearOf(from) - yearOf(day), yearOf(day) - yearOf(to), 0);
  if (from === to && isSlip(day, from)) return ONE_SLIP;
  if (from !== to && flipped(day) >= from && flipped(day) <= to) return NEAR_BY;
  if (from !== to && years === 1) return NEAR_BY;
  return getAt(DIFFERENT, Math.min(years, DIFFERENT.length - 1));
}

function inside(from: number, to: number): BirthEvidence {
  if (from === to) return EQUAL;
  const years = yearOf(to) - yearOf(from) + 1;
  if (years === 1 && birthMonth(from) === birthMonth(to)) return IN_MONTH;
  return getAt(IN_YEARS, Math.min(years, IN_YEARS.length - 1));
}

/**
 * True if a single mistake explains the difference. Month and day are exchanged, only the day differs, or
 * only the month differs. The year may differ by one or ten years, or have its last two digits exchanged.
 */
function isSlip(day: number, listed: number): boolean {
  if (flipped(day) === listed) return true;
  const years = Math.abs(yearOf(day) - yearOf(listed));
  if (day % 10_000 === listed % 10_000) return years <= 1 || years === 10 || isDigitsSwapped(day, listed);
  if (years) return false;
  return birthMonth(day) === birthMonth(listed) || day % 100 === listed % 100;
}

function isDigitsSwapped(day: number, listed: number): boolean {
  const [a, b] = [yearOf(day) % 100, yearOf(listed) % 100];
  return (
    Math.floor(yearOf(day) / 100) === Math.floor(yearOf(listed) / 100) &&
    (a % 10) * 10 + Math.floor(a / 10) === b
  );
}
