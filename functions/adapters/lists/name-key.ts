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
 * What two spellings of one name have in common: the set of its words, order-free, folded, without particles.
 * Empty when there is nothing to compare by; an empty key equals nothing.
 */
export function nameKey(text: string): string {
  // Apostrophes go first: NFKD would turn some of them into a space, and so split the word.
  const words = fold(text.replaceAll(APOSTROPHES, '')).match(/[\p{L}\p{N}]+/gu) ?? [];
  const latin = words.filter((word) => /\p{Script=Latin}/u.test(word));
  // A name in the original script stands beside the Latin one as a gloss; registers write the Latin one.
  const kept = (latin.length ? latin : words).filter((word) => !PARTICLES.has(word));
  return [...new Set(kept)].sort().join(' ');
}
