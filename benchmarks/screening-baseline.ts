import type { ListLine, QueryLine, ScoreLine } from './screening-data.ts';

/**
 * The usual way of screening, for comparison. It computes the Jaro-Winkler score of the sorted words of the
 * query and of every strong name of OFAC and the United Nations. A birth date that is more than a year off
 * prevents a hit. It compares all pairs, which takes minutes.
 */
export function baselineScores(list: readonly ListLine[], queries: readonly QueryLine[]): ScoreLine[] {
  const names = list
    .filter((line) => !line.list.startsWith('br-'))
    .flatMap(({ listId, names, dob }) =>
      names.filter(({ q }) => q !== 'weak').map(({ n }) => ({ listId, dob, text: sortedWords(n) })),
    );
  return queries.map(({ id, query, birthDate, expect }) => {
    const best = { id, score: 0, xscore: 0 };
    const text = sortedWords(query);
    for (const name of names) {
      const score = jaroWinkler(text, name.text);
      const isExpected = name.listId === expect && score > best.xscore;
      if ((score <= best.score && !isExpected) || isContradicted(birthDate, name.dob)) continue;
      best.score = Math.max(best.score, score);
      if (isExpected) best.xscore = score;
    }
    return best;
  });
}

function sortedWords(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f’'`´‘ʻʿʾ]/g, '')
    .toUpperCase();
  return (plain.match(/[A-Z0-9]+/g) ?? []).sort().join(' ');
}

function isContradicted(birthDate: string | undefined, dob: readonly [string, string][]): boolean {
  if (!birthDate || !dob.length) return false;
  const [year = '', month, day] = birthDate.split('-');
  const flipped = `${year}-${day}-${month}`;
  return !dob.some(([from, to]) => {
    const isNear = birthDate >= shifted(from, -1) && birthDate <= shifted(to, 1);
    return isNear || (flipped >= from && flipped <= to);
  });
}

const shifted = (day: string, years: number) => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

const PREFIX = 4;
const BOOST_FROM = 0.7;

export function jaroWinkler(one: string, other: string): number {
  const jaro = jaroOf(one, other);
  if (jaro < BOOST_FROM) return jaro;
  let prefix = 0;
  while (prefix < PREFIX && prefix < one.length && one[prefix] === other[prefix]) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}

const marksOfOne = new Uint8Array(512);
const marksOfOther = new Uint8Array(512);

function jaroOf(one: string, other: string): number {
  const reach = Math.max(Math.floor(Math.max(one.length, other.length) / 2) - 1, 0);
  marksOfOne.fill(0);
  marksOfOther.fill(0);
  let matches = 0;
  for (let i = 0; i < one.length; i++) {
    for (let j = Math.max(i - reach, 0); j < Math.min(i + reach + 1, other.length); j++) {
      if (marksOfOther[j] || one.charCodeAt(i) !== other.charCodeAt(j)) continue;
      marksOfOne[i] = marksOfOther[j] = 1;
      matches++;
      break;
    }
  }
  if (!matches) return 0;
  let moved = 0;
  for (let i = 0, j = 0; i < one.length; i++) {
    if (!marksOfOne[i]) continue;
    while (!marksOfOther[j]) j++;
    if (one.charCodeAt(i) !== other.charCodeAt(j++)) moved++;
  }
  return (matches / one.length + matches / other.length + (matches - moved / 2) / matches) / 3;
}
