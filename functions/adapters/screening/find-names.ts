import { getAt } from '../../domain/get.ts';
import { type Alignment, alignNames } from './align-names.ts';
import { type BirthEvidence, birthEvidence, type ListedBirths } from './birth-evidence.ts';
import { compareWords, type Word, wordFrom } from './compare-words.ts';
import {
  creditAlike,
  creditJoined,
  creditParted,
  keepGain,
  type NameSearch,
  newNameSearch,
  wordAt,
} from './credit-names.ts';
import { CROWDS, type CrowdAt } from './crowds.ts';
import type { NameArrays } from './index-shape.ts';
import { float32At, uint32At } from './numbers.ts';
import { MAX_WORDS } from './words.ts';

export type NameMatch = {
  entry: number;
  name: number;
  isWeak: boolean;
  alignment: Alignment;
  birth: BirthEvidence;
};

/**
 * The most listed names that one search compares in full. Each of 1,500 misspelled names of listed people was among
 * the first eight.
 */
const CLOSE_LOOKS = 20;
/**
 * The lowest rough score of a listed name that gets a full comparison. With a lower score, the words that
 * agree prove too little.
 */
const MIN_PROMISE = 2;
/** How much the rough score falls for each word that the listed name has more or fewer than the client's name. */
const LENGTH_DIFFERENCE = 0.8;

/**
 * Rough scores are counted in this many classes, four for each point. Only the names in the highest classes
 * must then be sorted.
 */
const STEPS = 256;
const promiseStep = (promise: number) => Math.min(Math.floor(promise * 4), STEPS - 1);

/**
 * The client's name and birth date as the search needs them. `texts` are the words of the name in
 * alphabetical order.
 */
type WantedName = { texts: readonly string[]; words: readonly Word[]; birthDay: number };

/**
 * Returns a search for the listed names that most resemble the client's name. Searches share one working
 * memory, so only one may run at a time.
 */
export function nameFinder(arrays: NameArrays, births: ListedBirths) {
  const search = newNameSearch(arrays, births);
  return function findNames(texts: readonly string[], birthDay: number): NameMatch[] {
    const wanted = { texts, words: texts.map(wordFrom), birthDay };
    forgetWords(search);
    creditNames(search, wanted);
    return takePromising(search, wanted).map((name) => lookClosely(search, name, wanted));
  };
}

function forgetWords(search: NameSearch): void {
  for (const place of search.askedGains) search.gains[place] = Number.NaN;
  search.askedGains.length = 0;
  search.slot = 0;
  search.seen.fill(0);
}

function creditNames(search: NameSearch, { texts, words }: WantedName): void {
  for (const [at, text] of texts.entries()) {
    search.repeated = at - texts.indexOf(text);
    creditAlike(search, { text, word: getAt(words, at), at });
  }
  search.repeated = 0;
  creditJoined(search, texts);
  for (const text of texts) creditParted(search, text);
}

/** Returns the names with the highest rough scores, and clears the scores for the next search. */
function takePromising(search: NameSearch, wanted: WantedName): number[] {
  const { promises, touched, slots } = search;
  const least = leastStep(weighPromises(search, wanted));
  const found: { name: number; promise: number }[] = [];
  for (let at = 0; at < search.touchedCount; at++) {
    const name = uint32At(touched, at);
    const promise = float32At(promises, name);
    if (promise > 0 && promiseStep(promise) >= least) found.push({ name, promise });
    promises[name] = 0;
    slots[name] = -1;
  }
  search.touchedCount = 0;
  found.sort((a, b) => b.promise - a.promise || a.name - b.name);
  return found.slice(0, CLOSE_LOOKS).map(({ name }) => name);
}

/**
 * Corrects each rough score by length and birth date. Returns the number of names in each class of scores.
 */
function weighPromises(search: NameSearch, wanted: WantedName): Uint32Array {
  const { promises, touched } = search;
  const counts = new Uint32Array(STEPS);
  for (let at = 0; at < search.touchedCount; at++) {
    const name = uint32At(touched, at);
    promises[name] = namePromise(search, name, wanted);
    const promise = float32At(promises, name);
    const step = promiseStep(promise);
    if (promise > 0) counts[step] = uint32At(counts, step) + 1;
  }
  return counts;
}

/**
 * The class of scores such that at least `CLOSE_LOOKS` names are in it or in a higher class. 0 if fewer names
 * were found.
 */
function leastStep(counts: Uint32Array): number {
  let step = STEPS - 1;
  let names = uint32At(counts, step);
  while (names < CLOSE_LOOKS && step > 0) names += uint32At(counts, --step);
  return step;
}

/** The rough score corrected by length and birth date. 0 if it is too low for a full comparison. */
function namePromise({ arrays, promises, births }: NameSearch, name: number, wanted: WantedName): number {
  const length = uint32At(arrays.nameOffsets, name + 1) - uint32At(arrays.nameOffsets, name);
  const difference = Math.abs(length - wanted.texts.length) * LENGTH_DIFFERENCE;
  const bare = float32At(promises, name) - difference;
  if (bare < MIN_PROMISE) return 0;
  const entry = uint32At(arrays.nameEntries, name);
  const promise = bare + birthEvidence(wanted.birthDay, births, entry).weight;
  return promise < MIN_PROMISE ? 0 : promise;
}

/**
 * Returns a reader of the crowds (`crowds.ts`) of a listed name whose words are `ids`. Undefined for
 * companies, which have no crowds.
 */
function crowdAtIn({ wordCrowds }: NameArrays, ids: Uint32Array): CrowdAt | undefined {
  if (wordCrowds.length === 0) return undefined;
  return (listedAt, step) => float32At(wordCrowds, uint32At(ids, listedAt) * CROWDS + step);
}

function lookClosely(search: NameSearch, name: number, { words, birthDay }: WantedName): NameMatch {
  const { arrays, births, gains } = search;
  const ids = arrays.nameWords.subarray(arrays.nameOffsets[name], arrays.nameOffsets[name + 1]);
  const listed = Array.from(ids, (id) => wordAt(arrays, id));
  const compare = (clientAt: number, listedAt: number) => {
    const place = uint32At(ids, listedAt) * MAX_WORDS + clientAt;
    if (Number.isNaN(gains[place]))
      keepGain(search, place, compareWords(getAt(words, clientAt), getAt(listed, listedAt)));
    return float32At(gains, place);
  };
  const alignment = alignNames(words, listed, { compare, crowdAt: crowdAtIn(arrays, ids) });
  const entry = uint32At(arrays.nameEntries, name);
  return {
    entry,
    name,
    isWeak: arrays.nameIsWeak[name] === 1,
    alignment,
    birth: birthEvidence(birthDay, births, entry),
  };
}
