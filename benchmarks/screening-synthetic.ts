import { BRAZILIAN_NAMES } from '../functions/adapters/screening/brazilian-names.ts';
import { getAt, getFirst } from '../functions/domain/get.ts';
import type { ListLine, QueryLine } from './screening-data.ts';

const LISTED = 6000;
const PEPS = 20_000;
const ORDINARY = 4000;
const SYLLABLES =
  'ka ro mi ta vel dor zan fir qua bel shu nim gor asc ide lu pra tor wen yas kim ob hal'.split(' ');

/**
 * Invented people, the same in every run: listed people, ordinary people, and listed people with changed spellings.
 */
export function syntheticSet(): { list: ListLine[]; queries: QueryLine[] } {
  const dice = diceFrom(20_261_120);
  const listed = Array.from({ length: LISTED }, (_, at) => listedPerson(at, dice));
  const peps = Array.from({ length: PEPS }, (_, at) => pep(at, dice));
  const kinds = Object.keys(CHANGES) as Change[];
  const queries = [
    ...listed.slice(0, 1200).map((line, at) => queryOf(line, getAt(kinds, at % kinds.length), dice)),
    ...peps.slice(0, 300).map((line, at) => ({
      id: `p${at}`,
      query: getFirst(line.names).n,
      cpf: `123${line.cpfMask?.replaceAll(/\D/g, '')}00`,
      expect: line.listId,
      kind: 'br-exact',
    })),
    ...Array.from({ length: ORDINARY }, (_, at) => ({
      id: `n${at}`,
      query: brazilianName(dice),
      birthDate: birthDate(dice),
      cpf: digits(11, dice),
      kind: 'ordinary',
    })),
  ];
  return { list: [...listed, ...peps], queries };
}

type Dice = (sides: number) => number;

/** The generator mulberry32. */
function diceFrom(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

const pick = <Item>(items: readonly Item[], dice: Dice) => getAt(items, dice(items.length));
const digits = (length: number, dice: Dice) => Array.from({ length }, () => dice(10)).join('');
const word = (dice: Dice) => Array.from({ length: 2 + dice(3) }, () => pick(SYLLABLES, dice)).join('');
const birthDate = (dice: Dice) =>
  `${1940 + dice(66)}-${String(1 + dice(12)).padStart(2, '0')}-${String(1 + dice(28)).padStart(2, '0')}`;

function listedPerson(at: number, dice: Dice): ListLine {
  const names = Array.from({ length: 1 + dice(4) }, () => ({
    n: [word(dice), word(dice), word(dice)].join(' '),
  }));
  const day = birthDate(dice);
  return {
    listId: `s${at}`,
    list: at % 10 ? 'ofac-sdn' : 'un',
    names: names.map(({ n }, place) => ({ n, q: place ? 'strong' : 'primary' })),
    dob: [[day, day]],
  };
}

function pep(at: number, dice: Dice): ListLine {
  const six = digits(6, dice);
  const cpfMask = `***.${six.slice(0, 3)}.${six.slice(3)}-**`;
  return {
    listId: `p${at}`,
    list: 'br-pep',
    names: [{ n: brazilianName(dice), q: 'primary' }],
    dob: [],
    cpfMask,
  };
}

const TIERS = BRAZILIAN_NAMES.map(({ words }) => words.trim().split(/\s+/));

function brazilianName(dice: Dice): string {
  const words = Array.from({ length: 3 + dice(2) }, () => pick(getAt(TIERS, Math.min(dice(6), 3)), dice));
  return words.join(' ');
}

type Change = keyof typeof CHANGES;
const CHANGES = {
  's-exact': (words) => words,
  's-reorder': ([first = '', ...rest]) => [...rest, first],
  's-drop-middle': ([first = '', ...rest]) => [first, ...rest.slice(-1)],
  's-initial': ([first = '', ...rest]) => [first.charAt(0), ...rest],
  's-split-join': ([first = '', second = '', ...rest]) => [first + second, ...rest],
  's-typo1': (words, dice) => {
    const at = dice(words.length);
    const word = getAt(words, at);
    const cut = dice(word.length);
    return words.with(at, word.slice(0, cut) + word.slice(cut + 1));
  },
} satisfies Record<string, (words: string[], dice: Dice) => string[]>;

function queryOf({ listId, names, dob }: ListLine, kind: Change, dice: Dice): QueryLine {
  const changed = CHANGES[kind](pick(names, dice).n.split(' '), dice);
  return {
    id: listId,
    query: changed.join(' '),
    birthDate: getFirst(getFirst(dob)),
    cpf: digits(11, dice),
    expect: listId,
    kind,
  };
}
