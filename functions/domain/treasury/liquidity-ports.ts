import type { Asset } from '../assets.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Book, Float, Holdings, Reading, Reserved } from './liquidity.ts';

/** The float of each asset: one row in the floats table. */
export type Floats = {
  /** Read consistently. */
  findFloat(asset: Asset): Promise<Float | undefined>;
  /**
   * The room, the number of readings and the reservations, which the next reading starts from. Before the first
   * reading, nothing is reserved.
   */
  findBook(asset: Asset): Promise<Book>;
  /**
   * Replaces the last reading. Reservations made since `book` was read stay deducted. Wallets that were ever found
   * stay listed. False: a reading was saved since `book` was read.
   */
  save(reading: Reading, book: Book): Promise<boolean>;
  /** Removes the reservations of these purchases. The caller has found that they are charged or ended. */
  forget(asset: Asset, ids: readonly string[]): Promise<void>;
  /** Notes since when the float is low, or that it is not low any more. False: it was noted before. */
  noteLow(asset: Asset, lowSince: number | undefined): Promise<boolean>;
};

export type Liquidity = {
  /**
   * Reserves units for a purchase until a reading finds that it is charged or ended. A second call for the same
   * purchase reserves only the difference, and never less than the first.
   *
   * False: nothing more was reserved, and an earlier reservation remains. The room or each wallet is too small, the
   * asset is paused, or gas is low. The reading may also be stale or missing, or another call changed the
   * reservation.
   */
  reserve(asset: Asset, reserved: Reserved, now: number): Promise<boolean>;
};

export type OpenPurchases = {
  /** The purchases that the sweeper must visit by `until`. The index may be some seconds behind; the rows are not. */
  listOpen(until: number): Promise<Transaction[]>;
  /** The purchases of `ids` that exist. */
  listByIds(ids: readonly string[]): Promise<Transaction[]>;
};

export type HotWallets = {
  /**
   * Reads for each wallet the lowest balance that any answering node shows. A node that lags may show stablecoin that
   * is already spent. `Unavailable`: no node or no key answers.
   */
  readHoldings(): Promise<Holdings>;
};
