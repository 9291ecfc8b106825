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
  /** The number of the book's last change, at an exchange whose answer has no time. */
  changeOf?(body: unknown): number;
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
export function requireFreshPrice(at: unknown, now: number): void {
  if (typeof at !== 'number' || !(Math.abs(now - at) <= FRESH_MS)) throw untrusted('no book of now');
}

/**
 * Makes the check of books that have no time. It throws for a book whose number of changes has not risen for
 * `FRESH_MS`. It knows only the books that this instance has read, so its first book always passes. A frozen book
 * alone makes no price: a second exchange must agree with it.
 */
export function progressCheck() {
  const latest = new Map<string, { change: number; since: number }>();
  return (market: string, change: number, now: number): void => {
    const known = latest.get(market);
    if (!known || change > known.change) latest.set(market, { change, since: now });
    else if (now - known.since > FRESH_MS) throw untrusted('no change of the book');
  };
}

/** Throws for an answer that a cache has kept for too long. A cache says so in the header `Age` (RFC 9111). */
export function requireUncached(age: string | undefined): void {
  if (age !== undefined && !(Number(age) * 1000 <= FRESH_MS)) throw untrusted('an old answer of a cache');
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
