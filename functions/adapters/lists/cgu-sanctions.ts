import { forEachPortalRecord, portalDate } from './csv.ts';
import { detached } from './entry.ts';
import type { ListFile } from './list-file.ts';
import { type AddEntry, type ListFormat, onlyFile } from './list-format.ts';
import { findRegister } from './publishers-portal.ts';

const REGISTER = 'CADASTRO';
const ID = 'CÓDIGO DA SANÇÃO';
const DOCUMENT = 'CPF OU CNPJ DO SANCIONADO';
const END = 'DATA FINAL SANÇÃO';

type SanctionsRegister = 'CEIS' | 'CNEP';
const OTHER_REGISTER = { CEIS: 'CNEP', CNEP: 'CEIS' } as const;

/** CPF or CNPJ. A CNPJ may have letters since July 2026, so it is never read as a number. */
const KEY = /^(\d{11}|[0-9A-Z]{12}\d{2})$/;

/** CEIS or CNEP. They differ only in columns that are not read here. */
export function cguRegister(register: SanctionsRegister): ListFormat {
  return {
    find: (options) => findRegister(register, options),
    read: (files, add) => readSanctions(register, onlyFile(files, register), add),
  };
}

/**
 * Sanctions are found by document, because the names are too common. Rows without a document (mostly foreigners) cannot
 * be found and are left out. The two registers look alike, so a row that names the other one counts as unreadable.
 */
function readSanctions(register: SanctionsRegister, file: ListFile, add: AddEntry): number {
  const other = OTHER_REGISTER[register];
  return forEachPortalRecord(file, [REGISTER, ID, DOCUMENT, END], (record) => {
    if (record[REGISTER].toUpperCase().includes(other)) return false;
    const key = record[DOCUMENT].toUpperCase().replaceAll(/[.\-/\s]/g, '');
    const until = portalDate(record[END]);
    const id = detached(record[ID]);
    if (id && KEY.test(key)) add({ id, names: [], births: [], documents: [detached(key)], until });
    return id !== '';
  });
}
