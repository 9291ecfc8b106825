import { type Exchange, OFFERS, requireFreshPrice, sidesOf } from './book.ts';

/** Foxbit, REST API v3, "Get order book". One IP address may send five requests a second. */
export const foxbit: Exchange = {
  pathOf: (asset) => `/rest/v3/markets/${asset.toLowerCase()}brl/orderbook?depth=${OFFERS}`,
  read(body, now) {
    const book = Object(body) as Record<string, unknown>;
    requireFreshPrice(book.timestamp, now);
    return sidesOf(book);
  },
};
