/** The public market data of Binance: `GET /api/v3/depth` answers the offers of one market, the best first. */

import { ASSETS, type Asset, loadPerAsset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { getAt } from '../../domain/get.ts';
import { RATE_DECIMALS, unitsOf } from '../../domain/money.ts';
import type { Offer, OrderBook } from '../../domain/treasury/price.ts';
import type { PriceFeed } from '../../domain/treasury/price-ports.ts';
import { jsonClient } from '../http.ts';

const PROVIDER = 'the price feed';
/** The number of offers on each side. A call for them weighs 5 of the 6,000 that an address may use in a minute. */
const OFFERS = 100;
/** For a halted market the exchange answers an error, because its last offers are no price. */
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

/** The order book of an answer. `functions/domain/treasury/price.ts` decides whether it gives a price. */
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

/** A decimal string. A JSON number would have lost digits. */
function positive(text: unknown): bigint {
  const value = typeof text === 'string' ? unitsOf(text, RATE_DECIMALS) : undefined;
  if (!value) throw untrusted('no positive decimals');
  return value;
}

const isInOrder = (offers: readonly Offer[]) =>
  offers.slice(1).every(({ price }, index) => getAt(offers, index).price < price);

function untrusted(reason: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(reason) });
}
