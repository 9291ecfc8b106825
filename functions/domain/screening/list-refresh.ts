/** The rules of keeping the sanctions lists: what may replace what is in force, and what changed with it. */

import type { EvidenceOf } from './evidence.ts';
import { LISTS, type ListId } from './lists.ts';
import type { IndexInUse, ListVersion } from './screening.ts';

/** A file as its publisher gives it, an archive unopened. `file` is the publisher's name of it. */
export type PublishedFile = { file: string; sha256: string; bytes: Uint8Array };

/** A list as its publisher serves it. */
export type ListDownload = Pick<ListVersion, 'list' | 'version' | 'sha256'> & { files: PublishedFile[] };

/** A list that was read. `content` is what the index is built of: the archive's own. */
export type ReadList<Content = unknown> = ListDownload & {
  /** Each entry's id and its version: sixteen hexadecimal digits of what the list says of it. */
  entries: ReadonlyMap<string, string>;
  /** Rows left out because they could not be read. */
  skipped: number;
  content: Content;
};

/**
 * `fetchedAt` is the ISO instant at which the publisher was last seen to serve these very files; `name` is where the
 * archive has each.
 */
export type ListInForce = ListVersion & { fetchedAt: string; files: ArchivedFile[]; most?: Most };
/** The most entries that the list had of late; `until` is the ISO instant to which that counts. */
export type Most = { entries: number; until: string };
export type ArchivedFile = Omit<PublishedFile, 'bytes'> & { name: string; bytes: number };

/** Ids of entries. */
export type ListChange = { added: string[]; removed: string[]; changed: string[] };
/** How many. `isForced`: an operator let the list pass that the rules refused. */
export type ChangeCount = {
  list: ListId;
  added: number;
  removed: number;
  changed: number;
  isForced?: true;
};

/**
 * All lists at one time under one index. `version` is the ISO instant of its build, `replaced` the version before it.
 * `changes` are against that one, with the ids in the object that `details` names.
 */
export type Edition = {
  version: string;
  digest: string;
  lists: ListInForce[];
  replaced?: string;
  changes: ChangeCount[];
  details?: { name: string; sha256: string };
};

/** A new edition; or a search of all clients in it, under the same subject. */
export type ListEvidence = EvidenceOf<'lists', PublishedEdition | SearchedClients>;
type PublishedEdition = {
  inputs: { lists: Omit<ListInForce, 'fetchedAt'>[]; replaced?: string };
  findings: Pick<Edition, 'changes' | 'details'>;
  /** `index` is its digest. */
  decision: { index: string };
};
type SearchedClients = {
  inputs: { index: IndexInUse };
  findings: Record<string, number>;
  decision: { kept: number; raised: number; held: number; rejected: number };
};

/** The publisher's file is not the list, or not the whole of it: what is in force stays. */
export class ListRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ListRefused';
  }
}

/** docs/decisions.md, "When a new list is refused". */
const LEAST_SHARE = 0.8;
const MOST_SHARE = 2;
/** A short list may grow beyond that: the list of another publisher has thousands more. */
const MOST_MORE = 1000;
const MOST_SKIPPED_SHARE = 0.01;

type Size = Pick<ReadList, 'version' | 'entries' | 'skipped'>;
/** `removed`: how many of its entries the new list does not have, where that is known. */
type Former = Pick<ListInForce, 'version' | 'entries' | 'most'> & { removed?: number };

/** Why a list may not replace the one in force, in words; undefined where it may. `fewest` is the list's own floor. */
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
  // As many as ever, but others: it is another list, or was altered.
  if (former.entries - removed < former.entries * LEAST_SHARE)
    return `it lacks ${removed} of ${former.entries} entries`;
  return undefined;
}

/** Of two readings of a list, each by its entries' ids. */
export function changeBetween(before: ReadList['entries'], after: ReadList['entries']): ListChange {
  const known = [...after].filter(([id]) => before.has(id));
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: known.filter(([id, version]) => before.get(id) !== version).map(([id]) => id),
  };
}

const MS_PER_DAY = 24 * 60 * 60_000;

const MOST_COUNTS_DAYS = 30;

export function mostOfLate(most: Most | undefined, now: number): Most | undefined {
  return most && now < Date.parse(most.until) ? most : undefined;
}

/** Where a list shrinks a little each day, it is judged by what it was a month ago and not the day before. */
export function mostOf(entries: number, former: Most | undefined, now: number): Most {
  const most = mostOfLate(former, now);
  if (most && most.entries > entries) return most;
  return { entries, until: new Date(now + MOST_COUNTS_DAYS * MS_PER_DAY).toISOString() };
}

/** For longer than may be, nobody has seen its publisher serve this list. */
export function isStale({ list, fetchedAt }: ListInForce, now: number): boolean {
  return now - Date.parse(fetchedAt) > LISTS[list].daysUntilOld * MS_PER_DAY;
}

/** That the publisher still serves the same is noted once a day, not with every look. */
export function isWorthNoting({ fetchedAt }: ListInForce, seenAt: string): boolean {
  return Date.parse(seenAt) - Date.parse(fetchedAt) >= MS_PER_DAY;
}

/** Later than the version in force, also where two clocks disagree: versions are compared as text. */
export function versionAfter(previous: string | undefined, now: number): string {
  return new Date(previous ? Math.max(now, Date.parse(previous) + 1) : now).toISOString();
}
