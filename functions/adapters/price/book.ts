import type { Asset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { getAt } from '../../domain/get.ts';
import { RATE_DECIMALS, unitsOf } from '../../domain/money.ts';
import type { Offer, OrderBook } from '../../domain/treasury/order-book.ts';

/**
 * One exchange: the path of the order book of an asset, and the parser of the answer. `read` throws if the
 * answer is not an order book.
 */
export type Exchange = {
  pathOf(asset: Asset): string;
  read(body: unknown, now: number): OrderBook;
};

/** The number of offers that the service requests for each side. */
export const OFFERS = 100;
const PROVIDER = 'the exchange';
/**
 * The greatest age of an order book in milliseconds. An exchange that has stopped may still show its last
 * book.
 */
const FRESH_MS = 5 * 60_000;

/** Parses the two sides of an order book. Each is a list of pairs of decimal strings: price and quantity. */
export function sidesOf({ bids, asks }: Record<string, unknown>): OrderBook {
  const book = { bids: offersOf(bids), asks: offersOf(asks) };
  if (!isInOrder(book.asks) || !isInOrder(book.bids.toReversed())) throw untrusted('offers out of order');
  return book;
}

/** Throws for an order book that has no time, is too old, or has a time too far in the future. */
export function requireFresh(at: unknown, now: number): void {
  if (typeof at !== 'number' || !(Math.abs(now - at) <= FRESH_MS)) throw untrusted('no book of now');
}

export function untrusted(reason: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(reason) });
}

function offersOf(side: unknown): Offer[] {
  if (!Array.isArray(side)) throw untrusted('no book');
  return side.map((offer) => {
    if (!Array.isArray(offer)) throw untrusted('no offer');
    return { price: positive(offer[0]), quantity: positive(offer[1]) };
  });
}

/** Parses a positive decimal string. Refuses a JSON number, because it may have lost digits. */
function positive(text: unknown): bigint {
  const value = typeof text === 'string' ? unitsOf(text, RATE_DECIMALS) : undefined;
  if (!value) throw untrusted('no positive decimals');
  return value;
}

const isInOrder = (offers: readonly Offer[]) =>
  offers.slice(1).every(({ price }, index) => getAt(offers, index).price < price);
