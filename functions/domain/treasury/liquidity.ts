/**
 * Whether the treasury can surely pay one purchase more: docs/decisions.md, "A treasury that runs low".
 * Units are base units of the asset, gas is in wei.
 */

import { type Asset, type PerAsset, requireAssetUnits } from '../assets.ts';
import { refuse } from '../errors.ts';
import { unitsOf } from '../money.ts';
import { STATUSES } from '../purchase/status.ts';
import type { Transaction } from '../purchase/transaction.ts';

/** What one hot wallet has. */
export type Wallet = { gasWei: bigint; units: PerAsset<bigint> };
/** What the hot wallets have at a block: of `wallets` those that pay, of `addresses` all that are ours. */
export type Holdings = { block: number; wallets: readonly Wallet[]; addresses: readonly string[] };

/**
 * What a stage keeps back of one asset. Decimal strings: `reserve` and `largestPurchase` in tokens, `minimumGas` in the chain's
 * own coin. A wallet with less gas pays nothing, and no purchase is of more than `largestPurchase`.
 */
export type FloatLimits = { reserve: string; minimumGas: string; largestPurchase: string };

/** One asset as the last reading left it, less what charges have reserved since. */
export type Float = {
  asset: Asset;
  room: bigint;
  /** The most that one purchase may be of, for it is paid from one wallet. */
  largest: bigint;
  /** When the reading that `room` rests on began. */
  readAt: number;
  block: number;
  /** No wallet has gas. */
  isGasLow: boolean;
  /** The addresses of every hot wallet that a reading ever found, removed ones included: nobody's destination. */
  hotWallets: readonly string[];
  /** Since when operators know that purchases are refused, or soon will be, for lack of tokens or gas. */
  lowSince?: number;
  paused?: Pause;
};
export type Pause = { by: string; reason: string; at: number };

/** What one reading found. */
export type Reading = Pick<
  Float,
  'asset' | 'room' | 'largest' | 'readAt' | 'block' | 'isGasLow' | 'hotWallets'
>;

/** Units that are off the room for a purchase whose charge is being issued. */
export type Reserved = { id: string; units: bigint };
/** The books of an asset before the `readings`-th reading. */
export type Book = { room: bigint; readings: number; reserved: readonly Reserved[] };

/** Real time, also where a sandbox hurries: an outage of nodes lasts as long as it lasts. */
export const STALE_AFTER_MS = 5 * 60_000;
/** The schedule's interval, after which there may be room again. */
const RETRY_AFTER_SECONDS = 60;
const GAS_DECIMALS = 18;

type Purchase = Pick<Transaction, 'id' | 'asset' | 'status' | 'quote'>;

/**
 * The units that purchases may still want of an asset, each purchase once: by its own row as soon as it is charged, by
 * its reservation until then. `over` are the reservations that nobody needs any more.
 */
export function promisesOf(asset: Asset, purchases: readonly Purchase[], reserved: readonly Reserved[]) {
  const charged = purchases.filter(
    (each) => each.asset === asset && STATUSES[each.status].tokens === 'PROMISED',
  );
  const waiting = new Set(
    purchases.filter(({ status }) => STATUSES[status].tokens === 'RESERVED').map(({ id }) => id),
  );
  const held = reserved.filter(({ id }) => waiting.has(id));
  const units = [...charged.map(({ quote }) => quote.assetUnits), ...held.map((each) => each.units)];
  return {
    promised: units.reduce((sum, each) => sum + each, 0n),
    over: reserved.filter(({ id }) => !waiting.has(id)).map(({ id }) => id),
  };
}

/** What is left of the holdings for purchases yet to come; negative where too much is promised. */
export function readingOf(
  asset: Asset,
  { holdings, promised, limits }: { holdings: Holdings; promised: bigint; limits: FloatLimits },
  readAt: number,
): Reading {
  const minimumGas = requireWei(limits.minimumGas);
  const paying = holdings.wallets.filter(({ gasWei }) => gasWei >= minimumGas);
  const held = paying.map(({ units }) => units[asset]);
  const largest = least(held.reduce(most, 0n), requireAssetUnits(asset, limits.largestPurchase));
  const room = payableOf(held, largest) - promised - requireAssetUnits(asset, limits.reserve);
  const { block, addresses: hotWallets } = holdings;
  return { asset, room, largest, readAt, block, isGasLow: paying.length === 0, hotWallets };
}

/**
 * How much purchases of at most `largest` each may be of together, so that each finds a wallet that can pay it,
 * whatever the order: while one is not payable every wallet holds less than `largest`. For one wallet all that it holds.
 */
function payableOf(held: readonly bigint[], largest: bigint): bigint {
  return held.reduce((sum, units) => sum + most(units - largest, 0n), largest);
}

/** Nothing was read for so long that nobody knows what the wallet holds. */
export function isStale({ readAt }: Pick<Float, 'readAt'>, now: number): boolean {
  return now - readAt > STALE_AFTER_MS;
}

/**
 * Low is what a person must act on: the largest purchase would be refused. Charges never bring the room to nothing, for what
 * is left is too little for the next one. Once low, twice as much is enough, or it would be told with each charge that is
 * not paid. A pause is a person's act already.
 */
export function isLow(
  { asset, room, isGasLow, lowSince }: Pick<Float, 'asset' | 'room' | 'isGasLow' | 'lowSince'>,
  { largestPurchase }: Pick<FloatLimits, 'largestPurchase'>,
): boolean {
  const enough = requireAssetUnits(asset, largestPurchase);
  return isGasLow || room < (lowSince === undefined ? enough : 2n * enough);
}

/** Whether `units` more than what is promised can be paid. What nobody has read yet pays nothing, nor to whom nobody knows. */
export function hasRoom(float: Float | undefined, units: bigint, now: number): boolean {
  if (!float || float.paused || float.isGasLow || isStale(float, now)) return false;
  if (float.hotWallets.length === 0) return false;
  return float.room >= units && float.largest >= units;
}

/** The one place that refuses for want of tokens, gas, or knowledge of them. */
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
