/** Binance's public market data: `GET /api/v3/depth`, the offers of one market on both sides, best first. */

import { ASSETS, type Asset, loadPerAsset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { RATE_DECIMALS, unitsOf } from '../../domain/money.ts';
import type { Offer, OrderBook } from '../../domain/treasury/price.ts';
import type { PriceFeed } from '../../domain/treasury/price-ports.ts';
import { jsonClient } from '../http.ts';

const PROVIDER = 'the price feed';
/** Of each side; up to here a call weighs 5 of the 6,000 that an address has a minute. */
const OFFERS = 100;
/** Of a market that is halted the exchange answers an error: what was offered there last is no price. */
const STATUS = 'TRADING';

export function priceFeed({ baseUrl }: { baseUrl: string }, deps: { timeoutMs?: number } = {}): PriceFeed {
  const send = jsonClient({ provider: PROVIDER, timeoutMs: deps.timeoutMs });
  const bookOf = async (asset: Asset) => {
    const { market: symbol } = ASSETS[asset];
    const query = new URLSearchParams({ symbol, limit: String(OFFERS), symbolStatus: STATUS });
    const { status, body } = await send({ method: 'GET', url: `${baseUrl}/api/v3/depth?${query}` });
    if (status !== 200) throw untrusted(`HTTP ${status}`);
    return readBook(body);
  };
  return { findBooks: () => loadPerAsset(bookOf) };
}

/** The book as it was written, if it is one. Whether it makes a price is for `functions/domain/treasury/price.ts` to say. */
export function readBook(body: unknown): OrderBook {
  const { lastUpdateId, bids, asks } = Object(body) as Record<string, unknown>;
  if (!Number.isSafeInteger(lastUpdateId)) throw untrusted('no book');
  const book = { bids: offersOf(bids), asks: offersOf(asks) };
  if (!isInOrder(book.asks) || !isInOrder(book.bids.toReversed())) throw untrusted('offers out of order');
  return book;
}

function offersOf(side: unknown): Offer[] {
  if (!Array.isArray(side)) throw untrusted('no book');
  return side.map((offer) => {
    if (!Array.isArray(offer)) throw untrusted('no offer');
    return { price: positive(offer[0]), quantity: positive(offer[1]) };
  });
}

/** Decimal strings: a number of JSON would have lost digits already. */
function positive(text: unknown): bigint {
  const value = typeof text === 'string' ? unitsOf(text, RATE_DECIMALS) : undefined;
  if (!value) throw untrusted('no positive decimals');
  return value;
}

const isInOrder = (offers: readonly Offer[]) =>
  offers.every(({ price }, index) => index === 0 || offers[index - 1]!.price < price);

function untrusted(reason: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(reason) });
}
