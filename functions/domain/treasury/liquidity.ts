/**
 * Decides whether the treasury can certainly pay one more purchase: docs/decisions.md, "Quotes and open promises".
 * Units are base units of the asset, gas is in wei.
 */

import { type Asset, type PerAsset, requireAssetUnits } from '../assets.ts';
import { refuse } from '../errors.ts';
import { GAS_DECIMALS, largerOf, smallerOf, unitsOf } from '../money.ts';
import type { PayerDoubt } from '../purchase/payer-watch.ts';
import { STATUSES } from '../purchase/status.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Shortfall } from './refund-cover.ts';

/** The balances of one hot wallet. */
export type WalletUnits = { gasWei: bigint; units: PerAsset<bigint> };
/**
 * The balances of our wallets. If nodes differ, the lowest balance is taken. Each node is read at its own
 * latest block, and `block` is the lowest of these blocks. `wallets` leaves out wallets in quarantine and
 * wallets that another party uses, but includes wallets without gas. `addresses` has every wallet whose key
 * answers.
 */
export type Holdings = { block: number; wallets: readonly WalletUnits[]; addresses: readonly string[] };

/**
 * The limits of one asset on a stage, as decimal strings.
 *
 * - `reserve`: tokens that are never sold.
 * - `minimumGas`: a wallet with less gas, in the chain's own coin, pays nothing.
 * - `largestPurchase`: a larger purchase is refused. Nothing checks that it is worth more than 50,000 BRL, the largest
 *   amount of the specification.
 * - `hourlyPayout`: the most tokens that may get a nonce within an hour.
 * - `walletCeiling`: a wallet with more tokens raises an alarm.
 */
export type FloatLimits = {
  reserve: string;
  minimumGas: string;
  largestPurchase: string;
  hourlyPayout: string;
  walletCeiling: string;
};

/** The last reading of one asset. `room` is how much may still be sold. Reservations are already deducted from it. */
export type Float = {
  asset: Asset;
  room: bigint;
  /**
   * The largest balance of a wallet that has `minimumGas`, but at most `largestPurchase`. Units promised to other
   * purchases are not deducted here, but from `room`.
   */
  largest: bigint;
  /** The setting `hourlyPayout` of the deployment that made the reading. Operators have no other way to see it. */
  hourlyPayout: bigint;
  /** When the last reading began. */
  readAt: number;
  block: number;
  /** True if no wallet that may pay has `minimumGas`. */
  isGasLow: boolean;
  /**
   * The addresses of all hot wallets that any reading has ever found, also of removed ones. No client may
   * name one of them as the destination.
   */
  hotWallets: readonly string[];
  /** Since when the float is too low to sell the largest purchase. Absent if it is not low. */
  lowSince?: number;
  paused?: Pause;
  /**
   * Present while our account at the Pix provider does not cover the open refunds. New charges then pause.
   */
  shortfall?: Shortfall;
  /** Present while a stranger's payment might pass as the client's. New charges then pause. */
  unproven?: PayerDoubt;
};
export type Pause = { by: string; reason: string; at: number };

/**
 * The result of one reading of the treasury. `free` is the amount that may still be sold. Unlike `room`, it
 * contains the reserved units.
 */
export type FloatReading = Pick<
  Float,
  'asset' | 'largest' | 'hourlyPayout' | 'readAt' | 'block' | 'isGasLow' | 'hotWallets'
> & {
  free: bigint;
};

/** Units that a purchase has reserved. They are deducted from the room while its charge is being issued. */
export type Reserved = { id: string; units: bigint };
/**
 * The state of the asset's row from which a reading was computed. `over` are the reservations that are not
 * needed any more. `revision` is 0 before the first reading. Each saved reading and each release raises it. A
 * reading that began before such a change is dropped.
 */
export type Basis = { revision: number; over: readonly Reserved[] };

/**
 * A reading is stale after this time. A sandbox with short minutes has the same limit, because an outage of
 * nodes is no shorter there.
 */
export const STALE_AFTER_MS = 5 * 60_000;
/**
 * The wait that a refusal tells the partner. It is the interval of the schedule `ReadTreasuryFloat`, whose
 * next reading may find room again.
 */
const RETRY_AFTER_SECONDS = 60;

type Purchase = Pick<Transaction, 'id' | 'asset' | 'status' | 'quote'>;

/**
 * Sums the units of one asset that charged purchases may still need. A purchase without a charge is left out,
 * because its reservation is deducted from the room. `over` lists the reservations whose purchases are
 * charged or ended.
 */
