/**
 * Decides whether the treasury can certainly pay one more purchase: docs/decisions.md, "A treasury that runs low".
 * Units are base units of the asset, gas is in wei.
 */

import { type Asset, type PerAsset, requireAssetUnits } from '../assets.ts';
import { refuse } from '../errors.ts';
import { GAS_DECIMALS, unitsOf } from '../money.ts';
import { STATUSES } from '../purchase/status.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { Shortfall } from './refund-cover.ts';

/** The holdings of one hot wallet. */
export type Wallet = { gasWei: bigint; units: PerAsset<bigint> };
/**
 * The lowest holdings that any answering node shows. Each node is read at its own block, and `block` is the lowest.
 * `wallets` leaves out wallets that are held or used elsewhere; it ignores gas. `addresses` are all wallets of ours
 * whose keys answer.
 */
export type Holdings = { block: number; wallets: readonly Wallet[]; addresses: readonly string[] };

/**
 * The limits of one asset on a stage, as decimal strings. All but `minimumGas` are whole tokens. `reserve` is kept
 * back. A purchase of more than `largestPurchase` finds no room. Within an hour at most `hourlyPayout` get a nonce. A
 * wallet with less than `minimumGas` (the chain's own coin) does not count, and one with more than `walletCeiling` is
 * an alarm.
 */
export type FloatLimits = {
  reserve: string;
  minimumGas: string;
  largestPurchase: string;
  hourlyPayout: string;
  walletCeiling: string;
};

/** The last reading of one asset. `room` is less the reservations. */
export type Float = {
  asset: Asset;
  room: bigint;
  /**
   * The largest balance of a wallet that has `minimumGas`, at most `largestPurchase`. Promised units are deducted
   * only from `room`.
   */
  largest: bigint;
  /** When the last reading began. */
  readAt: number;
  block: number;
  /** No wallet that may pay has `minimumGas`. */
  isGasLow: boolean;
  /** The addresses of every hot wallet that a reading ever found, removed ones too. None may be a destination. */
  hotWallets: readonly string[];
  /** Since when the float is noted as low. Absent: it is not low. */
  lowSince?: number;
  paused?: Pause;
  /** The account at the Pix provider does not cover the open refunds. */
  shortfall?: Shortfall;
};
export type Pause = { by: string; reason: string; at: number };

/** The result of one reading. `free` is what may still be sold if nothing were reserved. */
export type Reading = Pick<Float, 'asset' | 'largest' | 'readAt' | 'block' | 'isGasLow' | 'hotWallets'> & {
  free: bigint;
};

/** Units that are deducted from the room for a purchase whose charge is being issued. */
export type Reserved = { id: string; units: bigint };
/**
 * The start of a reading, and the reservations that it found to be over. `revision` is 0 before the first reading. Each
 * reading and each release changes it.
 */
export type Basis = { revision: number; over: readonly Reserved[] };

/** Real time, also in a hurried sandbox: an outage of nodes is not hurried. */
export const STALE_AFTER_MS = 5 * 60_000;
/** The interval of the schedule `ReadTreasuryFloat`. Its next reading may find room again. */
const RETRY_AFTER_SECONDS = 60;

type Purchase = Pick<Transaction, 'id' | 'asset' | 'status' | 'quote'>;

/**
 * Sums the units of an asset that charged purchases may still need. A purchase counts by its reservation until it is
 * charged, and by its own row from then on. `over` lists the reservations that are not needed any more.
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

/** Computes a reading. `free` is negative if more is promised or kept back than the wallets can pay. */
export function readingOf(
  asset: Asset,
  {
    holdings,
    promised,
    limits,
  }: { holdings: Holdings; promised: bigint; limits: Omit<FloatLimits, 'hourlyPayout' | 'walletCeiling'> },
  readAt: number,
): Reading {
  const minimumGas = requireWei(limits.minimumGas);
  const paying = holdings.wallets.filter(({ gasWei }) => gasWei >= minimumGas);
  const held = paying.map(({ units }) => units[asset]);
  const largest = least(held.reduce(most, 0n), requireAssetUnits(asset, limits.largestPurchase));
  const free = payableOf(held, largest) - promised - requireAssetUnits(asset, limits.reserve);
  const { block, addresses: hotWallets } = holdings;
  return { asset, free, largest, readAt, block, isGasLow: paying.length === 0, hotWallets };
}

/**
 * The sum of purchases, each of at most `largest`, that the wallets can certainly pay in any order. A purchase finds no
 * wallet only if every wallet holds less than `largest`. Therefore one wallet counts in full, and each other one only
 * with what exceeds `largest`.
 */
function payableOf(held: readonly bigint[], largest: bigint): bigint {
  return held.reduce((sum, units) => sum + most(units - largest, 0n), largest);
}

/** Counts the wallets with so much of the asset that a stolen key would lose more than the stage accepts. */
export function countOverfull(
  asset: Asset,
  { wallets }: Pick<Holdings, 'wallets'>,
  { walletCeiling }: Pick<FloatLimits, 'walletCeiling'>,
): number {
  const most = requireAssetUnits(asset, walletCeiling);
  return wallets.filter(({ units }) => units[asset] > most).length;
}

/** Whether the last reading is too old to tell the holdings of the wallets. */
export function isStale({ readAt }: Pick<Float, 'readAt'>, now: number): boolean {
  return now - readAt > STALE_AFTER_MS;
}

/**
 * A float is low if no wallet has gas, or if the largest purchase would be refused. Then a person must act. The room
 * need not be zero, because a rest is often too little for the next purchase. A low float must reach twice the limit
 * to end the alarm. Otherwise each charge that expires could raise it again. A pause raises no alarm, because a
 * person made it.
 */
export function isLow(
  { asset, room, isGasLow, lowSince }: Pick<Float, 'asset' | 'room' | 'isGasLow' | 'lowSince'>,
  { largestPurchase }: Pick<FloatLimits, 'largestPurchase'>,
): boolean {
  const enough = requireAssetUnits(asset, largestPurchase);
  return isGasLow || room < (lowSince === undefined ? enough : 2n * enough);
}

/**
 * Whether one more purchase of `units` can be paid. There is no room during a pause, with low gas, with uncovered
 * refunds, without a fresh reading, or without a known wallet.
 */
export function hasRoom(float: Float | undefined, units: bigint, now: number): boolean {
  if (!float || float.paused || float.shortfall || float.isGasLow || isStale(float, now)) return false;
  if (float.hotWallets.length === 0) return false;
  return float.room >= units && float.largest >= units;
}

/** Refuses a purchase for which there is no room: see `hasRoom`. Only this function refuses for that reason. */
export function requireLiquidity(isLiquid: boolean): void {
  if (!isLiquid) refuse('LIQUIDITY_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const most = (one: bigint, other: bigint) => (one > other ? one : other);

function requireWei(text: string): bigint {
  const wei = unitsOf(text, GAS_DECIMALS);
  if (wei === undefined) throw new Error(`${text} is no amount of gas`);
  return wei;
}
