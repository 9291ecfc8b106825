import { BRAZILIAN_NAMES } from './brazilian-names.ts';
import { soundOf } from './spelling.ts';

/** A word that nobody is known to carry is carried by somebody all the same. */
const FLOOR = 1 / 60_000;
export const MAX_RARITY = Math.log(60_000) - 0.001;
/** What part of the population is named as the listed people are: the words of the lists are not that rare. */
const LISTED_LIKE = 0.02;
/** An initial, or a word of two letters, is nobody's own. */
const SHORT_SHARE = 1 / 500;

const shares = new Map<string, number>();
const soundShares = new Map<string, number>();
for (const { oneIn, words } of BRAZILIAN_NAMES) {
  for (const word of words.trim().split(/\s+/)) {
    if (!shares.has(word)) shares.set(word, 1 / oneIn);
    const sound = soundOf(word);
    soundShares.set(sound, Math.max(soundShares.get(sound) ?? 0, 1 / oneIn));
  }
}

/**
 * What a word tells about who bears it, in natural logarithms: 2.5 for "silva", 11 for a word of nobody.
 * `listedShare` is the part of the listed names that have it.
 */
export function rarityOf(word: string, sound: string, listedShare = 0): number {
  const share = shares.get(word) ?? (soundShares.get(sound) ?? 0) / 4;
  const short = word.length < 3 ? SHORT_SHARE : 0;
  return -Math.log(Math.max(FLOOR, share + LISTED_LIKE * listedShare + short));
}
