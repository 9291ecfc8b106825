import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import { type LockedQuote, requireUnused } from '../../domain/purchase/locked-quote.ts';
import type { QuoteOffers, Quotes } from '../../domain/purchase/quote-ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import type { PurchaseClaim } from './purchase-claims.ts';
import type { QuoteRow } from './rows.ts';
import { find, putIfAbsent, type Store } from './table.ts';

export function quoteStore(client: DynamoDBDocumentClient, table: string): Quotes & QuoteOffers {
  const store = { client, table };
  return {
    findQuote: (id) => findQuote(store, id),
    async create(quote) {
      return ofRow(await putIfAbsent(store, { ...quote, ttl: ttlOf('quotes', quote.expiresAt) }));
    },
  };
}

async function findQuote(store: Store, id: string): Promise<LockedQuote | undefined> {
  const row = await find<QuoteRow>(store, id);
  return row && ofRow(row);
}

/** Marks the quote as used by the purchase, in the write that opens the purchase. */
export function quoteClaim(store: Store, quoteId: string, transactionId: string): PurchaseClaim {
  return {
    item: {
      Update: {
        TableName: store.table,
        Key: { id: quoteId },
        UpdateExpression: 'SET usedBy = :purchase',
        ConditionExpression: 'attribute_exists(id) AND attribute_not_exists(usedBy)',
        ExpressionAttributeValues: { ':purchase': transactionId },
      },
    },
    async refuse() {
      requireUnused(getDefined(await findQuote(store, quoteId), 'used quote'), { id: transactionId });
      throw new Unavailable('the quote');
    },
  };
}

/** The client reads small integers as numbers and large ones as bigint. The domain has only bigint for units. */
const ofRow = ({ ttl: _, ...row }: QuoteRow): LockedQuote => ({
  ...row,
  quote: { ...row.quote, assetUnits: BigInt(row.quote.assetUnits) },
});
