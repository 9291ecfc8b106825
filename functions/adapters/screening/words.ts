import { wordsIn } from '../../domain/kyc/person-name.ts';

/** The characters of a name that are read. Names of clients and of lists are cut alike. */
export const MAX_TEXT = 400;
/** The most words of a name that are kept. */
export const MAX_WORDS = 12;
/** The letters of each word that are kept. */
export const MAX_LETTERS = 32;

/** Words that people leave out, move and join freely, so they distinguish nobody. */
const PARTICLES = new Set(
  (
    'da das de do dos e di del della la las los y der den van von ter ten el al ul ibn bin bint ben abu ' +
    'abou umm ould dr mr mrs sr jr haji hajji hadji sheikh shaykh sheik mullah maulvi qari'
  ).split(' '),
);

/** "Abd al-X" has many spellings, and the article moves. All become one form. */
const SERVANT = /^abd(?:[aeou]l|oul)?$/;

/**
 * The words of a name in their order, folded, Latin if there are any. Particles are left out, unless nothing else
 * remains. A particle of one letter stays beside a single other word, because there it is an initial.
 */
export function wordsOf(text: string): string[] {
  const all = wordsIn(text.slice(0, MAX_TEXT)).map((word) => word.slice(0, MAX_LETTERS));
  const telling = all.filter((word) => !PARTICLES.has(word));
  // Beside only one word, a letter is an initial and not the word "and".
  const few = telling.length ? all.filter((word) => word.length === 1 || !PARTICLES.has(word)) : all;
  return (telling.length > 1 ? telling : few)
    .map((word) => (SERVANT.test(word) ? 'abdul' : word))
    .slice(0, MAX_WORDS);
}

/** The same words in a fixed order. A search begins with them. */
export function sortedWordsOf(text: string): string[] {
  return wordsOf(text).sort();
}