export function promisesOf(asset: Asset, purchases: readonly Purchase[], reserved: readonly Reserved[]) {
  const charged = purchases.filter(
    (each) => each.asset === asset && STATUSES[each.status].tokens === 'PROMISED',
  );
  const waiting = new Set(
    purchases.filter(({ status }) => STATUSES[status].tokens === 'RESERVED').map(({ id }) => id),
  );
  return {
    promised: charged.reduce((sum, { quote }) => sum + quote.assetUnits, 0n),
    over: reserved.filter(({ id }) => !waiting.has(id)),
  };
}

/**
 * Computes a reading. `free` is negative if the wallets cannot pay both what is promised and the `reserve`.
 */
export function readingOf(
  asset: Asset,
  {
    holdings,
    promised,
    limits,
  }: { holdings: Holdings; promised: bigint; limits: Omit<FloatLimits, 'walletCeiling'> },
  readAt: number,
): FloatReading {
  const minimumGas = requireWei(limits.minimumGas);
  const paying = holdings.wallets.filter(({ gasWei }) => gasWei >= minimumGas);
  const held = paying.map(({ units }) => units[asset]);
  const largest = smallerOf(held.reduce(largerOf, 0n), requireAssetUnits(asset, limits.largestPurchase));
  const free = payableOf(held, largest) - promised - requireAssetUnits(asset, limits.reserve);
  const hourlyPayout = requireAssetUnits(asset, limits.hourlyPayout);
  const { block, addresses: hotWallets } = holdings;
  return { asset, free, largest, hourlyPayout, readAt, block, isGasLow: paying.length === 0, hotWallets };
}

/**
 * The sum that the wallets can certainly pay, in any order, as purchases of at most `largest`. Each payout
 * comes from one wallet, so a rest of less than `largest` in a wallet may be useless. Such a rest is
 * therefore deducted for every wallet but one.
 */
function payableOf(held: readonly bigint[], largest: bigint): bigint {
  return held.reduce((sum, units) => sum + largerOf(units - largest, 0n), largest);
}

/**
 * Counts the wallets that hold more than `walletCeiling`. A stolen key of one of them would cost more than
 * this limit allows.
 */
export function countOverfull(
  asset: Asset,
  { wallets }: Pick<Holdings, 'wallets'>,
  { walletCeiling }: Pick<FloatLimits, 'walletCeiling'>,
): number {
  const most = requireAssetUnits(asset, walletCeiling);
  return wallets.filter(({ units }) => units[asset] > most).length;
}

/** Whether the last reading is too old to trust its balances. */
export function isStale({ readAt }: Pick<Float, 'readAt'>, now: number): boolean {
  return now - readAt > STALE_AFTER_MS;
}

/**
 * Whether a person must send tokens or gas. A float is low if no wallet has gas, or if `room` is less than
 * `largestPurchase`. It may still sell smaller purchases. A low float stays low until `room` is twice
 * `largestPurchase`. Otherwise each expired charge could end the alarm, and the next charge raise it again. A
 * pause by an operator raises no alarm.
 */
export function isLow(
  { asset, room, isGasLow, lowSince }: Pick<Float, 'asset' | 'room' | 'isGasLow' | 'lowSince'>,
  { largestPurchase }: Pick<FloatLimits, 'largestPurchase'>,
): boolean {
  const enough = requireAssetUnits(asset, largestPurchase);
  return isGasLow || room < (lowSince === undefined ? enough : 2n * enough);
}

/**
 * Whether the treasury can pay one more purchase of `units` from one wallet. It sells nothing during a
 * pause, with low gas, with uncovered refunds, with an unproven payer, without a fresh reading, or without
 * a known wallet.
 */
export function hasRoom(float: Float | undefined, units: bigint, now: number): boolean {
  if (!float || float.paused || float.shortfall || float.unproven) return false;
  if (float.isGasLow || isStale(float, now)) return false;
  if (float.hotWallets.length === 0) return false;
  return float.room >= units && float.largest >= units;
}

/**
 * Refuses a purchase that the treasury cannot certainly pay. `isLiquid` is the answer of `hasRoom` or of
 * `Liquidity.reserve`.
 */
export function requireLiquidity(isLiquid: boolean): void {
  if (!isLiquid) refuse('LIQUIDITY_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function requireWei(text: string): bigint {
  const wei = unitsOf(text, GAS_DECIMALS);
  if (wei === undefined) throw new Error(`${text} is no amount of gas`);
  return wei;
}
