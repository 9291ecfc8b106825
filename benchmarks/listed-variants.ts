import { getAt, getFirst } from '../functions/domain/get.ts';
import { type Dice, digits, happens, pick } from './dice.ts';
import type { ListLine, QueryLine } from './screening-data.ts';

/**
 * The changes with which a register may write a listed person's name. Each one changes the words of the name.
 */
const CHANGES = {
  's-exact': (words) => words,
  's-reorder': ([first = '', ...rest]) => [...rest, first],
  's-drop-middle': ([first = '', ...rest]) => [first, ...rest.slice(-1)],
  's-initial': ([first = '', ...rest]) => [first.charAt(0), ...rest],
  's-split-join': ([first = '', second = '', ...rest]) => [first + second, ...rest],
  's-typo1': withTypo,
  's-typo2': (words, dice) => withTypo(withTypo(words, dice), dice),
  's-translit': (words, dice) => words.map((word) => transliterated(word, dice)),
} satisfies Record<string, (words: string[], dice: Dice) => string[]>;
export type Change = keyof typeof CHANGES;
export const CHANGE_KINDS = Object.keys(CHANGES) as Change[];

/**
 * Picks a word of more than three letters, which stays recognizable. One of its letters is left out, changed,
 * or exchanged with the next one.
 */
function withTypo(words: string[], dice: Dice): string[] {
  const long = words.flatMap((word, at) => (word.length > 3 ? [at] : []));
  if (long.length === 0) return words;
  const at = pick(long, dice);
  const word = getAt(words, at);
  const cut = dice(word.length - 1);
  const [before, letter, next, after] = [
    word.slice(0, cut),
    word.charAt(cut),
    word.charAt(cut + 1),
    word.slice(cut + 2),
  ];
  const changed = pick(['', next + letter, pick([...'aeirnlst'], dice) + next], dice);
  return words.with(at, before + (changed || next) + after);
}

/**
 * Pairs of spellings for one sound. If a word contains the first spelling, the second one replaces it in half
 * of the cases.
 */
const SPELLINGS = [
  ['ou', 'u'],
  ['kh', 'k'],
  ['q', 'k'],
  ['y', 'i'],
  ['w', 'v'],
  ['ee', 'i'],
  ['ph', 'f'],
  ['sh', 'ch'],
  ['dj', 'j'],
  ['ss', 's'],
  ['mm', 'm'],
  ['ll', 'l'],
  ['aa', 'a'],
  ['dh', 'd'],
  ['gh', 'g'],
  ['ei', 'e'],
  ['ts', 'tz'],
  ['ks', 'x'],
] as const;

export function transliterated(word: string, dice: Dice): string {
  return SPELLINGS.reduce(
    (text, [one, other]) => (text.includes(one) && happens(50, dice) ? text.replace(one, other) : text),
    word.toLowerCase(),
  );
}

/**
 * Percentages of the queries: `NO_BIRTH` of them have no birth date, and `SLIP` of them have a mistake in it.
 * The labelled set of queries has the same percentages.
 */
const NO_BIRTH = 15;
const SLIP = 10;

/** Makes a query for a listed person. Its name is one of the person's names, changed by `kind`. */
export function variantOf({ listId, names, dob }: ListLine, kind: Change, dice: Dice): QueryLine {
  const strong = names.filter(({ q }) => q !== 'weak');
  const words = pick(strong.length > 0 ? strong : names, dice).n.split(' ');
  const [known] = dob;
  const birthDate = known && !happens(NO_BIRTH, dice) ? registered(getFirst(known), dice) : undefined;
  return {
    id: `${listId} ${kind}`,
    query: CHANGES[kind](words, dice).join(' '),
    ...(birthDate !== undefined && { birthDate }),
    cpf: digits(11, dice),
    expect: listId,
    kind,
  };
}

function registered(day: string, dice: Dice): string {
  if (!happens(SLIP, dice)) return day;
  const [year = '', month = '', date = ''] = day.split('-');
  return pick(
    [`${year}-${date}-${month}`, `${Number(year) + 1}-${month}-${date}`, `${year}-${month}-15`],
    dice,
  );
}
