import { float32At, uint8At, uint16At } from './numbers.ts';

/**
 * Different spellings of one name: transliterations of Arabic and Russian, Portuguese spellings, and typing errors.
 * `soundOf` and `spellingKeys` make the keys by which similar words are found in the index of listed names.
 * `spellingCost` says how much two words differ.
 */

const RULES: readonly [RegExp, string][] = [
  [/^(?:m[aou]?h?a?m+[ae]d|mo?hd|md)$/, 'muhamad'],
  [/^(?:al|el|bin|ben|ibn|abu|abou)(?=.{4})/, ''],
  [/^abd(?:[aeou]l|oul)(?=.{3})/, 'abdul'],
  [/ph/g, 'f'],
  [/dzh|dj|zh/g, 'j'],
  [/shch|sch|tch|ch|sh|ks/g, 'x'],
  [/kh|ck|q/g, 'k'],
  [/c(?=[eiy])|z|ts/g, 's'],
  [/c/g, 'k'],
  [/w/g, 'v'],
  [/ou|oo/g, 'u'],
  [/[eyi]+/g, 'i'],
  [/o/g, 'u'],
  [/(?<=.)h/g, ''],
  [/(.)\1+/g, '$1'],
];

/** One form for all spellings of a word that sound alike. It may be empty. */
export function soundOf(word: string): string {
  return RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), word);
}

const WRITTEN = 0x811c9dc5;
const SOUNDED = 0x1b873593;
/**
 * The fewest letters of a word that gets keys with a missing letter. A shorter word has too many similar
 * words.
 */
const MIN_LETTERS_TO_DELETE = 4;

/** A 32-bit hash (FNV-1a) of the word without the letter at position `skip`. */
function hash(word: string, seed: number, skip = -1): number {
  let value = seed;
  for (let at = 0; at < word.length; at++) {
    if (at !== skip) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  }
  return (value ^ (value >>> 15)) >>> 0;
}

export const writtenKey = (word: string) => hash(word, WRITTEN);
const soundKey = (sound: string) => hash(sound, SOUNDED);

/**
 * The keys by which similar words are found. Two words share a key if they sound alike. Words of four letters
 * or more also share a key if one letter differs, in spelling or in sound. That letter may be added, missing,
 * changed, or exchanged with its neighbour.
 */
export function spellingKeys(word: string, sound: string): Set<number> {
  const keys = new Set([writtenKey(word)]);
  if (sound.length > 1) keys.add(soundKey(sound));
  addDeletions(keys, word, WRITTEN);
  addDeletions(keys, sound, SOUNDED);
  return keys;
}

function addDeletions(keys: Set<number>, word: string, seed: number): void {
  if (word.length < MIN_LETTERS_TO_DELETE) return;
  for (let at = 0; at < word.length; at++) keys.add(hash(word, seed, at));
}

/**
 * One bit for each Latin letter of the word. If the bits of two words differ much, the words differ in many
 * letters.
 */
export function lettersOf(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - A;
    if (letter >= 0 && letter < LETTERS) mask |= 1 << letter;
  }
  return mask;
}

const A = 97;
const LETTERS = 26;
const H = 104 - A;
const OTHER = LETTERS;

const changes = new Float32Array((LETTERS + 1) ** 2).fill(1);
const drops = new Float32Array(LETTERS + 1).fill(1);

function setChange(pairs: string, cost: number): void {
  for (const [one = '', other = ''] of pairs.split(' ')) {
    const [a, b] = [one.charCodeAt(0) - A, other.charCodeAt(0) - A];
    changes[a * (LETTERS + 1) + b] = changes[b * (LETTERS + 1) + a] = cost;
  }
}

setChange('ae ai ao au ei eo eu io iu ou ay ey oy uy', 0.6);
setChange('ei ou iy ey', 0.35);
setChange('sz ck kq vw cs ij jy gj uw xs cq', 0.4);
setChange('bp dt gk fv bv hk gh mn lr', 0.7);
for (const vowel of 'aeiouy') drops[vowel.charCodeAt(0) - A] = 0.7;
drops[H] = 0.4;

