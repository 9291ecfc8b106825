import { BatchGetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { batchesOf } from '../../domain/batches.ts';
import type { Store } from './table.ts';

/** The most rows that one `BatchGetItem` reads. */
const BATCH = 100;
/**
 * The most batches that are read at once. The SDK opens at most 50 connections, and other reads need some of
 * them.
 */
const AT_ONCE = 20;

type Key = Record<string, string>;

/**
 * Reads the rows with these ids consistently. An id without a row is missing in the answer. `keyOf` makes a row's
 * primary key of its id. An id may be given twice, although DynamoDB refuses a batch that repeats a key.
 */
export async function findAll<Row>(
  store: Store,
  ids: readonly string[],
  keyOf: (id: string) => Key = (id) => ({ id }),
): Promise<Map<string, Row>> {
  const batches = batchesOf([...new Set(ids)].map(keyOf), BATCH);
  const rows = new Map<string, Row>();
  const lanes = Array.from({ length: Math.min(AT_ONCE, batches.length) }, async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) await readBatch(store, batch, rows);
  });
  await Promise.all(lanes);
  return rows;
}

/** Reads one batch into `rows`. DynamoDB may leave out some rows and name them, so those are read again. */
async function readBatch<Row>({ client, table }: Store, batch: readonly Key[], rows: Map<string, Row>) {
  for (let Keys = [...batch]; Keys.length > 0; ) {
    const command = new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await client.send(command);
    for (const row of Responses?.[table] ?? []) rows.set(String(row.id), row as Row);
    Keys = (UnprocessedKeys?.[table]?.Keys ?? []) as Key[];
  }
}

/** The ids of all rows that an index lists under a value of its key. The index may lag by seconds. */
export async function listIdsBy(
  { client, table }: Store,
  { index, key }: { index: string; key: string },
  value: string,
): Promise<string[]> {
  const query = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: '#key = :value',
    ExpressionAttributeNames: { '#key': key },
    ExpressionAttributeValues: { ':value': value },
  };
  const ids: string[] = [];
  for await (const { Items = [] } of paginateQuery({ client }, query))
    ids.push(...Items.map(({ id }) => String(id)));
  return ids;
}
