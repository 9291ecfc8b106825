import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isLatePosting } from '../../domain/books/day-sums.ts';
import type { Ledger } from '../../domain/books/ledger-ports.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Posting } from '../../domain/ledger.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { DAY } from '../../tables/sharded.ts';
import type { PostingRow } from './rows.ts';
import { type Indexed, keyIn, listAll, listPage } from './shards.ts';
import { find, isRefused, putNew, type WriteItem, writeAll } from './table.ts';

/**
 * The number of postings in one page. Between two pages, the reader checks whether its running time is over.
 */
const POSTINGS_AT_ONCE = 500;

/** Reads the ledger. It never writes: each move of money writes its own postings, by `postingPuts`. */
export function ledgerStore(
  client: DynamoDBDocumentClient,
  table: string,
  atOnce = POSTINGS_AT_ONCE,
): Ledger {
  const store = { client, table };
  const ofDay = (day: string) => ({ index: DAY, value: day });
  const parsed = (rows: readonly Indexed[]) => (rows as unknown as PostingRow[]).map(postingOfRow);
  return {
    async findPosting(id) {
      const row = await find<PostingRow>(store, id);
      return row && postingOfRow(row);
    },
    listDay: async (day) => parsed(await listAll(store, ofDay(day))),
    async listDayFrom(day, from) {
      const { rows, next } = await listPage(store, ofDay(day), { limit: atOnce, from });
      return { postings: parsed(rows), ...(next && { next }) };
    },
  };
}

/**
 * The writes of the postings for one move of money. They belong to the transaction that records the move.
 * Postings are never changed or removed. `recordedAt` is needed if it may be much later than the postings' instants.
 */
export function postingPuts(postings: readonly Posting[], table: string, recordedAt?: number): WriteItem[] {
  return postings.map((posting) => ({ Put: putNew(table, postingRow(posting, recordedAt)) }));
}

export function postingRow(posting: Posting, recordedAt = posting.at): PostingRow {
  const { id, day, at, txHash, endToEndId } = posting;
  const outsideId = txHash ?? endToEndId;
  const late = isLatePosting(at, recordedAt) && ({ late: 'LATE' } as const);
  return { ...posting, dayKey: keyIn(DAY, id, day), outsideId, ttl: ttlOf('ledger', at), ...late };
}

type LedgerTable = { client: DynamoDBDocumentClient; random: Random; ledger: string };

/**
 * Writes a move of money together with its postings. False: the row of the move has changed. If only a
 * posting refused the write, `isUnmoved` reads that row. If the money has not moved, another writer made the
 * posting, and an error is thrown.
 */
export async function writeMove(
  { client, random, ledger }: LedgerTable,
  items: WriteItem[],
  isUnmoved: () => Promise<boolean>,
): Promise<boolean> {
  const written = await writeAll(client, items, random);
  if (written === 'WRITTEN') return true;
  // It is unknown whether the write succeeded. The caller tries again, and then reads the rows.
  if (written === 'UNKNOWN') throw new Unavailable('the tables of a move of money');
  const posting = refusingPosting(items, written, ledger);
  if (posting && (await isUnmoved())) postedWithoutMove(posting);
  return false;
}

/**
 * Finds the posting that refused the write. Undefined if any other row refused it, too. A repeated move is
 * refused by the row of the move as well. A refusal by postings alone therefore means that another writer
 * made the posting.
 */
export function refusingPosting(
  items: readonly WriteItem[],
  codes: readonly string[],
  table: string,
): string | undefined {
  const refused = items.filter((_, index) => isRefused(codes[index]));
  if (refused.some(({ Put }) => Put?.TableName !== table)) return undefined;
  return refused[0] && String(refused[0].Put?.Item?.id);
}

/**
 * Always throws: the ledger has this posting, but the money has not moved. Each try of the move fails until
 * an operator, called by the alarm, finds out who wrote the posting.
 */
export function postedWithoutMove(id: string): never {
  throw new Error(`the posting ${id} is in the ledger, and what it posts has not happened`);
}

/**
 * Converts a row. The DynamoDB client reads small integers as numbers and large ones as bigint. Postings have only
 * bigint.
 */
export function postingOfRow({
  ttl: _,
  dayKey: __,
  outsideId: ___,
  late: ____,
  ...posting
}: PostingRow): Posting {
  return {
    ...posting,
    entries: posting.entries.map((entry) => ({ ...entry, amount: BigInt(entry.amount) })),
  };
}
