import { forEachPortalRecord, portalDate } from './csv.ts';
import { detached, type Entry } from './entry.ts';
import type { ListFile } from './list-file.ts';

const REGISTER = 'CADASTRO';
const ID = 'CÓDIGO DA SANÇÃO';
const DOCUMENT = 'CPF OU CNPJ DO SANCIONADO';
const END = 'DATA FINAL SANÇÃO';

const OTHER_REGISTER = { BR_CEIS: 'CNEP', BR_CNEP: 'CEIS' } as const;

/** CPF, or CNPJ; the latter has had letters since July 2026, so it is never read as a number. */
const KEY = /^(\d{11}|[0-9A-Z]{12}\d{2})$/;

/**
 * The sanctions of CEIS or CNEP, which differ in columns that we do not read. They are found by document,
 * because the names are too common. Rows without one (foreigners, mostly) cannot be found and are left out. The two
 * look alike, so rows that say they are of the other count as unreadable. Answers how many rows could not be read.
 */
export function cguEntries(list: 'BR_CEIS' | 'BR_CNEP', file: ListFile, add: (entry: Entry) => void): number {
  const other = OTHER_REGISTER[list];
  return forEachPortalRecord(file, [REGISTER, ID, DOCUMENT, END], (record) => {
    if (record[REGISTER].toUpperCase().includes(other)) return false;
    const key = record[DOCUMENT].toUpperCase().replaceAll(/[.\-/\s]/g, '');
    const until = portalDate(record[END]);
    const id = detached(record[ID]);
    if (id && KEY.test(key)) add({ list, id, names: [], births: [], documents: [detached(key)], until });
    return id !== '';
  });
}
