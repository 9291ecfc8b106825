import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ListEntry } from '../functions/adapters/lists/entry.ts';
import { getDefined } from '../functions/domain/get.ts';
import type { ListId } from '../functions/domain/screening/lists.ts';

/**
 * A line of the file with the list. Each pair in `dob` is the first and the last possible day of birth. `cpf`
 * has bare digits. `cpfMask` is a CPF as the register masks it.
 */
export type ListLine = {
  listId: string;
  list: string;
  names: { n: string; q: string }[];
  dob: [from: string, to: string][];
  cpf?: string;
  cpfMask?: string;
};

/**
 * A line of the file with the queries. `expect` is the id of the list entry of the person. It is absent for a
 * person on no list.
 */
export type QueryLine = {
  id: string;
  query: string;
  birthDate?: string;
  cpf?: string;
  expect?: string | null;
  kind: string;
};

/** `score` is the score of the best entry for the query. `xscore` is the score of the expected entry. */
export type ScoreLine = { id: string; score: number; xscore: number };

const LIST_NAMES: Record<string, ListId> = {
  'ofac-sdn': 'OFAC_SDN',
  'ofac-cons': 'OFAC_CONS',
  un: 'UN_SC',
  'br-ceis': 'BR_CEIS',
  'br-cnep': 'BR_CNEP',
  'br-pep': 'BR_PEP',
};

type Loose<Line> = { [Field in keyof Line]?: Line[Field] | null };

/** Absent names and dates become empty lists. */
export function readList(path: string): ListLine[] {
  return readLines<Loose<ListLine>>(path).map(({ listId, list, names, dob, cpf, cpfMask }) => ({
    listId: String(listId),
    list: list ?? '',
    names: names ?? [],
    dob: dob ?? [],
    ...(cpf && { cpf: bare(cpf) }),
    ...(cpfMask && { cpfMask }),
  }));
}

export function readQueries(path: string): QueryLine[] {
  return readLines<Loose<QueryLine>>(path).map(({ id, query, birthDate, cpf, expect, kind }) => ({
    // The id stays exactly as it was read, because it is written to the scores.
    id: getDefined(id ?? undefined, 'id of a query'),
    query: query ?? '',
    ...(birthDate && { birthDate }),
    ...(cpf && { cpf: bare(cpf) }),
    ...(expect && { expect }),
    kind: kind ?? 'other',
  }));
}

const bare = (document: string) => document.toUpperCase().replaceAll(/[.\-/\s]/g, '');

/** Reads JSON lines, compressed or not. */
export function readLines<Line>(path: string): Line[] {
  const bytes = readFileSync(path);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}

/**
 * The domain knows six lists (`ListId`). An unknown list of Brazil is searched like one of Brazil's lists,
 * and any other unknown list like a list of OFAC.
 */
function listOf({ list, cpfMask }: ListLine): ListId {
  const known = LIST_NAMES[list];
  if (known) return known;
  if (!list.startsWith('br-')) return 'OFAC_CONS';
  return cpfMask === undefined ? 'BR_CEIS' : 'BR_PEP';
}

/**
 * Makes the entry that the service's list loaders would make. An entry of a Brazilian list can be found by
 * its name only if the list masks the CPF.
 */
export function entryFrom(line: ListLine): ListEntry {
  const list = listOf(line);
  const masked = line.cpfMask?.replaceAll(/\D/g, '');
  const maskedCpf = list.startsWith('BR_') && masked?.length === 6 ? masked : undefined;
  const hasNames = maskedCpf !== undefined || !list.startsWith('BR_');
  return {
    list,
    id: line.listId,
    names: hasNames ? line.names.map(({ n, q }) => ({ text: n, isWeak: q === 'weak' })) : [],
    births: line.dob.map(([from, to]) => ({ from, to })),
    documents: line.cpf ? [line.cpf] : [],
    ...(maskedCpf !== undefined && { maskedCpf }),
  };
}
