import { forEachPortalRecord, portalDate } from './csv.ts';
import { detached } from './entry.ts';
import type { ListFile } from './list-file.ts';
import { type AddEntry, type ListFormat, onlyFile } from './list-format.ts';
import { findRegister } from './publishers-portal.ts';

const REGISTER = 'CADASTRO';
const ID = 'CÓDIGO DA SANÇÃO';
const DOCUMENT = 'CPF OU CNPJ DO SANCIONADO';
const END = 'DATA FINAL SANÇÃO';
/** The kind of sanction, such as a ban from public contracts. Only reviewers read it, so a file may lack it. */
const CATEGORY = 'CATEGORIA DA SANÇÃO';
const COLUMNS = { needed: [REGISTER, ID, DOCUMENT, END], optional: [CATEGORY] } as const;

type SanctionsRegister = 'CEIS' | 'CNEP';
const OTHER_REGISTER = { CEIS: 'CNEP', CNEP: 'CEIS' } as const;

/**
 * A CPF (11 digits) or a CNPJ. Since July 2026 a CNPJ may contain letters, so the code never converts it to a
 * number.
 */
const KEY = /^(\d{11}|[0-9A-Z]{12}\d{2})$/;

/** The format of CEIS or CNEP. The columns that are read here are the same in both. */
export function cguRegister(register: SanctionsRegister): ListFormat {
  return {
    find: (options) => findRegister(register, options),
    read: (files, add) => readSanctions(register, onlyFile(files, register), add),
  };
}

/**
 * Reads sanctions. A search finds them by the document, because the names are too common. Rows without a CPF
 * or CNPJ (mostly of foreigners) are left out, because no search could find them. A row that names the other
 * register is unreadable: the two files look alike, and one could be served in place of the other.
 */
function readSanctions(register: SanctionsRegister, file: ListFile, add: AddEntry): number {
  const other = OTHER_REGISTER[register];
  return forEachPortalRecord(file, COLUMNS, (record) => {
    if (record[REGISTER].toUpperCase().includes(other)) return false;
    const key = record[DOCUMENT].toUpperCase().replaceAll(/[.\-/\s]/g, '');
    const until = portalDate(record[END]);
    const id = detached(record[ID]);
    const category = record[CATEGORY] && { programmes: [detached(record[CATEGORY])] };
    if (id && KEY.test(key))
      add({ id, names: [], births: [], documents: [detached(key)], ...category, until });
    return id !== '';
  });
}
