import { portalDate, portalRecords } from './csv.ts';
import type { Entry } from './entry.ts';

const ID = 'CÓDIGO DA SANÇÃO';
const DOCUMENT = 'CPF OU CNPJ DO SANCIONADO';
const END = 'DATA FINAL SANÇÃO';

/** CPF, or CNPJ; the latter has had letters since July 2026, so it is never read as a number. */
const KEY = /^(\d{11}|[0-9A-Z]{12}\d{2})$/;

/**
 * The sanctions of CEIS or CNEP, which differ in columns that we do not read. They are found by document,
 * because the names are too common. Rows without one (foreigners, mostly) cannot be found and are left out.
 */
export function cguEntries(list: 'BR_CEIS' | 'BR_CNEP', csv: Uint8Array): Entry[] {
  return portalRecords(csv, [ID, DOCUMENT, END])
    .map((record) => ({ record, key: record[DOCUMENT].toUpperCase().replaceAll(/[.\-/\s]/g, '') }))
    .filter(({ key }) => KEY.test(key))
    .map(({ record, key }) => ({
      list,
      id: record[ID],
      names: [],
      births: [],
      documents: [key],
      until: portalDate(record[END]),
    }));
}
