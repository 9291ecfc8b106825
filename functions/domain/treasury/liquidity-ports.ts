import type { Asset } from '../assets.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Book, Float, Holdings, Reading, Reserved } from './liquidity.ts';

/** The rows of the floats table, one per asset. */
export type Floats = {
  /** Read consistently. */
  findFloat(asset: Asset): Promise<Float | undefined>;
  /** What a reading starts from; of an asset that was never read nothing is reserved. */
  findBook(asset: Asset): Promise<Book>;
  /**
   * Puts what was read in the place of the last reading; what was reserved since `book` was read stays off it, and wallets
   * that were ever found stay. False where another reading was saved meanwhile.
   */
  save(reading: Reading, book: Book): Promise<boolean>;
  /** Drops reservations of purchases that are charged, or over. */
  forget(asset: Asset, ids: readonly string[]): Promise<void>;
  /** Notes since when the float is low, or that it no longer is. False where a twin has done so. */
  noteLow(asset: Asset, lowSince: number | undefined): Promise<boolean>;
};

export type Liquidity = {
  /**
   * Reserves units for a purchase until a reading finds it charged, or over; again for the same purchase only what it
   * needs more than before. False: there is no room, and nothing was reserved.
   */
  reserve(asset: Asset, reserved: Reserved, now: number): Promise<boolean>;
};

export type OpenPurchases = {
  /** Every purchase that may still want tokens; the index may be some seconds behind, the rows are not. */
  listOpen(until: number): Promise<Transaction[]>;
  /** Those of `ids` that there are. */
  listByIds(ids: readonly string[]): Promise<Transaction[]>;
};

export type HotWallets = {
  /** Of each the least that any node shows that answers: one that lags must not show what is already spent. */
  readHoldings(): Promise<Holdings>;
};
