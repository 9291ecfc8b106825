import { VERSION_BYTES } from './entry-version.ts';
import { firstRow } from './find-documents.ts';
import type { IndexArrays, NameArrays } from './index-shape.ts';
import { uint32At } from './numbers.ts';

/** A listed name in the spelling of the index: folded, without particles, in the publisher's order. */
export function listedNameText(arrays: NameArrays, name: number): string {
  const ids = arrays.nameWords.subarray(arrays.nameOffsets[name], arrays.nameOffsets[name + 1]);
  return Array.from(ids, (id) => wordText(arrays, id)).join(' ');
}

/**
 * The first name of the entry. Names are sorted by entry, and within an entry they are in the publisher's
 * order.
 */
export function firstListedName(arrays: NameArrays, entry: number): string | undefined {
  const { nameEntries } = arrays;
  const name = firstRow(nameEntries.length, (at) => uint32At(nameEntries, at) >= entry);
  return nameEntries[name] === entry ? listedNameText(arrays, name) : undefined;
}

/** The version of the entry: the result of `entryVersionOf` when the index was built. */
export function storedVersion({ entryVersions }: IndexArrays, entry: number): string {
  const begin = entry * VERSION_BYTES;
  return Buffer.from(entryVersions.subarray(begin, begin + VERSION_BYTES)).toString('hex');
}

function wordText({ wordLetters, wordOffsets }: NameArrays, id: number): string {
  return String.fromCharCode(...wordLetters.subarray(wordOffsets[id], wordOffsets[id + 1]));
}
