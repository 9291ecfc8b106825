import type { Period } from '../time.ts';

/** An object of the archive. The bucket keeps this version of it, whatever is uploaded later under the same key. */
export type ArchivedObject = {
  key: string;
  versionId: string;
  sha256: string;
  bytes: number;
  /** The day in Brasília on which it was archived. The manifest of that day lists it. */
  day: string;
  at: number;
};

/** A text to archive. The key ends with the kind of text, such as `.json`. */
export type Document = { key: string; text: string };

/**
 * The bucket of the archive, as the service uses it. The service can only upload. Operators' commands read
 * the bucket.
 */
export type ArchiveBucket = {
  /** Uploads a version. The bucket compares the digest with the bytes that arrive. */
  upload(document: Document): Promise<Pick<ArchivedObject, 'versionId' | 'sha256' | 'bytes'>>;
};

/**
 * Names one version of a day's manifest, with its digest. If somebody later replaces the manifest, the new
 * one has another digest and another version.
 */
export type ManifestLink = Pick<ArchivedObject, 'day' | 'versionId' | 'sha256'>;

/** How far the service has archived evidence, and closed days. */
export type ArchiveProgress = {
  /** The evidence up to this instant is archived. */
  evidenceUpTo: number;
  /** The last day that is closed. */
  day: string;
  /** The manifest of that day. Absent before the first one. */
  manifest?: ManifestLink;
};

/** Lists the rows of a period: evidence, or the events of operators' acts. */
export type RowLists = { listBetween(period: Period): Promise<object[]> };

/** The register of what is archived. A registered object is never changed. */
export type ArchiveRegister = {
  findObject(key: string): Promise<ArchivedObject | undefined>;
  /** Registers an object. If its key is registered already, nothing changes. */
  register(object: ArchivedObject): Promise<void>;
  /** The objects that were registered on a day. The index may lag. */
  listDay(day: string): Promise<ArchivedObject[]>;
  findProgress(): Promise<ArchiveProgress | undefined>;
  /**
   * Saves the progress if the stored progress is still `was`. False: another run has saved its own progress
   * meanwhile.
   */
  saveProgress(next: ArchiveProgress, was?: ArchiveProgress): Promise<boolean>;
};

/** Purchases that have ended, and whose history is not archived yet. */
export type UnarchivedPurchases = {
  /**
   * The ids of purchases that are due to be archived at `now`, the longest waiting first. The table's index
   * may lag by seconds.
   */
  listDue(now: number, limit: number): Promise<string[]>;
  postpone(id: string, until: number): Promise<void>;
  /** Takes the purchase off the list. */
  markArchived(id: string): Promise<void>;
};
