import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OpenPurchases } from '../../domain/treasury/liquidity-ports.ts';
import { DUE } from '../../tables/sharded.ts';
import { findAll } from './find-all.ts';
import type { TransactionRow } from './rows.ts';
import { listAll, rowIds } from './shards.ts';
import { transactionOfRow } from './transactions.ts';

/**
 * Lists open purchases by the index of the schedule `SweepStuckTransactions`, which has every open purchase.
 */
export function openPurchases(client: DynamoDBDocumentClient, table: string): OpenPurchases {
  const store = { client, table };
  const listByIds = async (ids: readonly string[]) =>
    [...(await findAll<TransactionRow>(store, ids)).values()].map(transactionOfRow);

  async function listIds(until: number): Promise<string[]> {
    const range = { condition: '#sort <= :until', values: { ':until': until } };
    // If a purchase changes during the read, the index may list it twice.
    return [...new Set(rowIds(await listAll(store, { index: DUE, range })))];
  }

  return { listByIds, listOpen: async (until) => listByIds(await listIds(until)) };
}
