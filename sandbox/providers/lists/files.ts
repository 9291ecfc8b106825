import type { ListId } from '../../../functions/domain/screening/lists.ts';
import { ceisCsv, cnepCsv, pepCsv } from './brazil.ts';
import { type ListEdits, NO_EDITS } from './edits.ts';
import { nonSdnFiles, sdnFiles } from './ofac.ts';
import { unConsolidatedXml } from './un.ts';

/** The files of each simulated list, by their names in this folder. */
const SIMULATED = {
  OFAC_SDN: sdnFiles,
  OFAC_CONS: nonSdnFiles,
  UN_SC: { 'un_consolidated.xml': unConsolidatedXml },
  BR_CEIS: { 'ceis.csv': ceisCsv },
  BR_CNEP: { 'cnep.csv': cnepCsv },
  BR_PEP: { 'pep.csv': pepCsv },
} as const satisfies Record<ListId, Record<string, (edits: ListEdits) => Buffer>>;

export type FileName = { [List in ListId]: keyof (typeof SIMULATED)[List] }[ListId];

type SimulatedFile = { list: ListId; make: (edits: ListEdits) => Buffer };

const FILES = Object.fromEntries(
  Object.entries(SIMULATED).flatMap(([list, files]) =>
    Object.entries(files).map(([name, make]) => [name, { list, make }]),
  ),
) as Record<FileName, SimulatedFile>;

export const isFileName = (name: string): name is FileName => Object.hasOwn(FILES, name);

export const listOf = (name: FileName): ListId => FILES[name].list;

/**
 * Makes the bytes of one file in memory. A deployed Lambda function is a bundle and has no list files next to
 * it.
 */
export function listFile(name: FileName, edits: ListEdits): Buffer {
  return FILES[name].make(edits);
}

/**
 * Functions that make the files without any test's changes. `write.ts` writes these files into this folder.
 */
export const listFiles = Object.fromEntries(
  Object.keys(FILES).map((name) => [name, () => listFile(name as FileName, NO_EDITS)]),
) as Record<FileName, () => Buffer>;
