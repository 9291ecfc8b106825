import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import { isQuoteId, type LockedQuote, requireUnused } from '../../domain/purchase/locked-quote.ts';
import { sumsOfPromise } from '../../domain/purchase/open-promise.ts';
import type { QuoteOffers, Quotes } from '../../domain/purchase/quote-ports.ts';
import { addPromise, openSince, type PromiseTable } from './promises.ts';
import type { PurchaseClaim } from './purchase-claims.ts';
import type { QuoteRow } from './rows.ts';
import { find, putNew, type Store } from './table.ts';

export function quoteStore(at: PromiseTable): Quotes & QuoteOffers {
  return {
    findQuote: (id) => findQuote(at, id),
    async create(quote, terms) {
      const { amountCentavos: centavos } = quote;
      const row: QuoteRow = { ...quote, ...openSince(quote, terms.now) };
      const rows = [{ Put: putNew(at.table, row) }];
      if (await addPromise(at, { rows, centavos, sums: sumsOfPromise(quote) }, terms)) return quote;
      return getDefined(await findQuote(at, quote.id), 'quote that a put has met');
    },
  };
}

/**
 * Finds a quote. A partner may send any id, and the same table has rows of promises and of sums. Therefore an
 * id that does not have the form of a quote's id is not looked up.
 */
async function findQuote(store: Store, id: string): Promise<LockedQuote | undefined> {
  if (!isQuoteId(id)) return undefined;
  const row = await find<QuoteRow>(store, id);
  return row && quoteOfRow(row);
}

/**
 * Marks the quote as used by this purchase. The transaction that writes the purchase contains this update.
 */
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

/**
 * Converts a row to a quote. The DynamoDB client reads small integers as numbers and large ones as bigint, so
 * `assetUnits` is converted to bigint.
 */
const quoteOfRow = ({ ttl: _, heldKey: __, reservedAt: ___, ...row }: QuoteRow): LockedQuote => ({
  ...row,
  quote: { ...row.quote, assetUnits: BigInt(row.quote.assetUnits) },
});
