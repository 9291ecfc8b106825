/**
 * Writes and reads the indexes of `functions/tables/sharded.ts`. The rows of such an index are spread over
 * several partition keys, the shards. A read asks all shards at once.
 */
import { createHash } from 'node:crypto';
import { paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ShardedIndex, ShardedKey } from '../../tables/sharded.ts';
import type { Store } from './table.ts';

/**
 * The partition key of a row in the index. It depends only on the row's id and `value`, so each writer of the
 * row computes the same key.
 *
 * @param value separates rows that are read separately, such as those of two statuses. An index with a single
 * list needs none.
 */
export function keyIn(index: ShardedIndex, id: string, value = index.name): ShardedKey {
  return shardKey(value, createHash('sha256').update(id).digest().readUInt32BE() % index.shards);
}

const shardKey = (value: string, shard: number) => `${value}#${shard}` as ShardedKey;

/**
 * The rows to read: those whose index key was made with `value` (see `keyIn`). `range` is a condition on
 * `#sort`, such as `#sort <= :now`, with its values.
 */
type IndexReading = {
  index: ShardedIndex;
  value?: string;
  range?: { condition: string; values: Readonly<Record<string, unknown>> };
};

/** A row as the index has it. */
export type Indexed = { readonly [attribute: string]: unknown };

/**
 * The place where a reader continues: for each shard, by its number, the keys of the last row that was read.
 * A shard without an entry is read from its beginning. `END`: the shard has no more rows.
 */
type ShardPlace = { readonly [shard: string]: Indexed | 'END' };

/**
 * One page of rows. `next` is present if there may be more rows. Callers may store it and pass it back, but
 * only this file reads it.
 */
type Page = { rows: Indexed[]; next?: Record<string, unknown> };

/** Lists the first rows in the order of the sort key, at most `limit`. */
export async function listFirst(store: Store, reading: IndexReading, limit: number): Promise<Indexed[]> {
  const parts = await readShards(store, reading, { limit });
  return placedRows(mergedShards(reading.index, parts).slice(0, limit));
}

/** Lists the ids of the rows that are due. */
export async function listDueIds(
  store: Store,
  index: ShardedIndex,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const range = { condition: '#sort <= :now', values: { ':now': now } };
  return rowIds(await listFirst(store, { index, range }, limit));
}

/** Lists all rows in the order of the sort key. A row whose sort key changes during the read may be listed twice. */
export async function listAll({ client, table }: Store, reading: IndexReading): Promise<Indexed[]> {
  const shards = shardsOf(reading.index).map(async (shard) => {
    const rows: Indexed[] = [];
    const pages = paginateQuery({ client }, shardQuery(table, reading, shard));
    for await (const { Items = [] } of pages) rows.push(...Items);
    return { shard, rows };
  });
  return placedRows(mergedShards(reading.index, await Promise.all(shards)));
}

/**
 * Lists the next rows in the order of the sort key. The page has at most `limit` rows, and at least one if
 * there are any. Each shard is asked for `limit` divided by the number of shards, because together they fill
 * one page.
 */
export async function listPage(
  store: Store,
  reading: IndexReading,
  { limit, from = {} }: { limit: number; from?: Record<string, unknown> },
): Promise<Page> {
  const { index } = reading;
  const place = from as ShardPlace;
  const parts = await readShards(store, reading, { limit: Math.ceil(limit / index.shards), place });
  const taken = mergedShards(index, parts).slice(0, limit);
  const next = placeAfter(index, { place, parts, taken });
  return { rows: placedRows(taken), ...(next && { next }) };
}

export function rowIds(rows: readonly Indexed[]): string[] {
  return rows.map(({ id }) => String(id));
}

/** The rows read from one shard. `isCut`: the shard has more rows after these. */
type Part = { shard: number; rows: Indexed[]; isCut?: boolean };

async function readShards(
  { client, table }: Store,
  reading: IndexReading,
  { limit, place = {} }: { limit: number; place?: ShardPlace },
): Promise<Part[]> {
  const open = shardsOf(reading.index).filter((shard) => place[shard] !== 'END');
  const read = open.map(async (shard) => {
    const from = place[shard] as Indexed | undefined;
    const query = { ...shardQuery(table, reading, shard), ExclusiveStartKey: from, Limit: limit };
    const { Items: rows = [], LastEvaluatedKey: last } = await client.send(new QueryCommand(query));
    return { shard, rows, isCut: last !== undefined };
  });
  return Promise.all(read);
}

const shardsOf = ({ shards }: ShardedIndex) => Array.from({ length: shards }, (_, shard) => shard);

function shardQuery(table: string, { index, value = index.name, range }: IndexReading, shard: number) {
  return {
    TableName: table,
    IndexName: index.name,
    KeyConditionExpression: `#key = :key${range ? ` AND ${range.condition}` : ''}`,
    ExpressionAttributeNames: { '#key': index.key, ...(range && { '#sort': index.sort }) },
    ExpressionAttributeValues: { ':key': shardKey(value, shard), ...range?.values },
  };
}

type Placed = { shard: number; row: Indexed };

/**
 * Merges the rows of all shards in the order of the sort key. `isCut`: a shard has more rows, which may come
 * right after its last row that was read. Rows of other shards that come after that last row are left for the
 * next read. Rows with equal sort keys are ordered by shard, and within a shard as DynamoDB lists them.
 */
function mergedShards(index: ShardedIndex, parts: readonly Part[]): Placed[] {
  const order = (one: Placed, other: Placed) =>
    compareSorts(one.row[index.sort], other.row[index.sort]) || one.shard - other.shard;
  const ends = parts.flatMap(({ rows, isCut, shard }) =>
    isCut ? rows.slice(-1).map((row) => ({ shard, row })) : [],
  );
  const [end] = ends.sort(order);
  // The sort is stable, so rows of one shard with equal sort keys stay in DynamoDB's order.
  const all = parts.flatMap(({ rows, shard }) => rows.map((row) => ({ shard, row }))).sort(order);
  return end ? all.filter((placed) => order(placed, end) <= 0) : all;
}

function compareSorts(one: unknown, other: unknown): number {
  if (one === other) return 0;
  return (one as number | string) < (other as number | string) ? -1 : 1;
}

const placedRows = (placed: readonly Placed[]) => placed.map(({ row }) => row);

type TakenRows = { place: ShardPlace; parts: readonly Part[]; taken: readonly Placed[] };

/** Where the next page begins. Undefined if all shards are read to their end. */
function placeAfter(index: ShardedIndex, { place, parts, taken }: TakenRows): ShardPlace | undefined {
  const next: Record<string, Indexed | 'END'> = { ...place };
  for (const { shard, rows, isCut } of parts) {
    const ofShard = taken.filter((each) => each.shard === shard);
    const last = ofShard.at(-1);
    if (ofShard.length === rows.length && !isCut) next[shard] = 'END';
    else if (last) next[shard] = pagingKeys(index, last.row);
  }
  return shardsOf(index).every((shard) => next[shard] === 'END') ? undefined : next;
}

const pagingKeys = ({ key, sort }: ShardedIndex, row: Indexed): Indexed => ({
  id: row.id,
  [key]: row[key],
  [sort]: row[sort],
});
