import { getAt } from '../../domain/get.ts';
import { LIST_IDS } from '../../domain/screening/lists.ts';
import type { ListEntry, ListedName } from '../lists/entry.ts';
import { dayNumber } from './birth-evidence.ts';
import { companyWordsOf } from './company-words.ts';
import { crowdsOf } from './crowds.ts';
import { entryVersionOf } from './entry-version.ts';
import {
  BUCKET_BITS,
  DOCUMENT_WIDTH,
  INDEX_SHAPE,
  type IndexMeta,
  type NameArray,
  ofCompanies,
  type StoredMeta,
} from './index-shape.ts';
import { pack } from './layout.ts';
import { uint32At } from './numbers.ts';
import { companyRarityOf, rarityOf } from './rarity.ts';
import { codesOf, lettersOf, soundOf, spellingKeys } from './spelling.ts';
import { screenedWords } from './words.ts';

/**
 * A list with fewer people than this is too small to show how frequent its words are. The shares are then
 * computed as if the list had this many people.
 */
const MIN_PEOPLE = 2000;

type Name = { entry: number; words: number[]; isWeak: boolean };

/**
 * Builds the whole index as one buffer. It is deterministic: the same entries in the same order give the same buffer.
 */
export function buildIndex(entries: readonly ListEntry[], meta: IndexMeta): Uint8Array {
  const arrays = {
    ...kindArrays(entries, PERSONS),
    ...companyArrays(entries),
    ...birthArrays(entries),
    ...entryArrays(entries),
    ...documentArrays(entries),
    ...maskedArrays(entries),
  };
  return pack(INDEX_SHAPE, arrays, { ...meta, listNames: LIST_IDS } satisfies StoredMeta);
}

/**
 * How the names of one kind of entry, persons or companies, are found, split into words, and weighted by the
 * rarity of the words. `hasCrowds` is true for persons: see `crowds.ts`.
 */
type Kind = {
  hasCrowds: boolean;
  names: (entry: ListEntry) => readonly ListedName[];
  wordsOf: (text: string) => string[];
  rarityOf: (word: string, sound: string, listedShare: number) => number;
};
const PERSONS: Kind = {
  hasCrowds: true,
  names: ({ maskedCpf, names }) => (maskedCpf ? [] : names),
  wordsOf: screenedWords,
  rarityOf,
};
const COMPANIES: Kind = {
  hasCrowds: false,
  names: ({ companyNames = [] }) => companyNames,
  wordsOf: companyWordsOf,
  rarityOf: companyRarityOf,
};

function kindArrays(entries: readonly ListEntry[], kind: Kind): Record<NameArray, ArrayLike<number>> {
  const vocabulary = new Map<string, number>();
  const names = entries.flatMap((entry, at) => indexedNames(entry, at, { kind, vocabulary }));
  return {
    ...wordArrays(vocabulary, names, kind),
    ...spellingArrays(vocabulary),
    ...nameArrays(names, vocabulary.size),
  };
}

function companyArrays(entries: readonly ListEntry[]) {
  const arrays = Object.entries(kindArrays(entries, COMPANIES));
  return Object.fromEntries(arrays.map(([name, array]) => [ofCompanies(name), array])) as Record<
    ReturnType<typeof ofCompanies>,
    ArrayLike<number>
  >;
}

type Naming = { kind: Kind; vocabulary: Map<string, number> };

function indexedNames(entry: ListEntry, at: number, { kind, vocabulary }: Naming): Name[] {
  const seen = new Set<string>();
  return kind.names(entry).flatMap(({ text, isWeak }) => {
    const words = kind.wordsOf(text);
    const key = words.join(' ');
    if (!key || seen.has(key)) return [];
    seen.add(key);
    return [{ entry: at, words: words.map((word) => idIn(vocabulary, word)), isWeak }];
  });
}

function idIn(vocabulary: Map<string, number>, word: string): number {
  const known = vocabulary.get(word);
  if (known !== undefined) return known;
  vocabulary.set(word, vocabulary.size);
  return vocabulary.size - 1;
}

