import type { Asset } from '../assets.ts';
import type { OrderBooks, PriceHistory } from './price.ts';

/** The current order book of each asset at the exchange. */
export type PriceFeed = { findBooks(): Promise<OrderBooks> };

export type PriceHistories = {
  /** Read consistently. Before the first reading the history is empty. */
  findHistory(asset: Asset): Promise<PriceHistory>;
  /** False: another reading was saved since this one began. */
  save(history: PriceHistory): Promise<boolean>;
};
