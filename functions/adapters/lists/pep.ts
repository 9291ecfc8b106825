import { createHash } from 'node:crypto';
import { forEachPortalRecord, portalDate } from './csv.ts';
import { listedName } from './entry.ts';
import type { ListFile } from './list-file.ts';
import { type AddEntry, type ListFormat, onlyFile } from './list-format.ts';
import { findRegister } from './publishers-portal.ts';

const MASK = /^\*{3}\.(\d{3})\.(\d{3})-\*{2}$/;

/** The format of Brazil's register of politically exposed persons. */
export const exposedPersons: ListFormat = {
  find: (options) => findRegister('PEP', options),
  read: (files, add) => readOffices(onlyFile(files, 'PEP'), add),
};

/**
 * Parses the register, which has one row for each office and hides five digits of each CPF. A search finds an
 * entry only if the six visible digits and the name match: docs/compliance.md, "The lists". A row
 * without a masked CPF is left out, because no search could find it.
 */
function readOffices(file: ListFile, add: AddEntry): number {
  return forEachPortalRecord(file, { needed: ['CPF', 'Nome_PEP', 'Data_Fim_Carência'] }, (record) => {
    const mask = MASK.exec(record.CPF);
    const name = record.Nome_PEP;
    const maskedCpf = mask ? `${mask[1]}${mask[2]}` : '';
    if (maskedCpf && name) {
      const until = portalDate(record.Data_Fim_Carência);
      const names = [listedName(name, false)];
      add({ id: pepEntryId(maskedCpf, name), names, births: [], documents: [], maskedCpf, until });
    }
    return name !== '';
  });
}

const ID_DIGITS = 12;

/**
 * The entry's id, made from the visible digits of the CPF and the name. The number of the row is not used,
 * because the order of the rows changes with each publication.
 */
function pepEntryId(maskedCpf: string, name: string): string {
  const plain = name.normalize('NFC').toUpperCase().split(/\s+/).join(' ');
  return createHash('sha256').update(`${maskedCpf} ${plain}`).digest('hex').slice(0, ID_DIGITS);
}
