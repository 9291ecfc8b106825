import { getAt } from '../../domain/get.ts';
import { compareWords, NO_MATCH, type Word, wordFrom } from './compare-words.ts';
import { float64At } from './numbers.ts';
import { spellingKeys } from './spelling.ts';
import { WEIGHTS } from './weights.ts';

/**
 * Each listed word has one crowd for each of these limits. The crowd is the listed people who have the word
 * or a similar word. A word is similar if the other spelling lowers the evidence by at most the limit. If the
 * crowd is large, a stranger is often in it by chance.
 */
const DIFFERENCES = [0, 2.5, 4, 5.5, Number.POSITIVE_INFINITY];
export const CROWDS = DIFFERENCES.length;
/**
 * The least share of the listed people that a crowd has in the computation. The lists are a small sample, so
 * a smaller share would be unreliable.
 */
const LEAST_SHARE = 1 / 10_000;

/**
 * Two values of evidence that differ by less than this count as equal, because evidence is rounded when it is stored.
 */
const ROUNDING = 1e-3;
const crowdStep = (difference: number) => DIFFERENCES.findIndex((most) => difference <= most + ROUNDING);
const differenceOf = (one: Word, other: Word, gain: number) => Math.min(one.rarity, other.rarity) - gain;

/** The words of an index, the sound of each word, and the share of the listed people who have it. */
type Shares = { words: readonly string[]; sounds: readonly string[]; shares: readonly number[] };

/**
 * The evidence of belonging to each crowd of each word: the negative natural logarithm of the crowd's share
 * of the listed people.
 */
export function crowdsOf({ words, sounds, shares }: Shares): Float64Array {
  const sums = new Float64Array(words.length * CROWDS);
  const compared = words.map(wordFrom);
  for (const [id, others] of neighboursOf(words, sounds).entries()) {
    for (const other of others) {
      const [one, another] = [getAt(compared, id), getAt(compared, other)];
      const gain = compareWords(one, another);
      if (gain === NO_MATCH) continue;
      for (let step = crowdStep(differenceOf(one, another, gain)); step < CROWDS; step++) {
        sums[id * CROWDS + step] = float64At(sums, id * CROWDS + step) + getAt(shares, other);
      }
    }
  }
  return sums.map((share) => -Math.log(Math.min(Math.max(share, LEAST_SHARE), 1)));
}

/** For each word, the ids of the words that a search compares with it, and the word's own id. */
function neighboursOf(words: readonly string[], sounds: readonly string[]): Set<number>[] {
  const byKey = new Map<number, number[]>();
  const keys = words.map((word, id) => [...spellingKeys(word, getAt(sounds, id))]);
  for (const [id, each] of keys.entries()) {
    for (const key of each) {
      const known = byKey.get(key);
      if (known) known.push(id);
      else byKey.set(key, [id]);
    }
  }
  return keys.map((each) => new Set(each.flatMap((key) => byKey.get(key) ?? [])));
}

/**
 * Two words that agree. `listedAt` is the position of the listed word in its name. `gain` is the evidence of
 * this pair alone.
 */
export type Pair = { one: Word; other: Word; listedAt: number; gain: number };
/** Returns the result of `crowdsOf` for a word of the listed name and for the crowd of `step`. */
export type CrowdAt = (listedAt: number, step: number) => number;

/**
 * The evidence of the pairs, if the client is compared only with people whose names resemble the listed ones.
 * The evidence of such a name, `crowdPrior`, is added once for all pairs.
 */
export function evidenceInCrowds(pairs: readonly Pair[], crowdAt: CrowdAt): number {
  return pairs.reduce((sum, pair) => sum + evidenceOfPair(pair, crowdAt), WEIGHTS.crowdPrior);
}

/** True if the crowd of each agreeing word has more than one listed person in a thousand. */
export function areFrequent(pairs: readonly Pair[], crowdAt: CrowdAt): boolean {
  return pairs.every((pair) => crowdAt(pair.listedAt, stepOfPair(pair)) < Math.log(1000));
}

const stepOfPair = ({ one, other, gain }: Pair) => crowdStep(differenceOf(one, other, gain));

function evidenceOfPair({ one, other, listedAt, gain }: Pair, crowdAt: CrowdAt): number {
  if (gain < 0 || one.letters.length === 1 || other.letters.length === 1) return gain;
  const difference = differenceOf(one, other, gain);
  return Math.min(gain, crowdAt(listedAt, crowdStep(difference)) - WEIGHTS.crowdDifference * difference);
}
