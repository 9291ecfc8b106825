import type { ListName } from '../../../functions/domain/screening/screening.ts';
import { ceisCsv, cnepCsv, pepCsv } from './brazil.ts';
import { type ListEdits, NO_EDITS } from './edits.ts';
import { nonSdnFiles, sdnFiles } from './ofac.ts';
import { unConsolidatedXml } from './un.ts';

/** Which list each file is part of. */
export const listOf = {
  'sdn.csv': 'OFAC_SDN',
  'alt.csv': 'OFAC_SDN',
  'sdn_comments.csv': 'OFAC_SDN',
  'cons_prim.csv': 'OFAC_CONS',
  'cons_alt.csv': 'OFAC_CONS',
  'cons_comments.csv': 'OFAC_CONS',
  'un_consolidated.xml': 'UN_SC',
  'ceis.csv': 'BR_CEIS',
  'cnep.csv': 'BR_CNEP',
  'pep.csv': 'BR_PEP',
} as const satisfies Record<string, ListName>;
export type FileName = keyof typeof listOf;

export const isFileName = (name: string): name is FileName => Object.hasOwn(listOf, name);

const MAKERS: Record<ListName, (edits: ListEdits) => Record<string, Buffer>> = {
  OFAC_SDN: sdnFiles,
  OFAC_CONS: nonSdnFiles,
  UN_SC: (edits) => ({ 'un_consolidated.xml': unConsolidatedXml(edits) }),
  BR_CEIS: (edits) => ({ 'ceis.csv': ceisCsv(edits) }),
  BR_CNEP: (edits) => ({ 'cnep.csv': cnepCsv(edits) }),
  BR_PEP: (edits) => ({ 'pep.csv': pepCsv(edits) }),
};

/** The bytes of one file, made in memory: a bundled Lambda has no files beside it. */
export function listFile(name: FileName, edits: ListEdits): Buffer {
  const files = Object.entries(MAKERS[listOf[name]](edits));
  return files.find(([each]) => each.toLowerCase() === name)![1];
}

/** The files as they lie beside this one, where `write.ts` writes them. */
export const listFiles = Object.fromEntries(
  Object.keys(listOf).map((name) => [name, () => listFile(name as FileName, NO_EDITS)]),
) as Record<FileName, () => Buffer>;
