/**
 * Limits per minute and key: spec, "Limits". `all` counts every request. The others count their endpoint in addition. A
 * report reads thousands of rows, so `report` is ours.
 */
export const RATE_LIMITS = { all: 100, kyc: 20, initiate: 50, report: 6 } as const;
export type RateScope = keyof typeof RATE_LIMITS;

/** Requests in this minute by scope, including this one. */
export type RateCounts = Partial<Record<RateScope, number>>;
export type RateAnswer = { limit: number; remaining: number; resetSeconds: number };

const MINUTE_MS = 60_000;

/** Windows are fixed minutes of the wall clock. `minute` identifies one. */
export const minuteOf = (now: number): number => Math.floor(now / MINUTE_MS);

/** The scopes in which a request to an endpoint of `scope` counts. */
export function scopesOf(scope: RateScope): RateScope[] {
  return scope === 'all' ? ['all'] : ['all', scope];
}

/** The values of the headers: the scope with the fewest requests left, and the seconds until the next minute. */
export function rateAnswer(counts: RateCounts, scope: RateScope, now: number): RateAnswer {
  const resetSeconds = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
  const answers = scopesOf(scope).map((each) => ({
    limit: RATE_LIMITS[each],
    remaining: Math.max(0, RATE_LIMITS[each] - (counts[each] ?? 0)),
    resetSeconds,
  }));
  return answers.reduce((least, each) => (each.remaining < least.remaining ? each : least));
}
