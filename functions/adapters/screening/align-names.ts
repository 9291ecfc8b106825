import { getAt } from '../../domain/get.ts';
import { compareWords, haveOtherLetters, isEqual, type Word } from './compare-words.ts';
import { areFrequent, type CrowdAt, evidenceInCrowds, type Pair } from './crowds.ts';
import { float64At } from './numbers.ts';
import { MAX_RARITY } from './rarity.ts';
import { codesOf, lettersOf, soundOf } from './spelling.ts';
import { WEIGHTS } from './weights.ts';

/**
 * How well a client's name agrees with a listed name. `evidence` is a natural logarithm: see `WEIGHTS`.
 * `equal` to `extra` are numbers of words.
 */
export type Alignment = {
  evidence: number;
  equal: number;
  alike: number;
  joined: number;
  initials: number;
  /** Listed words that are missing in the client's name. */
  missing: number;
  /** Words of the client's name that are missing in the listed name. */
  extra: number;
  /**
   * The part of the evidence that was subtracted because the words are frequent among the listed people:
   * `crowds.ts`.
   */
  discount: number;
  /** True if evidence was subtracted, and each of the agreeing words is frequent among the listed people. */
  isFrequent: boolean;
};

/**
 * `compare` returns the result of `compareWords` for two words, and may take it from a cache. `crowdAt` (see
 * `crowds.ts`) is absent for company names.
 */
type Ways = {
  compare: (clientAt: number, listedAt: number) => number;
  crowdAt?: CrowdAt;
};

const gains = new Float64Array(1024);

/**
 * Pairs the words of a client's name with those of a listed name. First it finds words that one name writes together
 * and the other apart. Then it pairs the other words in any order, the strongest pairs first.
 */
export function alignNames(client: readonly Word[], listed: readonly Word[], ways?: Ways): Alignment {
  const result = {
    evidence: 0,
    equal: 0,
    alike: 0,
    joined: 0,
    initials: 0,
    missing: 0,
    extra: 0,
    discount: 0,
    isFrequent: false,
  };
  const compare = ways?.compare ?? ((at, other) => compareWords(getAt(client, at), getAt(listed, other)));
  fillGains(client, listed, compare);
  const pairing = { client: 0, listed: 0 };
  joinBothWays(client, listed, pairing, result);
  const joined = result.evidence;
  const pairs = pairWords(client, listed, pairing, result);
  if (ways?.crowdAt) {
    // The words of a listed name often come together: a stranger with one of them often has several. The
    // words together therefore prove less than the sum of each.
    const inCrowds = joined + evidenceInCrowds(pairs, ways.crowdAt);
    result.discount = Math.max(result.evidence - inCrowds, 0);
    result.isFrequent = result.discount > 0 && areFrequent(pairs, ways.crowdAt);
    result.evidence -= result.discount;
  }
  result.extra = client.length - countBits(pairing.client);
  result.missing = listed.length - countBits(pairing.listed);
  const isComplete = result.equal === client.length && result.equal === listed.length;
  result.evidence += isComplete ? WEIGHTS.complete : -penaltyOf(result);
  return result;
}

/** The words that are already paired, as bits. */
type Pairing = { client: number; listed: number };
type Used = { parted: number; whole: number };

/**
 * Finds words that one name writes together and the other writes apart, in both directions. A word that both
 * names have is never joined.
 */
function joinBothWays(client: readonly Word[], listed: readonly Word[], pairing: Pairing, result: Alignment) {
  const equal = equalWords(client, listed);
  const used = { parted: equal.client, whole: equal.listed };
  const byClient = joinWords(client, listed, used, (at) =>
    bestGain(listed.length, (k) => at * listed.length + k),
  );
  const swapped = { parted: used.whole, whole: used.parted };
  const byList = joinWords(listed, client, swapped, (at) =>
    bestGain(client.length, (k) => k * listed.length + at),
  );
  pairing.client = swapped.whole & ~equal.client;
  pairing.listed = swapped.parted & ~equal.listed;
  result.joined = byClient.joined + byList.joined;
  result.evidence = byClient.evidence + byList.evidence;
}

function equalWords(client: readonly Word[], listed: readonly Word[]): Pairing {
  const equal = { client: 0, listed: 0 };
  for (let i = 0; i < client.length; i++) {
    for (let j = 0; j < listed.length; j++) {
      if (!isEqual(getAt(client, i), getAt(listed, j))) continue;
      equal.client |= 1 << i;
      equal.listed |= 1 << j;
    }
  }
  return equal;
}

function bestGain(length: number, placeOf: (at: number) => number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < length; at++) best = Math.max(best, float64At(gains, placeOf(at)));
  return best;
}

function penaltyOf({ missing, extra }: Alignment): number {
  return WEIGHTS.missing * missing + WEIGHTS.extra * extra + WEIGHTS.replaced * Math.min(missing, extra);
}

