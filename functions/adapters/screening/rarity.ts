import { BRAZILIAN_NAMES } from './brazilian-names.ts';
import { COMPANY_WORDS } from './company-words.ts';
import { soundOf } from './spelling.ts';

/**
 * The assumed share of people with a word that no table contains. It is above zero, because the rarity of a
 * word is the negative logarithm of this share.
 */
const FLOOR = 1 / 60_000;
export const MAX_RARITY = Math.log(60_000) - 0.001;
/**
 * The share of the population whose names resemble those on the lists. The words on the lists are frequent
 * among these people.
 */
const LISTED_LIKE = 0.02;
/** The share that is added for an initial or a very short word, because it identifies no one. */
const SHORT_SHARE = 1 / 500;

const shares = nameShares(BRAZILIAN_NAMES);
const companyShares = nameShares(COMPANY_WORDS);
/** Computed for the first word that is in no table, because the 2,000 sounds cost a cold start some 4 ms. */
let soundShares: Map<string, number> | undefined;

/** The largest share of a word with each sound. */
function sharesBySound(): Map<string, number> {
  const found = new Map<string, number>();
  for (const [word, share] of shares) {
    const sound = soundOf(word);
    found.set(sound, Math.max(found.get(sound) ?? 0, share));
  }
  return found;
}

/** The share of the population that has each word. If a word is in several tiers, the first tier counts. */
function nameShares(tiers: readonly { oneIn: number; words: string }[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { oneIn, words } of tiers) {
    for (const word of words.trim().split(/\s+/)) if (!found.has(word)) found.set(word, 1 / oneIn);
  }
  return found;
}

function shareOfSound(sound: string): number {
  soundShares ??= sharesBySound();
  return soundShares.get(sound) ?? 0;
}

/**
 * The rarity of a word in natural logarithms, from 2.5 for "silva" to 11 for an unknown word. A rare word
 * identifies a person better. `listedShare` is the share of the listed people who have the word.
 */
export function rarityOf(word: string, sound: string, listedShare = 0): number {
  const share = shares.get(word) ?? shareOfSound(sound) / 4;
  const short = word.length < 3 ? SHORT_SHARE : 0;
  return -Math.log(Math.max(FLOOR, share + LISTED_LIKE * listedShare + short));
}

/**
 * The rarity of a word in a company's name. A company may be named after a person or after its trade. The
 * rarity is therefore low if the word is frequent among people, Brazilian companies or listed companies.
 */
export function companyRarityOf(word: string, sound: string, listedShare = 0): number {
  const short = word.length < 4 ? SHORT_SHARE : 0;
  const share = (companyShares.get(word) ?? 0) + listedShare + short;
  return Math.min(rarityOf(word, sound), -Math.log(Math.max(FLOOR, share)));
}