/**
 * The cost of a doubled letter, as a part of one edit. It is low, because a doubled letter is hardly a
 * mistake.
 */
const DOUBLED = 0.3;
const SWAPPED = 0.8;
/**
 * The cost of two words that sound the same but are spelled differently. It does not depend on the number of
 * different letters.
 */
const SAME_SOUND = 0.6;

const WIDTH = 40;
const cells = new Float32Array(WIDTH * WIDTH);
const dropsOfOther = new Float32Array(WIDTH);
const classesOfOther = new Uint8Array(WIDTH);

/**
 * The weighted number of edits from one word to the other. Words are given as letter codes. 0 for equal
 * words. If the number is above `limit`, the result may be infinite.
 */
export function letterCost(one: Uint16Array, other: Uint16Array, limit: number): number {
  cells[0] = 0;
  for (let j = 1; j <= other.length; j++) {
    dropsOfOther[j] = dropCost(other, j - 1);
    classesOfOther[j] = classOf(uint16At(other, j - 1));
    cells[j] = float32At(cells, j - 1) + float32At(dropsOfOther, j);
  }
  let previous = 0;
  for (let i = 1; i <= one.length; i++) {
    const least = fillRow(one, other, i);
    // A row of the table depends on the two rows before it, because two letters may be exchanged. If both are
    // above the limit, all later rows are above it, too.
    if (least > limit && previous > limit) return Infinity;
    previous = least;
  }
  return float32At(cells, one.length * WIDTH + other.length);
}

function fillRow(one: Uint16Array, other: Uint16Array, i: number): number {
  const letter = uint16At(one, i - 1);
  const drop = dropCost(one, i - 1);
  const row = classOf(letter) * (LETTERS + 1);
  let before = float32At(cells, (i - 1) * WIDTH) + drop;
  let least = before;
  cells[i * WIDTH] = before;
  for (let j = 1; j <= other.length; j++) {
    const at = i * WIDTH + j;
    const isSame = letter === other[j - 1];
    let best =
      float32At(cells, at - WIDTH - 1) + (isSame ? 0 : float32At(changes, row + uint8At(classesOfOther, j)));
    const dropped = float32At(cells, at - WIDTH) + drop;
    if (dropped < best) best = dropped;
    const added = before + float32At(dropsOfOther, j);
    if (added < best) best = added;
    if (!isSame && i > 1 && j > 1 && letter === other[j - 2] && one[i - 2] === other[j - 1]) {
      const swapped = float32At(cells, at - 2 * WIDTH - 2) + SWAPPED;
      if (swapped < best) best = swapped;
    }
    cells[at] = best;
    before = best;
    if (best < least) least = best;
  }
  return least;
}

function classOf(letter: number): number {
  const index = letter - A;
  return index >= 0 && index < LETTERS ? index : OTHER;
}

function dropCost(word: Uint16Array, at: number): number {
  return at > 0 && word[at] === word[at - 1] ? DOUBLED : float32At(drops, classOf(uint16At(word, at)));
}

/** A word in the form for comparison: the letters of its spelling and of its sound, as codes. */
type Spelling = { letters: Uint16Array; sound: Uint16Array };

/**
 * The distance between two spellings: by letters or by sound, whichever is smaller. If the distance is above
 * `limit`, the result may be infinite.
 */
export function spellingCost(one: Spelling, other: Spelling, limit: number): number {
  const written = letterCost(one.letters, other.letters, limit);
  if (written <= SAME_SOUND || !one.sound.length || !other.sound.length) return written;
  return Math.min(written, SAME_SOUND + letterCost(one.sound, other.sound, limit - SAME_SOUND));
}

export function codesOf(word: string): Uint16Array {
  const codes = new Uint16Array(word.length);
  for (let at = 0; at < word.length; at++) codes[at] = word.charCodeAt(at);
  return codes;
}
