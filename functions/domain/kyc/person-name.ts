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

/** Lower case without diacritics. */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[øłđðþßæœı]/g, (letter) => FOLDS[letter] ?? letter);
}

/**
 * The words of a text in their order, folded and without apostrophes. If some of them are Latin, the others are left
 * out.
 */
export function wordsIn(text: string): string[] {
  // Apostrophes go first, because NFKD turns some of them into a space, which would split the word. NFKD makes
  // apostrophes of two letters (ŉ, ẚ), so they are removed again.
  const folded = fold(text.replaceAll(APOSTROPHES, '')).replaceAll(APOSTROPHES, '');
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  // A name in its original script stands beside the Latin one. Registers write the Latin one.
  const latin = words.filter((word) => /\p{Script=Latin}/u.test(word));
  return latin.length ? latin : words;
}

/** The words of a name in their order, folded and without particles. */
export const nameWords = (text: string) => wordsIn(text).filter((word) => !PARTICLES.has(word));

/**
 * The set of a name's words: sorted, folded, without particles. Order, case, marks, particles and repeated words make
 * no difference. The key is empty if there is nothing to compare. An empty key equals nothing.
 */
export function nameKey(text: string): string {
  return keyOf(nameWords(text));
}

const keyOf = (words: readonly string[]) => [...new Set(words)].sort().join(' ');

/**
 * True if two names can mean one person. The words are the same in any order, or first and last word are equal and the
 * shorter name is part of the longer one. The longer name has at most `mostMissing` words more. A name of one word
 * equals only itself.
 */
export function namesAgree(one: string, other: string, mostMissing: number): boolean {
  return wordsAgree(nameWords(one), nameWords(other), mostMissing);
}

/** The same rule for the words of two names, or for their keyed hashes. */
export function wordsAgree(one: readonly string[], other: readonly string[], mostMissing: number): boolean {
  const key = keyOf(one);
  if (key !== '' && key === keyOf(other)) return true;
  const [shorter, longer] = [one, other].sort((a, b) => a.length - b.length);
  if (!shorter || !longer || shorter.length < 2 || longer.length - shorter.length > mostMissing) return false;
  const isSameEnds = shorter[0] === longer[0] && shorter.at(-1) === longer.at(-1);
  return isSameEnds && isPartOf(shorter, longer);
}

/** True if the words of `part` occur in `whole` in their order. */
function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0;
  for (const word of whole) if (word === part[found]) found++;
  return found === part.length;
}

/** Without the CPF, only one middle name may be missing, because few namesakes have the same birth date. */
const MISSING_WITHOUT_CPF = 1;

/**
 * True if the document is of the person in the registry: docs/decisions.md, "Documents and face are verified by the
 * identity provider".
 */
export function isSamePerson(holder: DocumentHolder, entry: Identity): boolean {
  if (holder.birthDate !== entry.birthDate) return false;
  if (holder.cpf !== undefined && holder.cpf !== entry.cpf) return false;
  const mostMissing = holder.cpf === undefined ? MISSING_WITHOUT_CPF : Number.POSITIVE_INFINITY;
  return namesAgree(holder.name, entry.name, mostMissing);
}
