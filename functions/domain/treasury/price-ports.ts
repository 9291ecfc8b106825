import type { Asset } from '../assets.ts';
import type { OrderBooks, PriceHistory } from './price.ts';
import type { Ptax } from './ptax.ts';

/** The current order book of each asset at each exchange that answers. It never fails as `Unavailable`. */
export type PriceFeed = { findBooks(): Promise<OrderBooks> };

export type PtaxFeed = {
  /** The last one that the Central Bank published. Unavailable if there was none in the last days. */
  findLast(): Promise<Ptax>;
};

export type PriceHistories = {
  /** Read consistently. Before the first reading the history is empty. */
  findHistory(asset: Asset): Promise<PriceHistory>;
  /** False: the history was saved or reset since it was read. */
  save(history: PriceHistory): Promise<boolean>;
};
