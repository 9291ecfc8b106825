import { type Exchange, OFFERS, requireFresh, sidesOf } from './book.ts';

const NANOSECONDS_PER_MS = 1e6;

/** The public data of Mercado Bitcoin, API v4, "Get orderbook". An address may send one request a second. */
export const mercadoBitcoin: Exchange = {
  pathOf: (asset) => `/api/v4/${asset}-BRL/orderbook?limit=${OFFERS}`,
  // The time is in nanoseconds: a JSON number that lost its last digits.
  read(body, now) {
    const book = Object(body) as Record<string, unknown>;
    requireFresh(Number(book.timestamp ?? Number.NaN) / NANOSECONDS_PER_MS, now);
    return sidesOf(book);
  },
};
