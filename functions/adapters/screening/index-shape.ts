import type { ListId } from '../../domain/screening/lists.ts';
import type { ListVersion } from '../../domain/screening/screening.ts';
import type { Arrays } from './layout.ts';

/**
 * The names of persons, or of companies, with their words. The words of a listed name are neighbours in
 * `nameWords`. An array `…Offsets` has the position where each part of another array begins. It has one more
 * element, the end of the last part.
 */
const NAME_SHAPE = {
  wordOffsets: 'u32',
  wordLetters: 'u16',
  soundOffsets: 'u32',
  soundLetters: 'u16',
  wordRarities: 'f32',
  wordMasks: 'u32',
  wordCrowds: 'f32',
  spellingBuckets: 'u32',
  spellingKeys: 'u32',
  spellingWords: 'u32',
  postingOffsets: 'u32',
  postingNames: 'u32',
  nameOffsets: 'u32',
  nameWords: 'u32',
  nameEntries: 'u32',
  nameIsWeak: 'u8',
} as const;
export type NameArrays = Arrays<typeof NAME_SHAPE>;
export type NameArray = keyof typeof NAME_SHAPE;

type OfCompanies = { [Name in NameArray as `company${Capitalize<Name>}`]: (typeof NAME_SHAPE)[Name] };
/** The name of the same array for companies. */
export const ofCompanies = (name: string) =>
  `company${name.charAt(0).toUpperCase()}${name.slice(1)}` as keyof OfCompanies;
const NAME_ARRAYS = Object.keys(NAME_SHAPE) as NameArray[];

/** The arrays of an index. An entry is a person or a company of a list. */
export const INDEX_SHAPE = {
  ...NAME_SHAPE,
  ...(Object.fromEntries(NAME_ARRAYS.map((name) => [ofCompanies(name), NAME_SHAPE[name]])) as OfCompanies),
  birthOffsets: 'u32',
  birthFrom: 'i32',
  birthTo: 'i32',
  entryLists: 'u8',
  entryUntil: 'i32',
  entryVersions: 'u8',
  idOffsets: 'u32',
  idBytes: 'u8',
  documentBytes: 'u8',
  documentEntries: 'u32',
  maskedKeys: 'u32',
  maskedEntries: 'u32',
  maskedNameOffsets: 'u32',
  maskedNameBytes: 'u8',
} as const;

/** The content of the index. `version` is the version of the publication. `builtAt` is an ISO instant. */
export type IndexMeta = { version: string; builtAt: string; lists: ListVersion[] };
/** `entryLists` has, for each entry, the position of its list in `listNames`. */
export type StoredMeta = IndexMeta & { listNames: readonly ListId[] };

/** CPFs and CNPJs are padded to this number of characters, so that they can be found by bisection. */
export const DOCUMENT_WIDTH = 14;
/**
 * The key of a spelling has 32 bits. Its first 16 bits are the number of the bucket that lists the words with
 * this key.
 */
export const BUCKET_BITS = 16;
export type IndexArrays = Arrays<typeof INDEX_SHAPE>;

export function companyNamesIn(arrays: IndexArrays): NameArrays {
  const found = NAME_ARRAYS.map((name) => [name, arrays[ofCompanies(name)]]);
  return Object.fromEntries(found) as NameArrays;
}
