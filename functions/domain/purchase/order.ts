/** Refuses an order whose amount or asset is not allowed: spec, "Limits". */
import { ASSET_NAMES, type Asset, isAsset } from '../assets.ts';
import { refuse } from '../errors.ts';
import { getDefined } from '../get.ts';
import { AMOUNT_LIMITS_CENTAVOS, brlOf, centavosOf } from '../money.ts';

/**
 * Converts BRL to centavos. Refuses an amount outside of the limits. The endpoint's schema has already
 * checked that it has at most two decimals.
 */
export function requireAmount(amountBrl: number): number {
  return requireInRange(getDefined(centavosOf(amountBrl), 'amount in centavos'));
}

export function requireInRange(centavos: number): number {
  const { minimum, maximum } = AMOUNT_LIMITS_CENTAVOS;
  if (centavos < minimum || centavos > maximum) {
    refuse('AMOUNT_OUT_OF_RANGE', { minimum: brlOf(minimum), maximum: brlOf(maximum) });
  }
  return centavos;
}

export function requireAsset(text: string): Asset {
  if (!isAsset(text)) refuse('UNSUPPORTED_ASSET', { supported: ASSET_NAMES });
  return text;
}
