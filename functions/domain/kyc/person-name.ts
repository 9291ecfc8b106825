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

/** The words of a text in their order: folded, without apostrophes, those in Latin where there are any. */
export function wordsIn(text: string): string[] {
  // Apostrophes go first: NFKD would turn some of them into a space, and so split the word. Of two letters (ŉ, ẚ) it
  // makes new ones.
  const folded = fold(text.replaceAll(APOSTROPHES, '')).replaceAll(APOSTROPHES, '');
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  // A name in the original script stands beside the Latin one as a gloss; registers write the Latin one.
  const latin = words.filter((word) => /\p{Script=Latin}/u.test(word));
  return latin.length ? latin : words;
}

const nameWords = (text: string) => wordsIn(text).filter((word) => !PARTICLES.has(word));

/**
 * What two spellings of one name have in common: the set of its words, order-free, folded, without particles.
 * Empty when there is nothing to compare by; an empty key equals nothing.
 */
export function nameKey(text: string): string {
  return [...new Set(nameWords(text))].sort().join(' ');
}

/**
 * Whether a document and the registry can mean one person by these names: the same words, in whatever order, or first
 * and last name alike and the shorter name a part of the longer, which has at most `mostMissing` words more. A name of
 * one word agrees with itself alone.
 */
export function namesAgree(one: string, other: string, mostMissing: number): boolean {
  const key = nameKey(one);
  if (key !== '' && key === nameKey(other)) return true;
  const [shorter, longer] = [nameWords(one), nameWords(other)].sort((a, b) => a.length - b.length);
  if (!shorter || !longer || shorter.length < 2 || longer.length - shorter.length > mostMissing) return false;
  const isSameEnds = shorter[0] === longer[0] && shorter.at(-1) === longer.at(-1);
  return isSameEnds && isPartOf(shorter, longer);
}

/** Whether the words of `part` occur in `whole` in their order. */
function isPartOf(part: string[], whole: string[]): boolean {
  let found = 0;
  for (const word of whole) if (word === part[found]) found++;
  return found === part.length;
}

/** Two namesakes of one birth date are rarely told apart by more: without the CPF only one middle name may be missing. */
const MISSING_WITHOUT_CPF = 1;

/** Whether the document is of the person whom the registry knows: docs/decisions.md, "Holder of a document". */
export function isSamePerson(holder: DocumentHolder, entry: Identity): boolean {
  if (holder.birthDate !== entry.birthDate) return false;
  if (holder.cpf !== undefined && holder.cpf !== entry.cpf) return false;
  const mostMissing = holder.cpf === undefined ? MISSING_WITHOUT_CPF : Number.POSITIVE_INFINITY;
  return namesAgree(holder.name, entry.name, mostMissing);
}
