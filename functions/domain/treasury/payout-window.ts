/**
 * Bounds the units of one asset that get a nonce within any 60 minutes: docs/decisions.md, "A ceiling for payouts".
 * Time is real time, also in a hurried sandbox.
 */
import { type Asset, requireAssetUnits } from '../assets.ts';
import type { FloatLimits } from './liquidity.ts';

const SLICE_MS = 5 * 60_000;
/** The current slice, and those of the hour before it: a payout counts for 60 to 65 minutes. */
const SLICES = 13;

/** More units that an operator lets out. They count as long as a payout of their slice. */
export type Allowance = { units: bigint; slice: number; by: string; reason: string };
/**
 * The payouts of the last hour. `units` are the sums of the slices, the current one first. `slice` is the number of
 * the current one since 1970. Each write changes `revision`, which is 0 before the first.
 */
export type PayoutWindow = {
  slice: number;
  units: readonly bigint[];
  allowance?: Allowance;
  revision: number;
};

export const NO_PAYOUTS: PayoutWindow = { slice: 0, units: [], revision: 0 };

/** The window as of now. A clock that is behind the row counts in the row's slice, so that nothing leaves too early. */
export function windowAt(window: PayoutWindow, now: number): PayoutWindow {
  const { revision, allowance } = window;
  const slice = Math.max(window.slice, Math.floor(now / SLICE_MS));
  const passed = slice - window.slice;
  const units = Array.from({ length: SLICES }, (_, age) => window.units[age - passed] ?? 0n);
  const isAllowed = allowance !== undefined && slice - allowance.slice < SLICES;
  return { slice, units, ...(isAllowed && { allowance }), revision };
}

/**
 * Counts a payout in the current slice. A purchase that was counted for an earlier try moves there, so that it counts
 * once.
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

/** The units that may leave within an hour. */
export function ceilingOf(
  asset: Asset,
  { hourlyPayout }: Pick<FloatLimits, 'hourlyPayout'>,
  { allowance }: PayoutWindow,
): bigint {
  return requireAssetUnits(asset, hourlyPayout) + (allowance?.units ?? 0n);
}
