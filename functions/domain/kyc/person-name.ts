import type { Identity } from '../screening/screening.ts';
import type { DocumentHolder } from './identity.ts';

/** Letters that Unicode does not decompose into a base letter and a mark. */
const FOLDS: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};
const PARTICLES = new Set(['da', 'das', 'de', 'do', 'dos', 'e']);
const APOSTROPHES = /['’‘`´ʻʼʽʾʿ]/g;

/** The text in lower case, without accents and other marks. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[øłđðþßæœı]/g, (letter) => FOLDS[letter] ?? letter);
}

/**
 * The words of a text in their order, in the form of `fold` and without apostrophes. If some words are in
 * Latin letters, all other words are dropped.
 */
export function wordsIn(text: string): string[] {
  // Apostrophes are removed before folding, because NFKD turns some of them into a space, which would split
  // the word. They are removed again after folding, because NFKD splits two letters (ŉ, ẚ) into a letter
  // and an apostrophe.
  const folded = fold(text.replaceAll(APOSTROPHES, '')).replaceAll(APOSTROPHES, '');
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  // A text may give a name both in another script and in Latin letters. Brazilian registers write names in
  // Latin letters.
  const latin = words.filter((word) => /\p{Script=Latin}/u.test(word));
  return latin.length ? latin : words;
}

/** The words of a name in their order, folded and without particles such as `de`. */
export const nameWords = (text: string) => wordsIn(text).filter((word) => !PARTICLES.has(word));

/**
 * A key that is equal for two names with the same set of words. Order, case, marks, particles and repeated
 * words make no difference. If a name has no word, its key is empty. The caller must not treat two empty
 * keys as equal names.
 */
export function nameKey(text: string): string {
  return sortedNameKey(nameWords(text));
}

const sortedNameKey = (words: readonly string[]) => [...new Set(words)].sort().join(' ');

/**
 * Whether two names can belong to one person. They can if they have the same words in any order. They also
 * can if their first words are equal and their last words are equal. Then the longer name must have all
 * words of the shorter one in the same order, and at most `mostMissing` words more. A name of one word
 * agrees only with the same word.
 */
export function namesAgree(one: string, other: string, mostMissing: number): boolean {
  return wordsAgree(nameWords(one), nameWords(other), mostMissing);
}

/** Applies the rule of `namesAgree` to the words of two names, or to keyed hashes of these words. */
export function wordsAgree(one: readonly string[], other: readonly string[], mostMissing: number): boolean {
  const key = sortedNameKey(one);
  if (key !== '' && key === sortedNameKey(other)) return true;
  const [shorter, longer] = [one, other].sort((a, b) => a.length - b.length);
  if (!shorter || !longer || shorter.length < 2 || longer.length - shorter.length > mostMissing) return false;
  const isSameEnds = shorter[0] === longer[0] && shorter.at(-1) === longer.at(-1);
  return isSameEnds && isPartOf(shorter, longer);
}

/** Whether the words of `part` occur in `whole` in the same order. */
function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const word of whole) if (word === part[found]) found++;
  return found === part.length;
}

/**
 * How many middle names may be missing if the document shows no CPF. One is safe, because few people with
 * nearly the same name have the same birth date.
 */
const MISSING_WITHOUT_CPF = 1;

/**
 * Whether the document belongs to the person in the registry: docs/decisions.md, "Documents and face are verified by
 * the identity provider".
 */
export function isOfPerson(holder: DocumentHolder, entry: Identity): boolean {
  if (holder.birthDate !== entry.birthDate) return false;
  if (holder.cpf !== undefined && holder.cpf !== entry.cpf) return false;
  const mostMissing = holder.cpf === undefined ? MISSING_WITHOUT_CPF : Number.POSITIVE_INFINITY;
  return namesAgree(holder.name, entry.name, mostMissing);
}
