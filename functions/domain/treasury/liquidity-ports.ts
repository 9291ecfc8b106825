import type { Asset } from '../assets.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Book, Float, Holdings, Reading, Reserved } from './liquidity.ts';

/** The rows of the floats table, one per asset. */
export type Floats = {
  /** Read consistently. */
  findFloat(asset: Asset): Promise<Float | undefined>;
  /** The state before a reading. Before the first reading, nothing is reserved. */
  findBook(asset: Asset): Promise<Book>;
  /**
   * Replaces the last reading. Reservations made since `book` was read stay deducted. Wallets that were ever found stay
   * listed. False: another reading was saved since.
   */
  save(reading: Reading, book: Book): Promise<boolean>;
  /** Removes reservations of purchases that are charged, or that ended. */
  forget(asset: Asset, ids: readonly string[]): Promise<void>;
  /** Notes since when the float is low, or that it is not low any more. False: a concurrent call has done so. */
  noteLow(asset: Asset, lowSince: number | undefined): Promise<boolean>;
};

export type Liquidity = {
  /**
   * Reserves units for a purchase until a reading finds that it is charged or ended. A second call for the same
   * purchase reserves only the difference. False: there is no room, and nothing was reserved.
   */
  reserve(asset: Asset, reserved: Reserved, now: number): Promise<boolean>;
};

export type OpenPurchases = {
  /** Every purchase that may still need tokens. The index may be some seconds behind; the rows are not. */
  listOpen(until: number): Promise<Transaction[]>;
  /** The purchases of `ids` that exist. */
  listByIds(ids: readonly string[]): Promise<Transaction[]>;
};

export type HotWallets = {
  /**
   * For each wallet the lowest balance that any node shows: a node that lags may show tokens that are already spent.
   */
  readHoldings(): Promise<Holdings>;
};
