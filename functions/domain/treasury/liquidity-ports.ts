import type { Asset, PerAsset } from '../assets.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Basis, Float, Holdings, Reading, Reserved } from './liquidity.ts';
import type { Shortfall } from './refund-cover.ts';

/** The float of each asset: one row of constant size, and a row for each reservation. */
export type Floats = {
  /** Read consistently. */
  findFloat(asset: Asset): Promise<Float | undefined>;
  /** `revision` of `Basis`. A reading asks for it before it reads anything else. */
  findRevision(asset: Asset): Promise<number>;
  /**
   * The reservations that are deducted now. A new one may be missing for some seconds, because an index lists them.
   * None that was released is in the list.
   */
  listReserved(): Promise<PerAsset<Reserved[]>>;
  /**
   * Replaces the last reading. All held reservations stay deducted, except those that are over. Wallets that were ever
   * found stay listed. False: another reading was saved, or reservations were released, since `revision` was read.
   */
  save(reading: Reading, basis: Basis): Promise<boolean>;
  /**
   * Releases reservations that a saved reading has left out. One that grew meanwhile stays. If this breaks off, the
   * next reading finds the rest.
   */
  release(asset: Asset, over: readonly Reserved[], now: number): Promise<void>;
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
   * reservation. `Unavailable`: too many others reserve at this moment, or the answer was lost.
   */
  reserve(asset: Asset, reserved: Reserved, now: number): Promise<boolean>;
};

export type RefundCover = {
  /** Pauses new charges of the asset while there is a shortfall. Undefined ends this pause. */
  note(asset: Asset, shortfall: Shortfall | undefined): Promise<void>;
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
