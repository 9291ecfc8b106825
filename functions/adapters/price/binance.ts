import { ASSETS } from '../../domain/assets.ts';
import { type Exchange, OFFERS, sidesOf, untrusted } from './book.ts';

/**
 * The market's status that the query requires. For a halted market the exchange then answers an error. The
 * last offers of a halted market are not a price.
 */
const STATUS = 'TRADING';

/**
 * Binance's public market data, "Order book". A request for 100 offers has the weight 5. One IP address may
 * use a weight of 6,000 in a minute.
 */
export const binance: Exchange = {
  pathOf(asset) {
    const { market: symbol } = ASSETS[asset];
    const query = new URLSearchParams({ symbol, limit: String(OFFERS), symbolStatus: STATUS });
    return `/api/v3/depth?${query}`;
  },
  read(body) {
    if (!Number.isSafeInteger(bookUpdateOf(body))) throw untrusted('no book');
    return sidesOf(Object(body) as Record<string, unknown>);
  },
  changeOf: bookUpdateOf,
};

// The answer has the number of the book's last change, but no time.
function bookUpdateOf(body: unknown): number {
  return (Object(body) as { lastUpdateId: number }).lastUpdateId;
}
