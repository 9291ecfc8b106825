import { wordsIn } from '../../domain/kyc/person-name.ts';

/** The most characters of a name that are read. It is the same for clients and for lists. */
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
 * Matches the spellings of the Arabic "Abd al-". `screenedWords` replaces each of them with "abdul", because
 * spelling and place of the article vary.
 */
const SERVANT = /^abd(?:[aeou]l|oul)?$/;

/**
 * The words of a name in their order, folded. If some words are in Latin letters, all others are dropped.
 * Particles are left out, unless no other words remain. Next to a single other word, a particle of one letter
 * is kept, because there it is an initial.
 */
export function screenedWords(text: string): string[] {
  const all = wordsIn(text.slice(0, MAX_TEXT)).map((word) => word.slice(0, MAX_LETTERS));
  const telling = all.filter((word) => !PARTICLES.has(word));
  // A particle of one letter, "e" or "y", means "and" between two words. Next to only one other word it is an
  // initial.
  const few = telling.length ? all.filter((word) => word.length === 1 || !PARTICLES.has(word)) : all;
  return (telling.length > 1 ? telling : few)
    .map((word) => (SERVANT.test(word) ? 'abdul' : word))
    .slice(0, MAX_WORDS);
}

/** The words of `screenedWords` in sorted order. Searches use this order. */
export function sortedWordsOf(text: string): string[] {
  return screenedWords(text).sort();
}
