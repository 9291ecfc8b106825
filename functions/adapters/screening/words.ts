import { wordsIn } from '../../domain/kyc/person-name.ts';

/** No register holds longer names; what comes after is not read. */
export const MAX_TEXT = 400;
export const MAX_WORDS = 12;
export const MAX_LETTERS = 32;

/** Words that people leave out, move and join at will, so that they tell nobody from another. */
const PARTICLES = new Set(
  (
    'da das de do dos e di del della la las los y der den van von ter ten el al ul ibn bin bint ben abu ' +
    'abou umm ould dr mr mrs sr jr haji hajji hadji sheikh shaykh sheik mullah maulvi qari'
  ).split(' '),
);

/** "Abd al-X" has as many spellings as writers, and the article goes elsewhere: one form of it. */
const SERVANT = /^abd(?:[aeou]l|oul)?$/;

/**
 * The words of a name in their order: folded, Latin where there are any, without particles unless these are
 * all that would be left.
 */
export function wordsOf(text: string): string[] {
  const all = wordsIn(text.slice(0, MAX_TEXT)).map((word) => word.slice(0, MAX_LETTERS));
  const telling = all.filter((word) => !PARTICLES.has(word));
  // Beside one word only, a letter is an initial and no "and".
  const few = telling.length ? all.filter((word) => word.length === 1 || !PARTICLES.has(word)) : all;
  return (telling.length > 1 ? telling : few)
    .map((word) => (SERVANT.test(word) ? 'abdul' : word))
    .slice(0, MAX_WORDS);
}

/** The same words whatever order they came in: what a search starts from. */
export function sortedWordsOf(text: string): string[] {
  return wordsOf(text).sort();
}
