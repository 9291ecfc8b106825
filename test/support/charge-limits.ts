import type { Caps } from '../../functions/domain/partners/caps.ts';
import { type ChargeLimits, DEFAULT_LIMITS } from '../../functions/domain/purchase/charge-limits.ts';

/** The default limits, with these caps for each tier. Each call makes objects of its own, which a test may change. */
export function limitsWith(caps: Partial<Caps> = {}): ChargeLimits {
  const { tiers, ...others } = structuredClone(DEFAULT_LIMITS);
  const capsOf = (tier: keyof typeof tiers) => ({ ...tiers[tier], ...caps });
  return { ...others, tiers: { STANDARD: capsOf('STANDARD'), HIGH: capsOf('HIGH'), PEP: capsOf('PEP') } };
}
