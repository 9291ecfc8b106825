import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Entry } from '../functions/adapters/lists/entry.ts';
import type { ListName } from '../functions/domain/screening.ts';

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

const LIST_NAMES: Record<string, ListName> = {
  'ofac-sdn': 'OFAC_SDN',
  'ofac-cons': 'OFAC_CONS',
  un: 'UN_SC',
  'br-ceis': 'BR_CEIS',
  'br-cnep': 'BR_CNEP',
  'br-pep': 'BR_PEP',
};

/** JSON lines, compressed or not. */
export function readLines<Line>(path: string): Line[] {
  const bytes = readFileSync(path);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** What the loaders make of the publications: CEIS and CNEP come without names. */
export function entryFrom(line: ListLine): Entry {
  const list = LIST_NAMES[line.list];
  if (!list) throw new Error(`the list ${line.list} is unknown`);
  const hasNames = list !== 'BR_CEIS' && list !== 'BR_CNEP';
  return {
    list,
    id: line.listId,
    names: hasNames ? line.names.map(({ n, q }) => ({ text: n, isWeak: q === 'weak' })) : [],
    births: line.dob.map(([from, to]) => ({ from, to })),
    documents: line.cpf ? [line.cpf] : [],
    maskedCpf: line.cpfMask?.replaceAll(/\D/g, ''),
  };
}
