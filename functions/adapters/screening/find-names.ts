import { type Alignment, alignNames } from './align-names.ts';
import { type BirthEvidence, birthEvidence, type ListedBirths } from './birth-evidence.ts';
import { compareWords, type Word, wordFrom } from './compare-words.ts';
import { BUCKET_BITS, type NameArrays } from './index-shape.ts';
import { spellingKeys, writtenKey } from './spelling.ts';
import { MAX_LETTERS, MAX_WORDS } from './words.ts';

export type NameMatch = {
  entry: number;
  name: number;
  isWeak: boolean;
  alignment: Alignment;
  birth: BirthEvidence;
};

/** The number of names that are compared in full. */
const CLOSE_LOOKS = 32;
/** Below this, the matching words say too little for a full comparison. */
const MIN_PROMISE = 2;
/** The reduction of a name's promise for each word more or fewer. */
const LENGTH_DIFFERENCE = 0.8;

/** Promises are counted in steps, so that only the best need sorting. */
const STEPS = 256;
const stepOf = (promise: number) => Math.min(Math.floor(promise * 4), STEPS - 1);

/** The highest step at which there are enough names. */
function leastStep(counts: Uint32Array): number {
  let step = STEPS - 1;
  for (let names = counts[step]!; names < CLOSE_LOOKS && step > 0; names += counts[step]!) step--;
  return step;
}

