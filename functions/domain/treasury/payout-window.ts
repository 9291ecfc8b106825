/**
 * Limits how many units of one asset may get nonces within any 60 minutes. A wrong price or a thief could empty the
 * hot wallets. A cancelled payout counts, too. The hour is real time, also in a sandbox with short minutes.
 */
import { type Asset, requireAssetUnits } from '../assets.ts';
import type { FloatLimits } from './liquidity.ts';

const SLICE_MS = 5 * 60_000;
/**
 * The number of five-minute slices that are summed: the current one, and the twelve before it. A payout is
 * therefore in the sum for 60 to 65 minutes.
 */
const SLICES = 13;

/**
 * An operator's permission to pay more. It raises the hour's ceiling by `units`, for as long as a payout in
 * `slice` is in the sum.
 */
export type Allowance = { units: bigint; slice: number; by: string; at: number; reason: string };
/**
 * The payouts of the last hour. `slice` is the number of the current slice since 1970. `units` has the sum of each
 * slice, the current one first. Each write raises `revision`, which is 0 before the first.
 */
export type PayoutWindow = {
  slice: number;
  units: readonly bigint[];
  allowance?: Allowance;
  revision: number;
};

export const NO_PAYOUTS: PayoutWindow = { slice: 0, units: [], revision: 0 };

/**
 * Moves the window forward to `now`. If the clock is behind the row, the row's slice stays the current one, so that no
 * payout is forgotten too early.
 */
export function windowAt(window: PayoutWindow, now: number): PayoutWindow {
  const { revision, allowance } = window;
  const slice = Math.max(window.slice, Math.floor(now / SLICE_MS));
  const passed = slice - window.slice;
  const units = Array.from({ length: SLICES }, (_, age) => window.units[age - passed] ?? 0n);
  const isAllowed = allowance !== undefined && slice - allowance.slice < SLICES;
  return { slice, units, ...(isAllowed && { allowance }), revision };
}

/**
 * Adds a payout to the current slice. An earlier try of the same purchase may have been added to the slice
 * `countedIn`. Its units move to the current slice, so that the purchase is summed once.
 */
export function withPayout(
  window: PayoutWindow,
  { units, countedIn }: { units: bigint; countedIn?: number },
): PayoutWindow {
  const age = countedIn === undefined ? undefined : window.slice - countedIn;
  const others = window.units.map((each, at) => (at === age ? each - units : each));
  return { ...window, units: others.map((each, at) => (at === 0 ? each + units : each)) };
}

export const paidIn = ({ units }: PayoutWindow): bigint => units.reduce((sum, each) => sum + each, 0n);

/**
 * The most units that may get a nonce within an hour: the limit of the deployment, and an operator's
 * allowance.
 */
export function ceilingOf(
  asset: Asset,
  { hourlyPayout }: Pick<FloatLimits, 'hourlyPayout'>,
  { allowance }: PayoutWindow,
): bigint {
  return requireAssetUnits(asset, hourlyPayout) + (allowance?.units ?? 0n);
}
