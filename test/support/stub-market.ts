import { type PerAsset, perAsset } from '../../functions/domain/assets.ts';
import { unitsOf } from '../../functions/domain/money.ts';
import type { OrderBook, PriceBounds } from '../../functions/domain/treasury/order-book.ts';
import type { PriceFeed, PriceHistories, PtaxFeed } from '../../functions/domain/treasury/price-ports.ts';
import { VENUES, type VenueBooks } from '../../functions/domain/treasury/quorum.ts';

export const PRICE_BOUNDS: PerAsset<PriceBounds> = perAsset(() => ({
  lowest: '2',
  highest: '20',
  gapBasisPoints: 500,
  disagreementBasisPoints: 200,
  venuesBasisPoints: 150,
  moveBasisPoints: 500,
  ptaxBasisPoints: 1000,
  ptaxDays: 7,
}));

/** A price with eight decimals. */
export const priceOf = (text: string): bigint => unitsOf(text, 8)!;

/** An order book with one offer on each side, of a million tokens by default. */
export function aBook(ask: string, quantity = '1000000', bid = ask): OrderBook {
  const offer = (price: string) => [{ price: priceOf(price), quantity: priceOf(quantity) }];
  return { bids: offer(bid), asks: offer(ask) };
}

/** The books of all exchanges: each shows this book. */
export const everywhere = (book: OrderBook): VenueBooks =>
  Object.fromEntries(VENUES.map((venue) => [venue, book]));

/** Exchanges that sell any amount of each asset. */
export type StubPrices = PriceFeed & { ask: string };

export function stubPrices(ask = '5.4500'): StubPrices {
  const stub: StubPrices = {
    ask,
    findBooks: async () => perAsset(() => everywhere(aBook(stub.ask))),
  };
  return stub;
}

/** A Central Bank that has just published its PTAX. */
export type StubPtax = PtaxFeed & { rate: string };

export function stubPtax(now: () => number, rate = '5.4300'): StubPtax {
  const stub: StubPtax = {
    rate,
    findLast: async () => ({ rate: priceOf(stub.rate), publishedAt: now() }),
  };
  return stub;
}

/** A price history whose last price the schedule accepted just now. */
export function stubPriceHistories(now: () => number, price = '5.4200'): PriceHistories {
  const accepted = priceOf(price);
  return {
    findHistory: async (asset) => ({
      asset,
      spans: [{ from: now(), lowest: accepted, highest: accepted }],
      asks: [],
      ptax: { rate: accepted, publishedAt: now(), readAt: now() },
      revision: 1,
    }),
    save: async () => true,
  };
}
