import type { Asset, PerAsset } from '../assets.ts';
import type { PayerDoubt } from '../purchase/payer-watch.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Basis, Float, FloatReading, Holdings, Reserved } from './liquidity.ts';
import type { Shortfall } from './refund-cover.ts';

/**
 * The float of an asset: how much of it may still be sold. Each asset has one row of constant size, and a row for each
 * reservation.
 */
export type Floats = {
  /** Reads the asset's float with a consistent read. */
  findFloat(asset: Asset): Promise<Float | undefined>;
  /**
   * The `revision` of the asset's row. A reading of the treasury asks for it first, so that `save` can notice
   * a later change of the row.
   */
  findRevision(asset: Asset): Promise<number>;
  /**
   * Lists the reservations that are deducted from the room now. A released one is never listed. A new one may
   * be missing for some seconds, because DynamoDB updates the index of reservations late.
   */
  listReserved(): Promise<PerAsset<Reserved[]>>;
  /**
   * Replaces the last reading of the treasury. Reservations stay deducted, except those in `basis.over`. The
   * reading's `hotWallets` are added to the row's, and none is ever removed there. Answers false if another
   * reading was saved or a reservation was released since `basis.revision` was read.
   */
  save(reading: FloatReading, basis: Basis): Promise<boolean>;
  /**
   * Releases the reservations in `over`, which the saved reading does not need any more. A reservation that
   * has grown since it was read stays. If this call breaks off, the next reading releases the rest.
   */
  release(asset: Asset, over: readonly Reserved[], now: number): Promise<void>;
  /**
   * Notes since when the float is low. Undefined notes that the float is not low any more. Answers false if
   * the row says so already.
   */
  noteLow(asset: Asset, lowSince: number | undefined): Promise<boolean>;
};

export type Liquidity = {
  /**
   * Reserves units for a purchase until a reading of the treasury finds the purchase charged or ended. A
   * second call for the same purchase reserves only the difference, and never reduces the reservation.
   * Answers false if nothing more was reserved. An earlier reservation of the purchase then remains. The
   * reasons are those of `hasRoom`, or that another call has changed the reservation. `Unavailable`: too many
   * purchases reserve at once, or the answer of the table was lost.
   */
  reserve(asset: Asset, reserved: Reserved, now: number): Promise<boolean>;
};

export type RefundCover = {
  /** Pauses new charges of the asset because our Pix account cannot pay all refunds. Undefined ends this pause. */
  note(asset: Asset, shortfall: Shortfall | undefined): Promise<void>;
};

export type PayerWatch = {
  /**
   * Pauses new charges of the asset because another person might pay as the client. Undefined ends this
   * pause. Both also end the wait that `noteUnknown` has noted.
   */
  noteDoubt(asset: Asset, doubt: PayerDoubt | undefined): Promise<void>;
  /** Notes that the provider's setting could not be read. Answers since when it could not be read. */
  noteUnknown(asset: Asset, now: number): Promise<number>;
};

export type OpenPurchases = {
  /**
   * Lists the purchases whose `nextCheckAt` is `until` or earlier. DynamoDB updates the index of these rows
   * late, so a new purchase may be missing for some seconds. The rows themselves are read consistently.
   */
  listOpen(until: number): Promise<Transaction[]>;
  /** The purchases of `ids` that exist. */
  listByIds(ids: readonly string[]): Promise<Transaction[]>;
};

export type HotWallets = {
  /**
   * Reads for each wallet the lowest balance that any answering node shows, because a node that lags may
   * still show tokens that are already spent. `Unavailable`: no node answers, or no wallet's KMS key answers.
   */
  readHoldings(): Promise<Holdings>;
};
