import type { Asset } from '../assets.ts';
import type { OrderBooks, PriceHistory } from './price.ts';
import type { Ptax } from './ptax.ts';

/**
 * Reads the current order book of each asset at each exchange. Leaves out an exchange that does not answer, and never
 * throws `Unavailable`.
 */
export type PriceFeed = { findBooks(): Promise<OrderBooks> };

export type PtaxFeed = {
  /** Reads the last PTAX that the Central Bank published. Throws `Unavailable` if the last days had none. */
  findLast(): Promise<Ptax>;
};

export type PriceHistories = {
  /** Reads the history with a consistent read. Before the first reading of the exchanges it is empty. */
  findHistory(asset: Asset): Promise<PriceHistory>;
  /**
   * Saves the history. False if another write has saved or reset it since the caller read it. Nothing is
   * changed then.
   */
  save(history: PriceHistory): Promise<boolean>;
};
