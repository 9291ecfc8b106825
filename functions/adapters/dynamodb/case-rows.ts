/** Reads review cases. */
import {
  type DecidedReviewCase,
  isDecided,
  type OpenReviewCase,
  type ReviewCase,
} from '../../domain/screening/review-case.ts';
import type { DecidedCases, DecidedIn } from '../../domain/screening/review-case-ports.ts';
import { BY_STATUS, DECIDED } from '../../tables/sharded.ts';
import { findAll, listIdsBy } from './find-all.ts';
import type { CaseRow } from './rows.ts';
import { listAll, rowIds } from './shards.ts';
import { find, type Store } from './table.ts';

/**
 * The most decided cases that one call reads, because memory is limited and an operator waits for the answer.
 */
const MOST_READ = 2000;

/** A closed case has no status in its row: see `CaseRow`. */
function caseIn({ ttl: _, decidedKey: __, ...row }: CaseRow): ReviewCase {
  if (!('status' in row)) return { ...row, ...row.closing };
  const { statusKey: ___, ...found } = row;
  return found;
}

export async function findCase(store: Store, id: string): Promise<ReviewCase | undefined> {
  const row = await find<CaseRow>(store, id);
  return row && caseIn(row);
}

/**
 * Lists the open cases, the oldest first. The index may lag, so each row is read again and its status is compared.
 */
export async function listOpenCases(store: Store): Promise<OpenReviewCase[]> {
  const found = await readCases(store, rowIds(await listAll(store, { index: BY_STATUS, value: 'OPEN' })));
  return found.filter((known) => !isDecided(known));
}

/** Lists the cases that were decided in the period, the newest first. */
export async function listDecidedCases(store: Store, { since, until }: DecidedIn): Promise<DecidedCases> {
  const range = {
    condition: '#sort BETWEEN :since AND :last',
    values: { ':since': since, ':last': until - 1 },
  };
  const ids = rowIds(await listAll(store, { index: DECIDED, range })).reverse();
  const found = await readCases(store, ids.slice(0, MOST_READ));
  return { cases: newestCasesFirst(found), isCut: ids.length > MOST_READ };
}

/** Lists the decided cases of a client, the newest first. */
export async function listDecidedOf(store: Store, clientId: string): Promise<DecidedReviewCase[]> {
  const ids = await listIdsBy(store, { index: 'ofClient', key: 'clientId' }, clientId);
  return newestCasesFirst(await readCases(store, ids));
}

/** Reads the cases in the order of `ids`. */
async function readCases(store: Store, ids: readonly string[]): Promise<ReviewCase[]> {
  const rows = await findAll<CaseRow>(store, ids);
  const found = ids.map((id) => rows.get(id));
  return found.filter((row) => row !== undefined).map(caseIn);
}

const newestCasesFirst = (cases: ReviewCase[]) =>
  cases.filter(isDecided).sort((one, other) => other.decidedAt - one.decidedAt);
