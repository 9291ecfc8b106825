/** How many paid look-ups of registries a partner may cause in a day: docs/decisions.md, "Limits of a partner". */
import { refuse } from '../errors.ts';
import { endOfDayInBrasilia, isoInstant } from '../time.ts';
import { MOST_MADE_KEYS } from './made-key.ts';
import { RATE_LIMITS } from './rate-limit.ts';

/** The look-ups that are about to be made for a partner, on a day in Brasília. */
export type LookUps = { partnerId: string; day: string; count: number };

export type RegistryQuotas = {
  /**
   * Counts all of the look-ups. If they would exceed the day's `maximum`, it counts none and returns how many the day
   * already has. The count is exact even for parallel requests.
   */
  count(wanted: LookUps, maximum: number): Promise<'COUNTED' | { used: number }>;
  /** How many look-ups of a partner a day has. */
  findUsed(partnerId: string, day: string): Promise<number>;
  /** Takes back counted look-ups that no registry has answered. */
  giveBack(counted: LookUps): Promise<void>;
};

/** A quota that operators changed for one partner. Without `perDay` the default of the stage applies. */
export type ChangedQuota = { perDay?: number };

/** The highest quota of a partner. */
export const MOST_LOOK_UPS = 1_000_000;

/**
 * A KYC submission may use only nine tenths of the quota. The last tenth is for later look-ups that clients
 * wait for: at a PENDING record, or after a face check.
 */
const OWED_SHARE = 10;
export const mostForSubmissions = (perDay: number): number => perDay - Math.floor(perDay / OWED_SHARE);

/**
 * The look-ups that all keys of a partner may cause at the turn of a minute. They may use the limits of both minutes,
 * and each submission may need two look-ups. With more left, no look-up that is counted late exceeds the quota.
 */
const PLENTY = 2 * 2 * RATE_LIMITS.kyc * MOST_MADE_KEYS;

/** Whether no submission of now can be refused, because the day has many look-ups left for submissions. */
export const hasPlentyOfLookUps = (perDay: number, used: number): boolean =>
  mostForSubmissions(perDay) - used >= PLENTY;

/** Refuses the submission. */
export function refuseLookUps(
  { day, maximum, used }: { day: string; maximum: number; used: number },
  now: number,
): never {
  const resetsAt = endOfDayInBrasilia(day);
  refuse('KYC_QUOTA_EXCEEDED', {
    limit: 'REGISTRY_LOOK_UPS',
    maximum,
    remaining: Math.max(0, maximum - used),
    resetsAt: isoInstant(resetsAt),
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now) / 1000)),
  });
}
