import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import type { OpenPurchases } from '../../domain/treasury/liquidity-ports.ts';
import { DUE } from '../../tables/sharded.ts';
import type { TransactionRow } from './rows.ts';
import { idsOf, listAll } from './shards.ts';
import { ofRow } from './transactions.ts';

/** DynamoDB's limit for one call. */
const BATCH = 100;

/** Open purchases, by the index of the sweeper. Every open purchase is in it. */
export function openPurchases(client: DynamoDBDocumentClient, table: string): OpenPurchases {
  async function listIds(until: number): Promise<string[]> {
    const range = { condition: '#sort <= :until', values: { ':until': until } };
    // A purchase that changes during the read may be listed twice.
    return [...new Set(idsOf(await listAll({ client, table }, { index: DUE, range })))];
  }

  async function listByIds(ids: readonly string[]): Promise<Transaction[]> {
    const rows: Transaction[] = [];
    for (let keys = ids.map((id) => ({ id })); keys.length > 0; ) {
      const Keys = keys.slice(0, BATCH);
      const command = new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } });
      const { Responses, UnprocessedKeys } = await client.send(command);
      rows.push(...((Responses?.[table] ?? []) as TransactionRow[]).map(ofRow));
      const left = (UnprocessedKeys?.[table]?.Keys ?? []) as { id: string }[];
      keys = [...left, ...keys.slice(BATCH)];
    }
    return rows;
  }

  return { listByIds, listOpen: async (until) => listByIds(await listIds(until)) };
}
