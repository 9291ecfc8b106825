import { getAt, getFirst } from '../functions/domain/get.ts';
import { type Dice, dayIn, diceFrom, digits, pick } from './dice.ts';
import { CHANGE_KINDS, transliterated, variantOf } from './listed-variants.ts';
import { foreignWords, portugueseName } from './ordinary-people.ts';
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
  const queries = [
    ...listed
      .slice(0, 1200)
      .map((line, at) => variantOf(line, getAt(CHANGE_KINDS, at % CHANGE_KINDS.length), dice)),
    ...peps.slice(0, 300).map((line, at) => ({
      id: `p${at}`,
      query: getFirst(line.names).n,
      cpf: `123${line.cpfMask?.replaceAll(/\D/g, '')}00`,
      expect: line.listId,
      kind: 'br-exact',
    })),
    ...Array.from({ length: ORDINARY }, (_, at) => ({
      id: `n${at}`,
      query: portugueseName(dice),
      birthDate: birthDate(dice),
      cpf: digits(11, dice),
      kind: 'ordinary',
    })),
  ];
  return { list: [...listed, ...peps], queries };
}

const word = (dice: Dice) => Array.from({ length: 2 + dice(3) }, () => pick(SYLLABLES, dice)).join('');
const birthDate = (dice: Dice) => dayIn(1940 + dice(66), dice);

/**
 * The kinds of names on the lists of the US and of the UN. A kind that is more frequent there stands here
 * several times. `OTHERS` is the number of further places for names of no kind, which consist of invented
 * words.
 */
const LISTED_KINDS = [
  'arabic',
  'arabic',
  'arabic',
  'slavic',
  'slavic',
  'hispanic',
  'chinese-korean',
] as const;
const OTHERS = 3;

function listedName(kind: number, dice: Dice): string {
  const known = LISTED_KINDS[kind];
  const words = known ? foreignWords(known, dice) : [word(dice), word(dice), word(dice)];
  return words.map((each) => transliterated(each, dice)).join(' ');
}

/**
 * Makes a listed person with gaps, as on the real lists. Each twentieth person has no birth date. Each
 * seventh of the others has only the year of birth.
 */
function listedPerson(at: number, dice: Dice): ListLine {
  const kind = dice(LISTED_KINDS.length + OTHERS);
  const names = Array.from({ length: 1 + dice(4) }, () => listedName(kind, dice));
  const day = birthDate(dice);
  const year = day.slice(0, 4);
  const born: ListLine['dob'] = at % 7 ? [[day, day]] : [[`${year}-01-01`, `${year}-12-31`]];
  return {
    listId: `s${at}`,
    list: at % 10 ? 'ofac-sdn' : 'un',
    names: names.map((n, place) => ({ n, q: place ? 'strong' : 'primary' })),
    dob: at % 20 ? born : [],
  };
}

function pep(at: number, dice: Dice): ListLine {
  const six = digits(6, dice);
  const cpfMask = `***.${six.slice(0, 3)}.${six.slice(3)}-**`;
  return {
    listId: `p${at}`,
    list: 'br-pep',
    names: [{ n: portugueseName(dice), q: 'primary' }],
    dob: [],
    cpfMask,
  };
}
