import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  isPurchaseWanted,
  type PurchaseLists,
  type PurchasesWanted,
} from '../../domain/purchase/purchase-list.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { findAll } from './find-all.ts';
import type { TransactionRow } from './rows.ts';
import type { Store } from './table.ts';
import { transactionOfRow } from './transactions.ts';

/**
 * One call reads at most this many pages of the index. Without this limit, a search for a rare status would
 * read the whole index.
 */
const MOST_READS = 5;
const ROWS_PER_READ = 100;

/** The attributes of the index keys of a purchase. Their values never change. */
type Key = { id: string; createdAt: number };

export function purchaseLists(client: DynamoDBDocumentClient, table: string): PurchaseLists {
  const store = { client, table };
  return {
    async listPurchases(wanted, { limit, after }) {
      const purchases: Transaction[] = [];
      let next = after;
      for (let reads = 0; reads < MOST_READS; reads++) {
        const most = wanted.status ? ROWS_PER_READ : limit + 1;
        const { keys, isLast } = await readListKeys(store, wanted, { after: next, most });
        const rows = await findAll<TransactionRow>(
          store,
          keys.map(({ id }) => id),
        );
        for (const key of keys) {
          const row = rows.get(key.id);
          const isShown = row && isPurchaseWanted(row, wanted);
          if (isShown && purchases.length === limit) return { purchases, next };
          if (isShown) purchases.push(transactionOfRow(row));
          next = listPlace(key);
        }
        if (isLast) return { purchases };
      }
      return { purchases, next };
    },
    async findPurchases(partnerId, ids) {
      const rows = await findAll<TransactionRow>(store, ids);
      return [...rows.values()].filter((row) => row.partnerId === partnerId).map(transactionOfRow);
    },
  };
}

/**
 * The place in the list after which the next page begins: the creation time and the id of the last purchase.
 */
const listPlace = ({ id, createdAt }: Key) => `${createdAt}#${id}`;

function keyAt(place: string, { partnerId, clientId }: PurchasesWanted) {
  const [createdAt, id] = place.split('#');
  return { id, createdAt: Number(createdAt), ...(clientId === undefined ? { partnerId } : { clientId }) };
}

const LATEST = Date.UTC(9999, 11, 31);

async function readListKeys(
  { client, table }: Store,
  wanted: PurchasesWanted,
  { after, most }: { after?: string; most: number },
): Promise<{ keys: Key[]; isLast: boolean }> {
  const { partnerId, clientId, from = 0, to = LATEST } = wanted;
  // DynamoDB refuses a range that ends before it begins. A partner may ask for one: before 1970, or after `LATEST`.
  if (from >= to) return { keys: [], isLast: true };
  const query = new QueryCommand({
    TableName: table,
    IndexName: clientId === undefined ? 'ofPartner' : 'ofClient',
    KeyConditionExpression: '#key = :key AND createdAt BETWEEN :from AND :until',
    ExpressionAttributeNames: { '#key': clientId === undefined ? 'partnerId' : 'clientId' },
    ExpressionAttributeValues: { ':key': clientId ?? partnerId, ':from': from, ':until': to - 1 },
    ScanIndexForward: false,
    Limit: most,
    ExclusiveStartKey: after === undefined ? undefined : keyAt(after, wanted),
  });
  const { Items = [], LastEvaluatedKey } = await client.send(query);
  return { keys: Items as Key[], isLast: LastEvaluatedKey === undefined };
}
