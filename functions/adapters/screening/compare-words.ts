import { rarityOf } from './rarity.ts';
import { codesOf, lettersOf, soundOf, spellingCost } from './spelling.ts';
import { WEIGHTS } from './weights.ts';

/**
 * A word as `compareWords` needs it. `letters` and `sound` are character codes. `mask` has one bit for each
 * letter. `rarity` is a natural logarithm.
 */
export type Word = { letters: Uint16Array; sound: Uint16Array; mask: number; rarity: number };

export const NO_MATCH = -Infinity;

export function wordFrom(text: string): Word {
  const sound = soundOf(text);
  return {
    letters: codesOf(text),
    sound: codesOf(sound),
    mask: lettersOf(text),
    rarity: rarityOf(text, sound),
  };
}

/**
 * The evidence that two words are spellings of one name, as a natural logarithm. `NO_MATCH` if they cannot be
 * one name.
 */
export function compareWords(one: Word, other: Word, maxEditShare = WEIGHTS.maxEditShare): number {
  const [length, otherLength] = [one.letters.length, other.letters.length];
  if (length === 1 || otherLength === 1) {
    if (one.letters[0] !== other.letters[0]) return NO_MATCH;
    return WEIGHTS.initial;
  }
  if (isEqual(one, other)) return Math.min(one.rarity, other.rarity);
  const longest = Math.max(length, otherLength);
  const limit = maxEditShare * longest;
  if (isFar(one, other, limit)) return NO_MATCH;
  const cost = spellingCost(one, other, limit);
  if (cost > limit) return NO_MATCH;
  // The lower of both rarities is used. A similar word that is itself a frequent name is probably not a
  // misspelling.
  const edits = WEIGHTS.respelt + (WEIGHTS.edit * cost * WEIGHTS.editLetters) / Math.max(longest, 3);
  return Math.min(one.rarity, other.rarity) - edits;
}

export function isEqual(one: Word, other: Word): boolean {
  return isSameLetters(one.letters, other.letters);
}

/**
 * True if the words differ in too many letters and do not sound alike. This quick check avoids most full comparisons.
 */
function isFar(one: Word, other: Word, limit: number): boolean {
  const longer = Math.abs(one.letters.length - other.letters.length);
  if (longer <= limit + 1 && !haveOtherLetters(one.mask, other.mask, limit)) return false;
  return one.sound.length < 2 || !isSameLetters(one.sound, other.sound);
}

function isSameLetters(one: Uint16Array, other: Uint16Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** True if two masks differ in so many letters that `limit` edits of their words cannot explain it. */
export function haveOtherLetters(one: number, other: number, limit: number): boolean {
  return differentLetters(one, other) > 2 * limit + 2;
}

function differentLetters(one: number, other: number): number {
  let bits = one ^ other;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