function wordArrays(vocabulary: Map<string, number>, names: Name[], kind: Kind) {
  const words = [...vocabulary.keys()];
  const sounds = words.map(soundOf);
  // Counts people, not names. One person with forty aliases must not make their words look common.
  const bearers = words.map(() => new Set<number>());
  for (const { words: ids, entry } of names) for (const id of ids) getAt(bearers, id).add(entry);
  const people = Math.max(new Set(names.map(({ entry }) => entry)).size, MIN_PEOPLE);
  const shares = bearers.map(({ size }) => size / people);
  return {
    wordOffsets: offsetsOf(words.map((word) => word.length)),
    wordLetters: words.flatMap((word) => [...codesOf(word)]),
    soundOffsets: offsetsOf(sounds.map((sound) => sound.length)),
    soundLetters: sounds.flatMap((sound) => [...codesOf(sound)]),
    wordRarities: words.map((word, id) => kind.rarityOf(word, getAt(sounds, id), getAt(shares, id))),
    wordMasks: words.map((word) => lettersOf(word) >>> 0),
    wordCrowds: kind.hasCrowds ? crowdsOf({ words, sounds, shares }) : [],
  };
}

function spellingArrays(vocabulary: Map<string, number>) {
  const pairs: [key: number, word: number][] = [];
  for (const [word, id] of vocabulary) {
    for (const key of spellingKeys(word, soundOf(word))) pairs.push([key, id]);
  }
  pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const sizes = new Array<number>(2 ** BUCKET_BITS).fill(0);
  for (const [key] of pairs) {
    const bucket = key >>> (32 - BUCKET_BITS);
    sizes[bucket] = getAt(sizes, bucket) + 1;
  }
  return {
    spellingBuckets: offsetsOf(sizes),
    spellingKeys: pairs.map(([key]) => key),
    spellingWords: pairs.map(([, word]) => word),
  };
}

function nameArrays(names: Name[], vocabularySize: number) {
  const postings = Array.from({ length: vocabularySize }, () => [] as number[]);
  for (const [at, { words }] of names.entries()) {
    for (const word of words) getAt(postings, word).push(at);
  }
  return {
    postingOffsets: offsetsOf(postings.map((each) => each.length)),
    postingNames: postings.flat(),
    nameOffsets: offsetsOf(names.map(({ words }) => words.length)),
    nameWords: names.flatMap(({ words }) => words),
    nameEntries: names.map(({ entry }) => entry),
    nameIsWeak: names.map(({ isWeak }) => Number(isWeak)),
  };
}

/**
 * The arrays of birth dates end with the last entry that is searched by name alone. This saves memory,
 * because most entries are Brazilian, come later and have no birth date.
 */
function birthArrays(entries: readonly ListEntry[]) {
  const last = entries.findLastIndex(({ names, maskedCpf }) => names.length && !maskedCpf);
  const births = entries
    .slice(0, last + 1)
    .map((entry) =>
      entry.births
        .map(({ from, to }) => [dayNumber(from), dayNumber(to)] as const)
        .filter(([from, to]) => from && to),
    );
  return {
    birthOffsets: offsetsOf(births.map((each) => each.length)),
    birthFrom: births.flat().map(([from]) => from),
    birthTo: births.flat().map(([, to]) => to),
  };
}

function entryArrays(entries: readonly ListEntry[]) {
  const ids = entries.map(({ id }) => Buffer.from(id));
  return {
    entryLists: entries.map(({ list }) => LIST_IDS.indexOf(list)),
    entryUntil: entries.map(({ until }) => dayNumber(until)),
    entryVersions: Buffer.from(entries.map(entryVersionOf).join(''), 'hex'),
    idOffsets: offsetsOf(ids.map((id) => id.length)),
    idBytes: Buffer.concat(ids),
  };
}

function documentArrays(entries: readonly ListEntry[]) {
  const rows = entries.flatMap(({ documents }, entry) =>
    documents.map((document) => ({ key: document.padEnd(DOCUMENT_WIDTH), entry })),
  );
  rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry - b.entry));
  return {
    documentBytes: Buffer.from(rows.map(({ key }) => key).join(''), 'latin1'),
    documentEntries: rows.map(({ entry }) => entry),
  };
}

function maskedArrays(entries: readonly ListEntry[]) {
  const rows = entries.flatMap(({ maskedCpf, names }, entry) => {
    const name = Buffer.from(screenedWords(names[0]?.text ?? '').join(' '));
    return maskedCpf && name.length ? [{ key: Number(maskedCpf), entry, name }] : [];
  });
  rows.sort((a, b) => a.key - b.key || a.entry - b.entry);
  return {
    maskedKeys: rows.map(({ key }) => key),
    maskedEntries: rows.map(({ entry }) => entry),
    maskedNameOffsets: offsetsOf(rows.map(({ name }) => name.length)),
    maskedNameBytes: Buffer.concat(rows.map(({ name }) => name)),
  };
}

function offsetsOf(sizes: number[]): Uint32Array {
  const offsets = new Uint32Array(sizes.length + 1);
  for (const [at, size] of sizes.entries()) offsets[at + 1] = uint32At(offsets, at) + size;
  return offsets;
}
