import { BatchGetCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import type { OpenPurchases } from '../../domain/treasury/liquidity-ports.ts';
import { ofRow, SWEEP } from './transactions.ts';

/** DynamoDB's limit for one call. */
const BATCH = 100;

/** Open purchases, by the index of the sweeper. Every open purchase is in it. */
export function openPurchases(client: DynamoDBDocumentClient, table: string): OpenPurchases {
  async function listIds(until: number): Promise<string[]> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: 'due',
        KeyConditionExpression: 'sweep = :sweep AND nextCheckAt <= :until',
        ExpressionAttributeValues: { ':sweep': SWEEP, ':until': until },
      },
    );
    // A purchase that changes between two pages may be on both.
    const ids = new Set<string>();
    for await (const { Items = [] } of pages) for (const { id } of Items) ids.add(String(id));
    return [...ids];
  }

  async function listByIds(ids: readonly string[]): Promise<Transaction[]> {
    const rows: Transaction[] = [];
    for (let keys = ids.map((id) => ({ id })); keys.length > 0; ) {
      const Keys = keys.slice(0, BATCH);
      const command = new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } });
      const { Responses, UnprocessedKeys } = await client.send(command);
      rows.push(...((Responses?.[table] ?? []) as Transaction[]).map(ofRow));
      const left = (UnprocessedKeys?.[table]?.Keys ?? []) as { id: string }[];
      keys = [...left, ...keys.slice(BATCH)];
    }
    return rows;
  }

  return { listByIds, listOpen: async (until) => listByIds(await listIds(until)) };
}