/** Searches the named entries of an index. It keeps scratch memory, so only one search at a time may use it. */
export function nameFinder(arrays: NameArrays, births: ListedBirths) {
  const names = arrays.nameEntries.length;
  const promises = new Float32Array(names);
  const slots = new Int32Array(names).fill(-1);
  const slotGains = new Float32Array(names);
  const touched = new Uint32Array(names);
  const seen = new Int32Array(arrays.wordMasks.length);
  /** The value of each listed word for each of the client's words; NaN if it was not computed yet. */
  const gains = new Float32Array(arrays.wordMasks.length * MAX_WORDS).fill(Number.NaN);
  const askedGains: number[] = [];
  let touchedCount = 0;
  let slot = 0;
  let repeated = 0;

  function wordAt(id: number): Word {
    // A word is made anew each time. Stored words would use memory for ever, without a measurable gain.
    return {
      letters: arrays.wordLetters.subarray(arrays.wordOffsets[id], arrays.wordOffsets[id + 1]),
      sound: arrays.soundLetters.subarray(arrays.soundOffsets[id], arrays.soundOffsets[id + 1]),
      mask: arrays.wordMasks[id]!,
      rarity: arrays.wordRarities[id]!,
    };
  }

  /** Adds the value of one of the client's words to the listed names that have the word `id`. */
  function credit(id: number, gain: number): void {
    const begin = arrays.postingOffsets[id]! + repeated;
    for (let at = begin; at < arrays.postingOffsets[id + 1]!; at++) {
      const name = arrays.postingNames[at]!;
      // If the client has a word twice, the second one finds only names that have it twice.
      if (!repeated || arrays.postingNames[at - repeated] === name) creditName(name, gain);
    }
  }

  function creditName(name: number, gain: number): void {
    if (promises[name] === 0) touched[touchedCount++] = name;
    const before = slots[name] === slot ? slotGains[name]! : 0;
    if (gain <= before) return;
    promises[name]! += gain - before;
    slots[name] = slot;
    slotGains[name] = gain;
  }

  function forEachWord(key: number, visit: (id: number) => void): void {
    const bucket = key >>> (32 - BUCKET_BITS);
    for (let at = arrays.spellingBuckets[bucket]!; at < arrays.spellingBuckets[bucket + 1]!; at++) {
      if (arrays.spellingKeys[at] === key) visit(arrays.spellingWords[at]!);
    }
  }

  function creditAlike(text: string, word: Word, clientAt: number): void {
    slot++;
    for (const key of spellingKeys(text, String.fromCharCode(...word.sound))) {
      forEachWord(key, (id) => {
        if (seen[id] === slot) return;
        seen[id] = slot;
        const gain = compareWords(word, wordAt(id));
        keepGain(id * MAX_WORDS + clientAt, gain);
        if (gain > 0) credit(id, gain);
      });
    }
  }

  function keepGain(key: number, gain: number): void {
    gains[key] = gain;
    askedGains.push(key);
  }

  function creditJoined(texts: readonly string[]): void {
    for (const [i, one] of texts.entries()) {
      for (const [j, other] of texts.entries()) {
        if (i === j || one.length + other.length > MAX_LETTERS) continue;
        creditWritten(one + other);
      }
    }
  }

  function creditWritten(text: string): void {
    slot++;
    forEachWord(writtenKey(text), (id) => credit(id, wordAt(id).rarity));
  }

  /** Finds names that have two words which the client writes as one. */
  function creditParted(text: string): void {
    for (let cut = 2; cut <= text.length - 2; cut++) {
      const first = findWritten(text.slice(0, cut));
      const last = first < 0 ? -1 : findWritten(text.slice(cut));
      if (last >= 0 && last !== first) creditBoth(first, last);
    }
  }

  function findWritten(text: string): number {
    let found = -1;
    forEachWord(writtenKey(text), (id) => {
      if (wordAt(id).letters.length === text.length) found = id;
    });
    return found;
  }

  function creditBoth(first: number, last: number): void {
    slot++;
    const gain = wordAt(first).rarity + wordAt(last).rarity;
    let other = arrays.postingOffsets[last]!;
    for (let at = arrays.postingOffsets[first]!; at < arrays.postingOffsets[first + 1]!; at++) {
      const name = arrays.postingNames[at]!;
      while (other < arrays.postingOffsets[last + 1]! && arrays.postingNames[other]! < name) other++;
      if (other < arrays.postingOffsets[last + 1]! && arrays.postingNames[other] === name)
        creditName(name, gain);
    }
  }

  /** Returns the names with the most promise, and clears the scratch memory. */
  function promising(birthDay: number, wordCount: number): number[] {
    const counts = new Uint32Array(STEPS);
    for (let at = 0; at < touchedCount; at++) {
      const name = touched[at]!;
      promises[name] = promiseOf(name, birthDay, wordCount);
      if (promises[name]! > 0) counts[stepOf(promises[name]!)]!++;
    }
    const least = leastStep(counts);
    const found: { name: number; promise: number }[] = [];
    for (let at = 0; at < touchedCount; at++) {
      const name = touched[at]!;
      const promise = promises[name]!;
      if (promise > 0 && stepOf(promise) >= least) found.push({ name, promise });
      promises[name] = 0;
      slots[name] = -1;
    }
    touchedCount = 0;
    found.sort((a, b) => b.promise - a.promise || a.name - b.name);
    return found.slice(0, CLOSE_LOOKS).map(({ name }) => name);
  }

  /** 0 if a full comparison would be useless. */
  function promiseOf(name: number, birthDay: number, wordCount: number): number {
    const length = arrays.nameOffsets[name + 1]! - arrays.nameOffsets[name]!;
    const bare = promises[name]! - Math.abs(length - wordCount) * LENGTH_DIFFERENCE;
    if (bare < MIN_PROMISE) return 0;
    const promise = bare + birthEvidence(birthDay, births, arrays.nameEntries[name]!).weight;
    return promise < MIN_PROMISE ? 0 : promise;
  }

  function lookClosely(name: number, client: readonly Word[], birthDay: number): NameMatch {
    const ids = arrays.nameWords.subarray(arrays.nameOffsets[name], arrays.nameOffsets[name + 1]);
    const listed: Word[] = [];
    for (const id of ids) listed.push(wordAt(id));
    const alignment = alignNames(client, listed, (clientAt, listedAt) => {
      const key = ids[listedAt]! * MAX_WORDS + clientAt;
      if (Number.isNaN(gains[key])) keepGain(key, compareWords(client[clientAt]!, listed[listedAt]!));
      return gains[key]!;
    });
    const entry = arrays.nameEntries[name]!;
    return {
      entry,
      name,
      isWeak: arrays.nameIsWeak[name] === 1,
      alignment,
      birth: birthEvidence(birthDay, births, entry),
    };
  }

  /** The listed names that are most like the client's. `texts` are its words in sorted order. */
  return function findNames(texts: readonly string[], birthDay: number): NameMatch[] {
    for (const key of askedGains) gains[key] = Number.NaN;
    askedGains.length = 0;
    slot = 0;
    seen.fill(0);
    const client = texts.map(wordFrom);
    for (const [at, word] of client.entries()) {
      repeated = at - texts.indexOf(texts[at]!);
      creditAlike(texts[at]!, word, at);
    }
    repeated = 0;
    creditJoined(texts);
    for (const text of texts) creditParted(text);
    return promising(birthDay, texts.length).map((name) => lookClosely(name, client, birthDay));
  };
}
