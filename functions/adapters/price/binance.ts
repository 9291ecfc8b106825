import { ASSETS } from '../../domain/assets.ts';
import { type Exchange, OFFERS, sidesOf, untrusted } from './book.ts';

/**
 * The query requires this status of the market, so the exchange answers an error for a halted market. The
 * last offers of a halted market are no price.
 */
const STATUS = 'TRADING';

/**
 * The public market data of Binance, "Order book". A call for 100 offers has the weight 5. One IP address may
 * use a weight of 6,000 in a minute.
 */
export const binance: Exchange = {
  pathOf(asset) {
    const { market: symbol } = ASSETS[asset];
    const query = new URLSearchParams({ symbol, limit: String(OFFERS), symbolStatus: STATUS });
    return `/api/v3/depth?${query}`;
  },
  // The answer has the number of its last change, but no time, so its age cannot be checked.
  read(body) {
    const book = Object(body) as Record<string, unknown>;
    if (!Number.isSafeInteger(book.lastUpdateId)) throw untrusted('no book');
    return sidesOf(book);
  },
};
