/** A list's format: how to download its files from its publisher, and how to parse them. */
import { Unavailable } from '../../domain/errors.ts';
import type { Clock } from '../../domain/ports.ts';
import type { PublishedFile } from '../../domain/screening/list-refresh.ts';
import { type DownloadOptions, download, type WantedFile } from './download.ts';
import type { ListEntry } from './entry.ts';
import { ListDamaged, type ListFile } from './list-file.ts';
import { sha256Of } from './publication.ts';

/** `address` is the base URL of the list's publisher. */
export type FindOptions = DownloadOptions & { address: string; clock: Pick<Clock, 'now'> };

/**
 * The publisher's files. `version` is the date in the files. If they have none, it is the day of the
 * download.
 */
export type FoundFiles = { version: string; files: PublishedFile[] };

/** An entry from a parser. `merge.ts` then adds the list's id. */
export type ParsedEntry = Omit<ListEntry, 'list'>;
export type AddEntry = (entry: ParsedEntry) => void;

export type ListFormat = {
  /**
   * Downloads the files. Throws `Unavailable` if the publisher does not answer, and `ListRefused` if the
   * answer is not the list.
   */
  find(options: FindOptions): Promise<FoundFiles>;
  /**
   * Parses the files, in any order. Returns how many rows were unreadable. Throws `ListDamaged` if the files
   * are not the list, or are evidently not the whole list.
   */
  read(files: readonly ListFile[], add: AddEntry): number;
};

/** Downloads a file that the publisher must have. Throws `Unavailable` if it does not. */
export async function downloadFile(wanted: WantedFile, options: FindOptions): Promise<PublishedFile> {
  const bytes = await download(wanted, options);
  if (!bytes) throw new Unavailable(wanted.name, { cause: new Error('the publisher has no such file') });
  return publishedFile(wanted.name, bytes);
}

export function publishedFile(file: string, bytes: Uint8Array): PublishedFile {
  return { file, sha256: sha256Of(bytes), bytes };
}

/**
 * Returns the list's only file. Throws if there are several files or none. `what` names the list in the
 * error.
 */
export function onlyFile(files: readonly ListFile[], what: string): ListFile {
  const [file, ...others] = files;
  if (!file || others.length) throw new ListDamaged(what, `it came in ${files.length} files, not in one`);
  return file;
}
