import type { RateCounts, RateScope } from './rate-limit.ts';

export type RateLimiter = {
  /** Counts one request in all `scopes`, or in none if one of them is full. Exact under concurrency. */
  count(
    keyId: string,
    minute: number,
    scopes: RateScope[],
  ): Promise<{ isAllowed: boolean; counts: RateCounts }>;
};
