import type { ListName, ListVersion } from '../../domain/screening.ts';
import type { Arrays } from './layout.ts';

/**
 * The arrays of an index. `…Offsets` have one element more than what they divide. A listed name is a run of
 * words; an entry is a person or a company of a list.
 */
export const INDEX_SHAPE = {
  wordOffsets: 'u32',
  wordLetters: 'u16',
  soundOffsets: 'u32',
  soundLetters: 'u16',
  wordRarities: 'f32',
  wordMasks: 'u32',
  spellingBuckets: 'u32',
  spellingKeys: 'u32',
  spellingWords: 'u32',
  postingOffsets: 'u32',
  postingNames: 'u32',
  nameOffsets: 'u32',
  nameWords: 'u32',
  nameEntries: 'u32',
  nameIsWeak: 'u8',
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

/** What the index was made of. `version` names the publication as a whole, `builtAt` is an ISO instant. */
export type IndexMeta = { version: string; builtAt: string; lists: ListVersion[] };
/** `listNames` gives the meaning of `entryLists`. */
export type StoredMeta = IndexMeta & { listNames: readonly ListName[] };

/** CPFs and CNPJs are padded to one width and searched by halving. */
export const DOCUMENT_WIDTH = 14;
/** How many leading bits of a spelling's key choose its bucket. */
export const BUCKET_BITS = 16;
export type IndexArrays = Arrays<typeof INDEX_SHAPE>;
