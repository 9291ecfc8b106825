/** Decides which download may replace a list in force, and computes the changed entries. */

import { DAY_MS } from '../time.ts';
import type { EvidenceOf } from './evidence.ts';
import { LISTS, type ListId } from './lists.ts';
import type { IndexInUse, ListVersion } from './screening.ts';

/** A publisher's file, not yet unzipped. `file` is the publisher's name of it. */
export type PublishedFile = { file: string; sha256: string; bytes: Uint8Array };

/** A list as its publisher serves it. */
export type ListDownload = Pick<ListVersion, 'list' | 'version' | 'sha256'> & { files: PublishedFile[] };

/** A list whose files were parsed. The archive builds the index from `content`. */
export type ReadList<Content = unknown> = ListDownload & {
  /** Each entry's id with its version: sixteen hexadecimal digits that change with the entry's data. */
  entries: ReadonlyMap<string, string>;
  /** The number of unreadable rows, which were left out. */
  skipped: number;
  content: Content;
};

/** A list in force. `fetchedAt` is the last ISO instant at which the publisher served these very files. */
export type ListInForce = ListVersion & {
  fetchedAt: string;
  files: ArchivedFile[];
  most?: Most;
  lastChange?: LastChange;
};
/** When entries of the list last changed: the version of that edition, and the numbers of entries. */
export type LastChange = { at: string } & Pick<ChangeCount, 'added' | 'removed' | 'changed'>;
/**
 * The highest number of entries that the list has had in the last thirty days. It is compared with new lists
 * until the ISO instant `until`. See `mostOf`.
 */
export type Most = { entries: number; until: string };
export type ArchivedFile = Omit<PublishedFile, 'bytes'> & { name: string; bytes: number };

/** The ids of the entries that were added, removed or changed. */
export type ListChange = { added: string[]; removed: string[]; changed: string[] };
/** The numbers of changed entries. `isForced`: an operator accepted the list although the rules refused it. */
export type ChangeCount = {
  list: ListId;
  added: number;
  removed: number;
  changed: number;
  isForced?: true;
};

/**
 * One state of all lists, with one index. `version` is the ISO instant of its build, and `replaced` the
 * version before it. `changes` counts the entries that differ from that version. The object that `details`
 * names has the ids of these entries.
 */
export type Edition = {
  version: string;
  digest: string;
  lists: ListInForce[];
  replaced?: string;
  changes: ChangeCount[];
  details?: { name: string; sha256: string };
};

/** The evidence that a new edition was put in force, or that all clients were searched in an edition. */
export type ListEvidence = EvidenceOf<'lists', PublishedEdition | SearchedClients>;
type PublishedEdition = {
  inputs: { lists: Omit<ListInForce, 'fetchedAt' | 'lastChange'>[]; replaced?: string };
  findings: Pick<Edition, 'changes' | 'details'>;
  /** `index` is the digest of the edition's index. */
  decision: { index: string };
};
type SearchedClients = {
  inputs: { index: IndexInUse };
  findings: Record<string, number>;
  decision: { kept: number; raised: number; held: number; rejected: number };
};

/** Thrown if the publisher's file is not the list, or only a part of it. The list in force stays. */
export class ListRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ListRefused';
  }
}

/** Limits of a new list: docs/compliance.md, "The lists". */
const LEAST_SHARE = 0.8;
const MOST_SHARE = 2;
/**
 * A new list may have this many entries more than `MOST_SHARE` allows, because a short list may grow
 * quickly. A file of another list would have thousands of entries more.
 */
const MOST_MORE = 1000;
const MOST_SKIPPED_SHARE = 0.01;

type Size = Pick<ReadList, 'version' | 'entries' | 'skipped'>;
/** `removed` is the number of former entries that the new list lacks, if it is known. */
type Former = Pick<ListInForce, 'version' | 'entries' | 'most'> & { removed?: number };

/**
 * Returns the reason, in words, why the new list must not replace the one in force. Undefined if it may.
 * `fewest` is the lowest number of entries that is accepted.
 */
export function objectionTo(fresh: Size, former: Former | undefined, fewest: number): string | undefined {
  const { entries, skipped } = fresh;
  const { size } = entries;
  if (size < fewest) return `it has ${size} entries, where there are never fewer than ${fewest}`;
  if (skipped > size * MOST_SKIPPED_SHARE) return `${skipped} of its rows cannot be read`;
  return former && objectionToFollow(fresh, former);
}

function objectionToFollow({ version, entries: { size } }: Size, former: Former): string | undefined {
  const { removed = 0 } = former;
  const most = Math.max(former.entries, former.most?.entries ?? 0);
  if (version < former.version) return `it is of ${version}, older than that of ${former.version}`;
  if (size < most * LEAST_SHARE) return `it has ${size} entries, after ${most}`;
  if (size > former.entries * MOST_SHARE + MOST_MORE)
    return `it has ${size} entries, after ${former.entries}`;
  // The number of entries is similar, but too many former entries are missing: this is another list, or an
  // altered one.
  if (former.entries - removed < former.entries * LEAST_SHARE)
    return `it lacks ${removed} of ${former.entries} entries`;
  return undefined;
}

/** Compares two readings of a list by the entries' ids. An entry has changed if its version differs. */
export function changeBetween(before: ReadList['entries'], after: ReadList['entries']): ListChange {
  const known = [...after].filter(([id]) => before.has(id));
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: known.filter(([id, version]) => before.get(id) !== version).map(([id]) => id),
  };
}

const MOST_COUNTS_DAYS = 30;

export function mostOfLate(most: Most | undefined, now: number): Most | undefined {
  return most && now < Date.parse(most.until) ? most : undefined;
}

/**
 * The highest number of entries of the last thirty days. A new list is compared with it, because a list could otherwise
 * shrink unnoticed by a little each day.
 */
export function mostOf(entries: number, former: Most | undefined, now: number): Most {
  const most = mostOfLate(former, now);
  if (most && most.entries > entries) return most;
  return { entries, until: new Date(now + MOST_COUNTS_DAYS * DAY_MS).toISOString() };
}

/** True if the publisher has not served this list for longer than `daysUntilOld` of its description. */
export function isListStale({ list, fetchedAt }: ListInForce, now: number): boolean {
  return now - Date.parse(fetchedAt) > LISTS[list].daysUntilOld * DAY_MS;
}

/**
 * True if a day has passed since `fetchedAt` was saved. While the publisher serves the same files, the time
 * is saved only once a day.
 */
export function isWorthNoting({ fetchedAt }: ListInForce, seenAt: string): boolean {
  return Date.parse(seenAt) - Date.parse(fetchedAt) >= DAY_MS;
}

/**
 * The version of a new edition: the present instant, or the next millisecond after the version in force.
 * Versions are sorted as text, and the clocks of two runs may differ, so each version must be later than the
 * one before.
 */
export function versionAfter(previous: string | undefined, now: number): string {
  return new Date(previous ? Math.max(now, Date.parse(previous) + 1) : now).toISOString();
}
