import { portalDate, portalRecords } from './csv.ts';
import type { Entry } from './entry.ts';

const MASK = /^\*{3}\.(\d{3})\.(\d{3})-\*{2}$/;

/**
 * Politically exposed persons, one row per office held. The CPF is masked, so an entry is found by the six
 * open digits and the name together, never by the name alone. The publisher gives no ids: the row is the id.
 */
export function pepEntries(csv: Uint8Array): Entry[] {
  return portalRecords(csv, ['CPF', 'Nome_PEP', 'Data_Fim_Carência']).flatMap((record, index) => {
    const mask = MASK.exec(record.CPF);
    if (!mask) return [];
    return {
      list: 'BR_PEP' as const,
      id: `row ${index + 2}`,
      names: [{ text: record.Nome_PEP, isWeak: false }],
      births: [],
      documents: [],
      maskedCpf: `${mask[1]}${mask[2]}`,
      until: portalDate(record.Data_Fim_Carência),
    };
  });
}
