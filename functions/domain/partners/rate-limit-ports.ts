import type { RateCounts, RateScope } from './rate-limit.ts';

export type RateLimiter = {
  /**
   * Counts one request in all `scopes`. If one of them has reached its limit, counts it in none. The count
   * is exact even if requests are concurrent.
   */
  count(
    keyId: string,
    minute: number,
    scopes: RateScope[],
  ): Promise<{ isAllowed: boolean; counts: RateCounts }>;
  /** The counts of the minute, perhaps without its last requests. This call counts no request. */
  findCounts(keyId: string, minute: number): Promise<RateCounts>;
};
