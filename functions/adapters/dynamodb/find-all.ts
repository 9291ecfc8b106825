import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Store } from './table.ts';

/** DynamoDB's limit for one call. */
const BATCH = 100;

/** Consistent reads of the rows with these ids, by id. An id without a row is not in the answer. */
export async function findAll<Row>(
  { client, table }: Store,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (let keys = ids.map((id) => ({ id })); keys.length > 0; ) {
    const Keys = keys.slice(0, BATCH);
    const command = new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await client.send(command);
    for (const row of Responses?.[table] ?? []) rows.set(String(row.id), row as Row);
    const left = (UnprocessedKeys?.[table]?.Keys ?? []) as { id: string }[];
    keys = [...left, ...keys.slice(BATCH)];
  }
  return rows;
}
