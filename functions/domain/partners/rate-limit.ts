/**
 * The most requests of one key in a minute: spec, "Limits". The limit `all` counts every request. Each other
 * limit counts only the requests to its endpoint. `report` is our own limit, because a report reads thousands
 * of rows.
 */
import { MINUTE_MS } from '../time.ts';

export const RATE_LIMITS = { all: 100, kyc: 20, initiate: 50, report: 6 } as const;
export type RateScope = keyof typeof RATE_LIMITS;

/** The requests of this minute for each scope. This request is included. */
export type RateCounts = Partial<Record<RateScope, number>>;
export type RateAnswer = { limit: number; remaining: number; resetSeconds: number };

/** The number of full minutes since 1970. A new count of requests begins with each minute of the clock. */
export const minuteOf = (now: number): number => Math.floor(now / MINUTE_MS);

/** The scopes in which a request is counted. */
export function countedScopes(scope: RateScope): RateScope[] {
  return scope === 'all' ? ['all'] : ['all', scope];
}

/** Whether a key has used less than half of each limit of the endpoint, so that its request will hardly be refused. */
export const hasPlentyLeft = (counts: RateCounts, scope: RateScope): boolean =>
  countedScopes(scope).every((each) => (counts[each] ?? 0) < RATE_LIMITS[each] / 2);

/**
 * The values of the answer's rate-limit headers. They are about the scope with the fewest requests left.
 * `resetSeconds` is the time until the next minute.
 */
export function rateAnswer(counts: RateCounts, scope: RateScope, now: number): RateAnswer {
  const resetSeconds = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
  const answers = countedScopes(scope).map((each) => ({
    limit: RATE_LIMITS[each],
    remaining: Math.max(0, RATE_LIMITS[each] - (counts[each] ?? 0)),
    resetSeconds,
  }));
  return answers.reduce((least, each) => (each.remaining < least.remaining ? each : least));
}
