import type { Caps } from '../../functions/domain/partners/caps.ts';
import { type ChargeLimits, limitsFrom } from '../../functions/domain/purchase/charge-limits.ts';

/** The default limits, with these caps for each tier. Each call makes objects of its own, which a test may change. */
export const limitsWith = (caps: Partial<Caps> = {}): ChargeLimits =>
  limitsFrom({ tiers: { STANDARD: caps, HIGH: caps, PEP: caps } });
