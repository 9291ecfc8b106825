import { BRAZILIAN_NAMES } from './brazilian-names.ts';
import { COMPANY_WORDS } from './company-words.ts';
import { soundOf } from './spelling.ts';

/** A word that nobody is known to carry is carried by somebody all the same. */
const FLOOR = 1 / 60_000;
export const MAX_RARITY = Math.log(60_000) - 0.001;
/** What part of the population is named as the listed people are: the words of the lists are not that rare. */
const LISTED_LIKE = 0.02;
/** An initial, or a word of two letters, is nobody's own. */
const SHORT_SHARE = 1 / 500;

const shares = sharesOf(BRAZILIAN_NAMES);
const companyShares = sharesOf(COMPANY_WORDS);
const soundShares = new Map<string, number>();
for (const [word, share] of shares) {
  const sound = soundOf(word);
  soundShares.set(sound, Math.max(soundShares.get(sound) ?? 0, share));
}

/** The part of the population that carries each word; the commonest tier of a word counts. */
function sharesOf(tiers: readonly { oneIn: number; words: string }[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { oneIn, words } of tiers) {
    for (const word of words.trim().split(/\s+/)) if (!found.has(word)) found.set(word, 1 / oneIn);
  }
  return found;
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

/**
 * The same of a word in a company's name. Companies are named after people, and by what they do as the listed ones are.
 */
export function companyRarityOf(word: string, sound: string, listedShare = 0): number {
  const short = word.length < 4 ? SHORT_SHARE : 0;
  const share = (companyShares.get(word) ?? 0) + listedShare + short;
  return Math.min(rarityOf(word, sound), -Math.log(Math.max(FLOOR, share)));
}
