import { wordsIn } from '../../domain/kyc/person-name.ts';

/** Only this many characters of a name are read, equally for clients and for lists. */
export const MAX_TEXT = 400;
/** The most words of a name that are used. */
export const MAX_WORDS = 12;
/** The most letters of a word that are used. */
export const MAX_LETTERS = 32;

/** Words that people often leave out, move, or join to the next word. They do not distinguish people. */
const PARTICLES = new Set(
  (
    'da das de do dos e di del della la las los y der den van von ter ten el al ul ibn bin bint ben abu ' +
    'abou umm ould dr mr mrs sr jr haji hajji hadji sheikh shaykh sheik mullah maulvi qari'
  ).split(' '),
);

/**
 * Matches the spellings of the Arabic "Abd al-". `wordsOf` replaces them all by one form, because spelling and place of
 * the article vary.
 */
const SERVANT = /^abd(?:[aeou]l|oul)?$/;

/**
 * The words of a name in their order, folded. Latin words are preferred. Particles are left out, unless no other words
 * remain. A particle of one letter stays next to a single other word, because it is an initial there.
 */
export function wordsOf(text: string): string[] {
  const all = wordsIn(text.slice(0, MAX_TEXT)).map((word) => word.slice(0, MAX_LETTERS));
  const telling = all.filter((word) => !PARTICLES.has(word));
  // Next to only one other word, "e" or "y" is an initial and not the word "and".
  const few = telling.length ? all.filter((word) => word.length === 1 || !PARTICLES.has(word)) : all;
  return (telling.length > 1 ? telling : few)
    .map((word) => (SERVANT.test(word) ? 'abdul' : word))
    .slice(0, MAX_WORDS);
}

/** The words of `wordsOf` in sorted order. Searches use this order. */
export function sortedWordsOf(text: string): string[] {
  return wordsOf(text).sort();
}
