import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Entry } from '../functions/adapters/lists/entry.ts';
import type { ListId } from '../functions/domain/screening/lists.ts';

/** A line of a list: `dob` holds days from and to, CPFs are bare or masked as the register masks them. */
export type ListLine = {
  listId: string;
  list: string;
  names: { n: string; q: string }[];
  dob: [from: string, to: string][];
  cpf?: string;
  cpfMask?: string;
};

/** A line of queries; `expect` is the listed entry that the person is, absent where the person is nobody's. */
export type QueryLine = {
  id: string;
  query: string;
  birthDate?: string;
  cpf?: string;
  expect?: string | null;
  kind: string;
};

/** `score` of the best entry, `xscore` of the expected one. */
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

/** What is absent is nothing: no names, no dates. */
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
    // As it came, for it goes back.
    id: id!,
    query: query ?? '',
    ...(birthDate && { birthDate }),
    ...(cpf && { cpf: bare(cpf) }),
    ...(expect && { expect }),
    kind: kind ?? 'other',
  }));
}

const bare = (document: string) => document.toUpperCase().replaceAll(/[.\-/\s]/g, '');

/** JSON lines, compressed or not. */
export function readLines<Line>(path: string): Line[] {
  const bytes = readFileSync(path);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** The domain's lists are six: another of Brazil's is searched as these are, any other as OFAC's. */
function listOf({ list, cpfMask }: ListLine): ListId {
  const known = LIST_NAMES[list];
  if (known) return known;
  if (!list.startsWith('br-')) return 'OFAC_CONS';
  return cpfMask === undefined ? 'BR_CEIS' : 'BR_PEP';
}

/** What the loaders make of the publications: of Brazil's lists only those have names that mask the CPF. */
export function entryFrom(line: ListLine): Entry {
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
