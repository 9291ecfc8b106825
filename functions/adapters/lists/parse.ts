import type { ListId } from '../../domain/screening/lists.ts';
import type { ListEntry } from './entry.ts';
import { FORMATS } from './formats.ts';
import { ListDamaged, type ListFile } from './list-file.ts';
import { entriesById } from './merge.ts';

export type { ListFile } from './list-file.ts';

/** `skipped` is the number of unreadable rows. */
type ParsedList = { entries: ListEntry[]; skipped: number };

/**
 * Parses the files of one list. Rows with the same id become one entry. Throws `ListDamaged` if the files are
 * not the list, or are evidently not the whole list.
 */
export function parseList(list: ListId, files: readonly ListFile[]): ParsedList {
  const { add, entries } = entriesById(list);
  const skipped = FORMATS[list].read(files, add);
  if (!entries.size) throw new ListDamaged(list, 'it has no entries');
  return { entries: [...entries.values()], skipped };
}
