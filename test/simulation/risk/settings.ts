import type { Caps } from '../../../functions/domain/partners/caps.ts';
import { type ChargeLimits, limitsFrom } from '../../../functions/domain/purchase/charge-limits.ts';
import type { PromiseLimits } from '../../../functions/domain/purchase/open-promise.ts';
import { diceOf } from '../dice.ts';

/** The limits of open promises. They are so low that each of them stops some promises. */
export const PROMISE_LIMITS: PromiseLimits = {
  clientBrl: 2_200,
  walletBrl: 2_600,
  partnerBrl: 11_000,
  assetBrl: 13_000,
};

/** The Central Bank's price of a dollar, near the honest price of each world. */
export const PTAX = '5.4300';

/** The caps of each client. The thieves of docs/simulation.md reach them. */
export const CAPS: Caps = {
  purchaseBrl: 2_000,
  dailyBrl: 4_000,
  monthlyBrl: 100_000,
  yearlyBrl: 100_000,
  openCharges: 2,
};

/**
 * The caps of a client and of a person. In each world another cap is the low one for a person at all partners, so that
 * all worlds together prove each cap.
 */
export function chargeLimitsOf(seed: string): ChargeLimits {
  const low = diceOf(seed, 'everywhere').pick([
    ['dailyBrl', 1],
    ['monthlyBrl', 1],
    ['yearlyBrl', 1],
  ] as const);
  const everywhere = { dailyBrl: 100_000, monthlyBrl: 100_000, yearlyBrl: 100_000, [low]: 3_000 };
  return limitsFrom({ tiers: { STANDARD: CAPS }, everywhere });
}
