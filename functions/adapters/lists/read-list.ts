import type { ListDownload, PublishedFile, ReadList } from '../../domain/screening/list-refresh.ts';
import { entryVersionOf } from '../screening/entry-version.ts';
import { isZip, unzip } from './download-zip.ts';
import type { ListEntry } from './entry.ts';
import type { ListFile } from './list-file.ts';
import { parseList } from './parse.ts';

/** Parses a list from its published files. Throws `ListDamaged` if the files are not the list. */
export function readList(download: ListDownload): ReadList<ListEntry[]> {
  const { entries, skipped } = parseList(download.list, download.files.map(openedFile));
  const versions = new Map(entries.map((entry) => [entry.id, entryVersionOf(entry)]));
  return { ...download, entries: versions, skipped, content: entries };
}

const openedFile = ({ file, bytes }: PublishedFile): ListFile =>
  isZip(bytes) ? unzip(file, bytes) : { name: file, chunks: [bytes] };
