import type { ListName } from '../../domain/screening/screening.ts';
import { cguEntries } from './cgu-sanctions.ts';
import type { Entry } from './entry.ts';
import { ListDamaged, type ListFile } from './list-file.ts';
import { entriesById } from './merge.ts';
import { ofacEntries } from './ofac.ts';
import { pepEntries } from './pep.ts';
import { unEntries } from './un.ts';

export type { ListFile } from './list-file.ts';

/** `skipped`: rows left out because they could not be read. */
export type ParsedList = { entries: Entry[]; skipped: number };

/**
 * The entries of one list, one for each id, from its publisher's files, in any order: three of OFAC
 * (`sdn.csv`, `alt.csv`, `sdn_comments.csv`, or `cons_prim.csv` and so on), one of the others, by any name.
 * Throws `ListDamaged` where they are not the list, or not the whole of it as far as the format can tell.
 */
export function parseList(list: ListName, files: readonly ListFile[]): ParsedList {
  const { add, entries } = entriesById(list);
  const skipped = FORMATS[list](files, add);
  if (!entries.size) throw new ListDamaged(list, 'it has no entries');
  return { entries: [...entries.values()], skipped };
}

type Read = (files: readonly ListFile[], add: (entry: Entry) => void) => number;

const FORMATS: Record<ListName, Read> = {
  OFAC_SDN: (files, add) => {
    const named = (name: string) => fileNamed(name, files);
    const parts = { main: named('sdn.csv'), alt: named('alt.csv'), comments: named('sdn_comments.csv') };
    return ofacEntries('OFAC_SDN', parts, add);
  },
  OFAC_CONS: (files, add) => {
    const named = (name: string) => fileNamed(`cons_${name}.csv`, files);
    const parts = { main: named('prim'), alt: named('alt'), comments: named('comments') };
    return ofacEntries('OFAC_CONS', parts, add);
  },
  UN_SC: (files, add) => unEntries(only(files, 'UN_SC'), add),
  BR_CEIS: (files, add) => cguEntries('BR_CEIS', only(files, 'BR_CEIS'), add),
  BR_CNEP: (files, add) => cguEntries('BR_CNEP', only(files, 'BR_CNEP'), add),
  BR_PEP: (files, add) => pepEntries(only(files, 'BR_PEP'), add),
};

function fileNamed(name: string, files: readonly ListFile[]): ListFile {
  return only(
    files.filter((file) => file.name.toLowerCase() === name),
    name,
  );
}

function only(files: readonly ListFile[], what: string): ListFile {
  const [file, ...others] = files;
  if (!file || others.length) throw new ListDamaged(what, `it came in ${files.length} files, not in one`);
  return file;
}
