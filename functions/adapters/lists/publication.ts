import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LIST_IDS } from '../../domain/screening/lists.ts';

/**
 * The name of the object that names all other objects of the publication. A new publication writes it last.
 * It is the only object that is overwritten.
 */
export const PUBLICATION = 'current.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/**
 * The name of an object, relative to the folder of the publication. Each name contains a digest or a version,
 * so none of these objects is ever overwritten.
 */
const Name = z.string().regex(/^(?!.*\.\.)[\w./:-]{1,200}$/);
const File = z.object({ name: Name, file: z.string(), sha256: Sha256, bytes: z.int().positive() });

const Count = z.int().nonnegative();
const ListState = z.object({
  list: z.enum(LIST_IDS),
  version: z.string().min(1).max(64),
  sha256: Sha256,
  entries: z.int().positive(),
  /**
   * The ISO instant at which the publisher last served exactly these files. It gets old while the publisher's
   * newer files are refused.
   */
  fetchedAt: z.string(),
  most: z.object({ entries: z.int().positive(), until: z.iso.datetime() }).optional(),
  /** `at` is the version of the publication in which entries of this list last changed. */
  lastChange: z.object({ at: z.iso.datetime(), added: Count, removed: Count, changed: Count }).optional(),
  /** The files of the list. `file` is the publisher's name of each. */
  files: z.array(File).min(1),
});

/**
 * The numbers of entries that changed since the previous publication. `isForced`: an operator accepted the
 * list although the rules refused it.
 */
const ChangeCount = z.object({
  list: z.enum(LIST_IDS),
  added: Count,
  removed: Count,
  changed: Count,
  isForced: z.literal(true).optional(),
});

/**
 * The publication in force. `version` is the ISO instant at which it was built, so a later publication has a
 * greater version.
 */
const Publication = z.object({
  version: z.iso.datetime(),
  /**
   * The object `indexes/<digest>.idx`, which has the index. The object also contains the digest of all its
   * bytes that come after this digest. `openIndex` checks that digest and returns it.
   */
  index: z.object({ name: Name, digest: Sha256, bytes: z.int().positive() }),
  lists: z.array(ListState),
  /** The version of the publication before this one. */
  replaced: z.iso.datetime().optional(),
  changes: z.array(ChangeCount).default([]),
  /** The object with the ids of the added, removed and changed entries of each list. */
  details: z.object({ name: Name, sha256: Sha256 }).optional(),
  /** The addresses that OFAC lists, in lower case. Each comes with the id of its entry. */
  wallets: z.record(z.string().regex(/^0x[0-9a-f]{40}$/), z.string()),
});
export type Publication = z.infer<typeof Publication>;

/** Parses a publication. Throws if the text has another form. */
export function parsePublication(text: string): Publication {
  return Publication.parse(JSON.parse(text));
}

export function sha256Of(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The digest of a list. For several files it is the digest of the lines that `sha256sum` would print for them. */
export function filesDigest(files: readonly { file: string; sha256: string }[]): string {
  if (files.length === 1 && files[0]) return files[0].sha256;
  return sha256Of(files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
}
