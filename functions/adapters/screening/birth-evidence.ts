/** Days as `yyyymmdd` numbers; they compare as days do. */
export type BirthVerdict =
  | 'day'
  | 'span'
  | 'slip'
  | 'near'
  | 'unknown'
  | 'differs';

export type BirthEvidence = { verdict: BirthVerdict; weight: number };

/** Natural logarithms of likelihood ratios: how much more often the same person shows this than a stranger. */
const DAY = 7;
/** A year is right by chance once in fifty or so; a listed period of more years says less. */
const YEAR = 4;
const MONTH = 5.5;
const SLIP = 4.5;
const NEAR = 0.5;
const DIFFERS_BY_YEARS = [-3, -4.5, -6, -7, -8];
const FARTHEST = -9;

const UNKNOWN: BirthEvidence = { verdict: 'unknown', weight: 0 };

/** `yyyy-mm-dd` → number; 0 for what is no such date. */
export function dayNumber(text: string | undefined): number {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? Number(text.replaceAll('-', '')) : 0;
}

const yearOf = (day: number) => Math.floor(day / 10_000);
const monthOf = (day: number) => Math.floor(day / 100) % 100;
/** Month and day in each other's place: the commonest slip between American and Brazilian forms. */
const flipped = (day: number) => yearOf(day) * 10_000 + (day % 100) * 100 + monthOf(day);
/** The first of January stands for an unknown day in most of these lists. */
const isWholeYear = (from: number, to: number) => from === to && from % 10_000 === 101;

/** What the birth date says for or against the person being the listed one; the best listed date counts. */
export function birthEvidence(
  day: number,
  listed: { from: ArrayLike<number>; to: ArrayLike<number>; begin: number; end: number },
): BirthEvidence {
  if (!day || listed.begin === listed.end) return UNKNOWN;
  let best: BirthEvidence | undefined;
  for (let at = listed.begin; at < listed.end; at++) {
    const evidence = compare(day, listed.from[at]!, listed.to[at]!);
    if (!best || evidence.weight > best.weight) best = evidence;
  }
  return best ?? UNKNOWN;
}

function compare(day: number, from: number, to: number): BirthEvidence {
  if (day >= from && day <= to) return inside(from, to);
  if (isWholeYear(from, to) && yearOf(day) === yearOf(from)) return { verdict: 'span', weight: YEAR - 0.5 };
  if (from === to && isSlip(day, from)) return { verdict: 'slip', weight: SLIP };
  const flip = flipped(day);
  if (flip >= from && flip <= to) return { verdict: 'slip', weight: Math.min(SLIP, inside(from, to).weight) };
  const years = Math.max(yearOf(from) - yearOf(day), yearOf(day) - yearOf(to), 0);
  if (from !== to && years === 1) return { verdict: 'near', weight: NEAR };
  return { verdict: 'differs', weight: DIFFERS_BY_YEARS[years] ?? FARTHEST };
}

function inside(from: number, to: number): BirthEvidence {
  if (from === to) return { verdict: 'day', weight: DAY };
  const years = yearOf(to) - yearOf(from) + 1;
  if (years === 1 && monthOf(from) === monthOf(to)) return { verdict: 'span', weight: MONTH };
  return { verdict: 'span', weight: Math.max(YEAR - Math.log(years), 0.5) };
}

/** One slip away: month and day flipped, the day or the year one off, or one of the three parts wrong. */
function isSlip(day: number, listed: number): boolean {
  if (flipped(day) === listed) return true;
  const years = Math.abs(yearOf(day) - yearOf(listed));
  if (day % 10_000 === listed % 10_000) return years <= 1 || years === 10 || isDigitsSwapped(day, listed);
  if (years) return false;
  return monthOf(day) === monthOf(listed) || day % 100 === listed % 100;
}

function isDigitsSwapped(day: number, listed: number): boolean {
  const [a, b] = [yearOf(day) % 100, yearOf(listed) % 100];
  return Math.floor(yearOf(day) / 100) === Math.floor(yearOf(listed) / 100) && (a % 10) * 10 + Math.floor(a / 10) === b;
}
