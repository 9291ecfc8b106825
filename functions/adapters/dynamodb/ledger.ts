import { type DynamoDBDocumentClient, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Ledger } from '../../domain/books/ledger-ports.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Posting } from '../../domain/ledger.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { find, isRefused, putNew, type WriteItem, writeAll } from './table.ts';

/** The number of postings that are compared before the next look at the clock. */
const POSTINGS_AT_ONCE = 500;

/** Reads the ledger. Each move of money writes its own postings, by `postingPuts`. */
export function ledgerStore(
  client: DynamoDBDocumentClient,
  table: string,
  atOnce = POSTINGS_AT_ONCE,
): Ledger {
  const ofDay = (day: string) => ({
    TableName: table,
    IndexName: 'day',
    KeyConditionExpression: '#day = :day',
    ExpressionAttributeNames: { '#day': 'day' },
    ExpressionAttributeValues: { ':day': day },
  });
  return {
    async findPosting(id) {
      const row = await find<Posting>({ client, table }, id);
      return row && ofRow(row);
    },
    async listDay(day) {
      const found: Posting[] = [];
      for await (const { Items = [] } of paginateQuery({ client }, ofDay(day)))
        found.push(...(Items as Posting[]).map(ofRow));
      return found;
    },
    async listDayFrom(day, after) {
      const start = after && { ExclusiveStartKey: { day, ...after } };
      const query = new QueryCommand({ ...ofDay(day), Limit: atOnce, ...start });
      const { Items = [], LastEvaluatedKey: last } = await client.send(query);
      const postings = (Items as Posting[]).map(ofRow);
      return { postings, ...(last && { next: { at: Number(last.at), id: String(last.id) } }) };
    },
  };
}

/** The postings of a move, for the write of the move. They are only ever added. */
export function postingPuts(postings: readonly Posting[], table: string): WriteItem[] {
  return postings.map((posting) => ({
    Put: putNew(table, { ...posting, ttl: ttlOf('ledger', posting.at) }),
  }));
}

type Books = { client: DynamoDBDocumentClient; random: Random; ledger: string };

/**
 * Writes a move of money together with its postings. False: its row has changed. `isUnmoved` reads the row again. A
 * posting that exists although the row has not moved is an error: another writer made it.
 */
export async function writeMove(
  { client, random, ledger }: Books,
  items: WriteItem[],
  isUnmoved: () => Promise<boolean>,
): Promise<boolean> {
  const written = await writeAll(client, items, random);
  if (written === 'WRITTEN') return true;
  // It is unknown whether it was written. The caller repeats, and then reads the rows.
  if (written === 'UNKNOWN') throw new Unavailable('the tables of a move of money');
  const posting = refusingPosting(items, written, ledger);
  if (posting && (await isUnmoved())) postedWithoutMove(posting);
  return false;
}

/**
 * Finds the posting that alone refused a move. If the move was made before, its row refuses as well. A posting
 * without its move was made by another writer.
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
 * While ledger and row contradict each other, the move fails. An operator sees the alarm and finds the origin of the
 * posting.
 */
export function postedWithoutMove(id: string): never {
  throw new Error(`the posting ${id} is in the ledger, and what it posts has not happened`);
}

/** The client reads small integers as numbers and large ones as bigint. Postings have only bigint. */
function ofRow({ ttl: _, ...posting }: Posting & { ttl?: number }): Posting {
  return {
    ...posting,
    entries: posting.entries.map((entry) => ({ ...entry, amount: BigInt(entry.amount) })),
  };
}
