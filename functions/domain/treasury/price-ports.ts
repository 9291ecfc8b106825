import type { Asset } from '../assets.ts';
import type { OrderBooks, PriceHistory } from './price.ts';

/** The exchange's books of both assets, as they are now. */
export type PriceFeed = { findBooks(): Promise<OrderBooks> };

export type PriceHistories = {
  /** Read consistently; of an asset that was never read it is empty. */
  findHistory(asset: Asset): Promise<PriceHistory>;
  /** False where another reading was saved since the revision before it. */
  save(history: PriceHistory): Promise<boolean>;
};
