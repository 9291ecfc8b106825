import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Store } from './table.ts';

/** DynamoDB's limit for one call. */
const BATCH = 100;
/** The SDK opens at most 50 connections. Other reads need some. */
const AT_ONCE = 20;

/** The rows of `ids` that exist, read consistently and in no order. Each id may be given once. */
export async function findAll<Row>(store: Store, ids: readonly string[]): Promise<Row[]> {
  const batches = batchesOf(ids, BATCH);
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    const rows: Row[] = [];
    for (let batch = batches.pop(); batch; batch = batches.pop())
      rows.push(...(await readBatch<Row>(store, batch)));
    return rows;
  });
  return (await Promise.all(lanes)).flat();
}

export function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** DynamoDB may leave out some rows of a call, and names them. */
async function readBatch<Row>({ client, table }: Store, ids: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let Keys = ids.map((id) => ({ id })); Keys.length > 0; ) {
    const command = new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await client.send(command);
    rows.push(...((Responses?.[table] ?? []) as Row[]));
    Keys = (UnprocessedKeys?.[table]?.Keys ?? []) as { id: string }[];
  }
  return rows;
}
