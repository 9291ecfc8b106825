import { createHash } from 'node:crypto';
import { forEachPortalRecord, portalDate } from './csv.ts';
import { type Entry, listedName } from './entry.ts';
import type { ListFile } from './list-file.ts';

const MASK = /^\*{3}\.(\d{3})\.(\d{3})-\*{2}$/;

/**
 * Politically exposed persons, one row per office held. The CPF is masked, so an entry is found by the six
 * open digits and the name together, never by the name alone: docs/decisions.md, "Entries of the index". Rows
 * without a mask cannot be found and are left out. Answers how many rows could not be read.
 */
export function pepEntries(file: ListFile, add: (entry: Entry) => void): number {
  return forEachPortalRecord(file, ['CPF', 'Nome_PEP', 'Data_Fim_Carência'], (record) => {
    const mask = MASK.exec(record.CPF);
    const name = record.Nome_PEP;
    const maskedCpf = mask ? `${mask[1]}${mask[2]}` : '';
    if (maskedCpf && name) {
      const until = portalDate(record.Data_Fim_Carência);
      const names = [listedName(name, false)];
      add({ list: 'BR_PEP', id: idOf(maskedCpf, name), names, births: [], documents: [], maskedCpf, until });
    }
    return name !== '';
  });
}

const ID_DIGITS = 12;

/** Rows change place with each publication; a person keeps the digits and the name. */
function idOf(maskedCpf: string, name: string): string {
  const plain = name.normalize('NFC').toUpperCase().split(/\s+/).join(' ');
  return createHash('sha256').update(`${maskedCpf} ${plain}`).digest('hex').slice(0, ID_DIGITS);
}
