import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LIST_IDS } from '../../domain/screening/lists.ts';

/** The object that names everything else, beside which it lies in the bucket: written last. */
export const PUBLICATION = 'current.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Relative to the publication. Names hold a digest or a version, so that no object is ever overwritten. */
const Name = z.string().regex(/^(?!.*\.\.)[\w./:-]{1,200}$/);
const File = z.object({ name: Name, file: z.string(), sha256: Sha256, bytes: z.int().positive() });

const ListState = z.object({
  list: z.enum(LIST_IDS),
  version: z.string().min(1).max(64),
  sha256: Sha256,
  entries: z.int().positive(),
  /** ISO instant at which the publisher was last seen to serve these files: an old one where later ones were refused. */
  fetchedAt: z.string(),
  most: z.object({ entries: z.int().positive(), until: z.iso.datetime() }).optional(),
  /** The files as they were published; `file` is the publisher's name of each. */
  files: z.array(File).min(1),
});
export type ListState = z.infer<typeof ListState>;

const Count = z.int().nonnegative();
/** Against the publication before, in numbers of entries. `isForced`: an operator let the list pass. */
const ChangeCount = z.object({
  list: z.enum(LIST_IDS),
  added: Count,
  removed: Count,
  changed: Count,
  isForced: z.literal(true).optional(),
});

/** What is in force. `version` is the ISO instant of the build: later ones sort after earlier ones. */
const Publication = z.object({
  version: z.iso.datetime(),
  /** `digest` is the one that `openIndex` gives, of what the buffer holds after it: `indexes/<digest>.idx`. */
  index: z.object({ name: Name, digest: Sha256, bytes: z.int().positive() }),
  lists: z.array(ListState),
  /** The version that this one has replaced. */
  replaced: z.iso.datetime().optional(),
  changes: z.array(ChangeCount).default([]),
  /** The object with the ids of the entries that were added, removed and changed, list by list. */
  details: z.object({ name: Name, sha256: Sha256 }).optional(),
  /** Addresses that OFAC lists, in lower case, with the id of the entry. */
  wallets: z.record(z.string().regex(/^0x[0-9a-f]{40}$/), z.string()),
});
export type Publication = z.infer<typeof Publication>;

/** Throws where the text is not a publication of ours. */
export function parsePublication(text: string): Publication {
  return Publication.parse(JSON.parse(text));
}

export function sha256Of(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** One digest for a list: its file's, or of several that of the lines which `sha256sum` would print. */
export function digestOf(files: readonly { file: string; sha256: string }[]): string {
  if (files.length === 1 && files[0]) return files[0].sha256;
  return sha256Of(files.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
}
