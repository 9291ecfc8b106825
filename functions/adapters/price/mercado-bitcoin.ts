import { type Exchange, OFFERS, requireFreshPrice, sidesOf } from './book.ts';

const NANOSECONDS_PER_MS = 1e6;

/** Mercado Bitcoin, API v4, "Get orderbook". One IP address may send one request a second. */
export const mercadoBitcoin: Exchange = {
  pathOf: (asset) => `/api/v4/${asset}-BRL/orderbook?limit=${OFFERS}`,
  // The time is a number of nanoseconds. A JSON number of this size loses its last digits, which are far less
  // than a millisecond.
  read(body, now) {
    const book = Object(body) as Record<string, unknown>;
    requireFreshPrice(Number(book.timestamp ?? Number.NaN) / NANOSECONDS_PER_MS, now);
    return sidesOf(book);
  },
};