function fillGains(client: readonly Word[], listed: readonly Word[], compare: Ways['compare']): void {
  for (let i = 0; i < client.length; i++) {
    for (let j = 0; j < listed.length; j++) gains[i * listed.length + j] = compare(i, j);
  }
}

function pairWords(
  client: readonly Word[],
  listed: readonly Word[],
  pairing: Pairing,
  result: Alignment,
): Pair[] {
  const pairs: Pair[] = [];
  // The penalty that is avoided by a pair. Without the pair, one word would be missing, one would be extra,
  // and one would replace the other.
  const spared = WEIGHTS.missing + WEIGHTS.extra + WEIGHTS.replaced;
  for (;;) {
    let best = -spared;
    let at = -1;
    for (let i = 0; i < client.length; i++) {
      if (pairing.client & (1 << i)) continue;
      for (let j = 0; j < listed.length; j++) {
        if (pairing.listed & (1 << j) || float64At(gains, i * listed.length + j) <= best) continue;
        best = float64At(gains, i * listed.length + j);
        at = i * listed.length + j;
      }
    }
    if (at < 0) return pairs;
    const [i, j] = [Math.floor(at / listed.length), at % listed.length];
    pairing.client |= 1 << i;
    pairing.listed |= 1 << j;
    result.evidence += best;
    const [one, other] = [getAt(client, i), getAt(listed, j)];
    countWord(one, other, result);
    pairs.push({ one, other, listedAt: j, gain: best });
  }
}

function countWord(one: Word, other: Word, result: Alignment): void {
  if (one.letters.length === 1 || other.letters.length === 1) result.initials++;
  else if (isEqual(one, other)) result.equal++;
  else result.alike++;
}

/**
 * Finds two words of one name that are one word in the other name. The two words are joined only if that
 * gives more evidence than both words give alone. `gainAt` returns the evidence of one word alone.
 */
function joinWords(
  parted: readonly Word[],
  whole: readonly Word[],
  used: Used,
  gainAt: (at: number) => number,
) {
  const found = { evidence: 0, joined: 0 };
  if (used.whole === (1 << whole.length) - 1) return found;
  for (let i = 0; i < parted.length; i++) {
    if (used.parted & (1 << i)) continue;
    for (let j = 0; j < parted.length; j++) {
      if (i === j || used.parted & (1 << j)) continue;
      for (let k = 0; k < whole.length; k++) {
        const isTaken = used.parted & ((1 << i) | (1 << j)) || used.whole & (1 << k);
        if (isTaken || !mayJoin(getAt(parted, i), getAt(parted, j), getAt(whole, k))) continue;
        const gain = joinGain(getAt(parted, i), getAt(parted, j), getAt(whole, k));
        if (gain <= Math.max(gainAt(i), 0) + Math.max(gainAt(j), 0)) continue;
        used.parted |= (1 << i) | (1 << j);
        used.whole |= 1 << k;
        found.evidence += gain;
        found.joined++;
      }
    }
  }
  return found;
}

/**
 * A quick check before the full comparison: the joined word must have the same first or the same last letter.
 * A word with errors at both ends has too many errors, and so has a word of other letters.
 */
function mayJoin(first: Word, last: Word, whole: Word): boolean {
  // A single letter is an initial, which is never a part of a joined word.
  if (first.letters.length < 2 || last.letters.length < 2) return false;
  const length = first.letters.length + last.letters.length;
  if (Math.abs(length - whole.letters.length) > 2 || whole.letters.length < 5) return false;
  if (first.letters[0] !== whole.letters[0] && last.letters.at(-1) !== whole.letters.at(-1)) return false;
  const longest = Math.max(length, whole.letters.length);
  return !haveOtherLetters(first.mask | last.mask, whole.mask, WEIGHTS.maxJoinedEditShare * longest);
}

function joinGain(one: Word, other: Word, whole: Word): number {
  const text = String.fromCharCode(...one.letters, ...other.letters);
  const rarity = one.rarity + other.rarity;
  const joined = { letters: codesOf(text), sound: codesOf(soundOf(text)), mask: lettersOf(text), rarity };
  // The whole word may be unknown, and its rarity is then only assumed. The rarity of its two parts is used
  // instead.
  const known = whole.rarity < MAX_RARITY ? whole : { ...whole, rarity };
  return compareWords(joined, known, WEIGHTS.maxJoinedEditShare) - WEIGHTS.joined;
}

/** True if every word of one name is equal to a word of the other name, and no word is left over. */
export function isExactAlignment({ alike, joined, initials, missing, extra }: Alignment): boolean {
  return alike + joined + initials + missing + extra === 0;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest; rest &= rest - 1) count++;
  return count;
}
