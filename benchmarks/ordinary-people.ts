import { BRAZILIAN_NAMES } from '../functions/adapters/screening/brazilian-names.ts';
import { getAt } from '../functions/domain/get.ts';
import { type Dice, dayIn, diceFrom, digits, happens, pick, pickWeighted } from './dice.ts';
import { FOREIGN_NAMES } from './ordinary-names.ts';

/**
 * `common` people have only Portuguese names. `mixed` people have Portuguese names and an Arabic family name.
 */
export const KINDS = ['common', 'mixed', ...(Object.keys(FOREIGN_NAMES) as Foreign[])] as const;
export type Kind = (typeof KINDS)[number];
type Foreign = keyof typeof FOREIGN_NAMES;

/** An invented person on no list. */
export type OrdinaryPerson = { name: string; birthDate: string; cpf: string };

/**
 * Adults in Brazil by age, in years. A group begins at `from` and has `years` years. `weight` follows the
 * census of 2022 roughly.
 */
const AGES = [
  { from: 18, years: 7, weight: 140 },
  { from: 25, years: 10, weight: 200 },
  { from: 35, years: 10, weight: 205 },
  { from: 45, years: 10, weight: 170 },
  { from: 55, years: 10, weight: 140 },
  { from: 65, years: 10, weight: 90 },
  { from: 75, years: 15, weight: 55 },
];
/** The day of the searches. */
export const TODAY = '2026-11-20';
const THIS_YEAR = 2026;

/**
 * Makes different people of a kind, the same in every run. Each `draw` gives other people. The constants of
 * the matcher were chosen with the people of draw 0.
 */
export function ordinaryPeople(kind: Kind, count: number, draw = 0): OrdinaryPerson[] {
  const dice = diceFrom(20_261_123 + draw * KINDS.length + KINDS.indexOf(kind));
  const names = new Set<string>();
  while (names.size < count) names.add(nameOf(kind, dice));
  return [...names].map((name) => {
    const { from, years } = pickWeighted(AGES, dice);
    const birthDate = dayIn(THIS_YEAR - from - dice(years), dice);
    return { name, birthDate, cpf: digits(11, dice) };
  });
}

function nameOf(kind: Kind, dice: Dice): string {
  if (kind === 'common') return portugueseName(dice);
  return kind === 'mixed' ? mixedName(dice) : foreignName(kind, dice);
}

const TIERS = BRAZILIAN_NAMES.map(({ words }) => words.trim().split(/\s+/));
/** The last tier has the names of other kinds. */
const PORTUGUESE_TIERS = 4;
const portugueseWord = (dice: Dice) => pick(getAt(TIERS, Math.min(dice(6), PORTUGUESE_TIERS - 1)), dice);

export function portugueseName(dice: Dice): string {
  return Array.from({ length: 3 + dice(2) }, () => portugueseWord(dice)).join(' ');
}

const POOLS = Object.fromEntries(
  Object.entries(FOREIGN_NAMES).map(([kind, { given, family }]) => [
    kind,
    { given: given.trim().split(/\s+/), family: family.trim().split(/\s+/) },
  ]),
) as Record<Foreign, { given: string[]; family: string[] }>;

/** A given name, perhaps a second one, a family name, and often a Portuguese or a second family name. */
function foreignName(kind: Foreign, dice: Dice): string {
  const words = foreignWords(kind, dice);
  const last = happens(35, dice) ? portugueseWord(dice) : pick(POOLS[kind].family, dice);
  return different(happens(50, dice) ? [...words, last] : words);
}

export function foreignWords(kind: Foreign, dice: Dice): string[] {
  const { given, family } = POOLS[kind];
  const second = happens(35, dice) ? [pick(given, dice)] : [];
  return [pick(given, dice), ...second, pick(family, dice)];
}

/**
 * One or two Portuguese names with an Arabic family name. Among the grandchildren of immigrants, such a name
 * is more frequent than an Arabic given name.
 */
function mixedName(dice: Dice): string {
  const words = Array.from({ length: 1 + dice(2) }, () => portugueseWord(dice));
  return different([...words, pick(POOLS.arabic.family, dice)]);
}

const different = (words: string[]) => [...new Set(words)].join(' ');
