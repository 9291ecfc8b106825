/**
 * The first step of a search. It gives each listed name a rough score for the words that it shares with the
 * client's name.
 */
import type { ListedBirths } from './birth-evidence.ts';
import { compareWords, type Word } from './compare-words.ts';
import { BUCKET_BITS, type NameArrays } from './index-shape.ts';
import { float32At, uint32At } from './numbers.ts';
import { spellingKeys, writtenKey } from './spelling.ts';
import { MAX_LETTERS, MAX_WORDS } from './words.ts';

/** The names of an index, with working memory for one search at a time. */
export type NameSearch = {
  readonly arrays: NameArrays;
  readonly births: ListedBirths;
  /**
   * The rough score of each listed name. At first it is the sum of the evidence of the words shared with the
   * client. `weighPromises` then corrects it by length and birth date. 0 if the name was not found, or is not
   * worth a full comparison.
   */
  readonly promises: Float32Array;
  /** The listed names that the search has found. Only the first `touchedCount` elements are in use. */
  readonly touched: Uint32Array;
  touchedCount: number;
  /**
   * The number of the current step of the search. Each word of the client is one step, and so is each way to
   * join or part words. A listed name gets evidence once in each step: the highest.
   */
  slot: number;
  readonly slots: Int32Array;
  readonly slotGains: Float32Array;
  /**
   * For each listed word, the last step (`slot`) that compared it. A step therefore compares a word only
   * once.
   */
  readonly seen: Int32Array;
  /** How many times the current word of the client occurs earlier in the client's name. */
  repeated: number;
  /** The evidence of each listed word for each word of the client. NaN means that it is not computed yet. */
  readonly gains: Float32Array;
  /** The positions in `gains` that were computed. Only these must be cleared for the next search. */
  readonly askedGains: number[];
};

export function newNameSearch(arrays: NameArrays, births: ListedBirths): NameSearch {
  const names = arrays.nameEntries.length;
  const words = arrays.wordMasks.length;
  return {
    arrays,
    births,
    promises: new Float32Array(names),
    touched: new Uint32Array(names),
    touchedCount: 0,
    slot: 0,
    slots: new Int32Array(names).fill(-1),
    slotGains: new Float32Array(names),
    seen: new Int32Array(words),
    repeated: 0,
    gains: new Float32Array(words * MAX_WORDS).fill(Number.NaN),
    askedGains: [],
  };
}

/**
 * Makes the word at each call and keeps none. Kept words would fill the memory, and a search would not be
 * measurably faster.
 */
export function wordAt(arrays: NameArrays, id: number): Word {
  return {
    letters: arrays.wordLetters.subarray(arrays.wordOffsets[id], arrays.wordOffsets[id + 1]),
    sound: arrays.soundLetters.subarray(arrays.soundOffsets[id], arrays.soundOffsets[id + 1]),
    mask: uint32At(arrays.wordMasks, id),
    rarity: float32At(arrays.wordRarities, id),
  };
}

export function keepGain({ gains, askedGains }: NameSearch, place: number, gain: number): void {
  gains[place] = gain;
  askedGains.push(place);
}

type ClientWord = { text: string; word: Word; at: number };

/** Raises the rough score of the listed names that contain this word of the client, or a similar word. */
export function creditAlike(search: NameSearch, { text, word, at }: ClientWord): void {
  const slot = ++search.slot;
  const { arrays, seen } = search;
  for (const key of spellingKeys(text, String.fromCharCode(...word.sound))) {
    forEachWord(arrays, key, (id) => {
      if (seen[id] === slot) return;
      seen[id] = slot;
      const gain = compareWords(word, wordAt(arrays, id));
      keepGain(search, id * MAX_WORDS + at, gain);
      if (gain > 0) credit(search, id, gain);
    });
  }
}

/** Raises the rough score of the listed names that write two words of the client as one. */
export function creditJoined(search: NameSearch, texts: readonly string[]): void {
  for (const [i, one] of texts.entries()) {
    for (const [j, other] of texts.entries()) {
      if (i === j || one.length + other.length > MAX_LETTERS) continue;
      creditWritten(search, one + other);
    }
  }
}

function creditWritten(search: NameSearch, text: string): void {
  search.slot++;
  const { arrays } = search;
  forEachWord(arrays, writtenKey(text), (id) => credit(search, id, wordAt(arrays, id).rarity));
}

/** Raises the rough score of the listed names that write one word of the client as two. */
export function creditParted(search: NameSearch, text: string): void {
  for (let cut = 2; cut <= text.length - 2; cut++) {
    const first = findWritten(search.arrays, text.slice(0, cut));
    const last = first < 0 ? -1 : findWritten(search.arrays, text.slice(cut));
    if (last >= 0 && last !== first) creditBoth(search, first, last);
  }
}

/** Raises, by `gain`, the rough score of each listed name that contains the listed word `id`. */
function credit(search: NameSearch, id: number, gain: number): void {
  const { repeated } = search;
  const { postingOffsets, postingNames } = search.arrays;
  const end = uint32At(postingOffsets, id + 1);
  for (let at = uint32At(postingOffsets, id) + repeated; at < end; at++) {
    const name = uint32At(postingNames, at);
    // If the client's name has a word twice, the second one is counted only for listed names that also have
    // it twice.
    if (!repeated || postingNames[at - repeated] === name) creditName(search, name, gain);
  }
}

/**
 * Raises the rough score of the listed names that contain both words. The list of names of each word is
 * sorted, so one pass finds the names in both lists.
 */
function creditBoth(search: NameSearch, first: number, last: number): void {
  search.slot++;
  const { arrays } = search;
  const { postingOffsets, postingNames } = arrays;
  const gain = wordAt(arrays, first).rarity + wordAt(arrays, last).rarity;
  const [end, otherEnd] = [uint32At(postingOffsets, first + 1), uint32At(postingOffsets, last + 1)];
  let other = uint32At(postingOffsets, last);
  for (let at = uint32At(postingOffsets, first); at < end; at++) {
    const name = uint32At(postingNames, at);
    while (other < otherEnd && uint32At(postingNames, other) < name) other++;
    if (other < otherEnd && postingNames[other] === name) creditName(search, name, gain);
  }
}

function creditName(search: NameSearch, name: number, gain: number): void {
  const { promises, touched, slots, slotGains, slot } = search;
  const promise = float32At(promises, name);
  if (promise === 0) touched[search.touchedCount++] = name;
  const before = slots[name] === slot ? float32At(slotGains, name) : 0;
  if (gain <= before) return;
  promises[name] = promise + (gain - before);
  slots[name] = slot;
  slotGains[name] = gain;
}

/** Finds the listed word with exactly this spelling. -1 if no name has it. */
function findWritten(arrays: NameArrays, text: string): number {
  let found = -1;
  forEachWord(arrays, writtenKey(text), (id) => {
    if (wordAt(arrays, id).letters.length === text.length) found = id;
  });
  return found;
}

function forEachWord(arrays: NameArrays, key: number, visit: (id: number) => void): void {
  const bucket = key >>> (32 - BUCKET_BITS);
  const end = uint32At(arrays.spellingBuckets, bucket + 1);
  for (let at = uint32At(arrays.spellingBuckets, bucket); at < end; at++) {
    if (arrays.spellingKeys[at] === key) visit(uint32At(arrays.spellingWords, at));
  }
}
