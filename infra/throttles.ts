import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import type { RateScope } from '../functions/domain/partners/rate-limit.ts';
import type { Route } from '../functions/routes.ts';

/** Requests of one method: how many a second, and how many at once. */
type Throttle = { ratePerSecond: number; burst: number };

/**
 * The limits of all callers together. API Gateway counts each method of a stage by itself, so a flood of one endpoint
 * leaves the others alone. A partner's own limits are separate: `RATE_LIMITS`. A submission of KYC data costs a call to
 * a paid registry, and an initiate may cost a call to the vendor of wallet risk. A report may read 50,000 rows.
 */
const OF_SCOPES: Record<RateScope, Throttle> = {
  all: { ratePerSecond: 500, burst: 1000 },
  initiate: { ratePerSecond: 100, burst: 200 },
  kyc: { ratePerSecond: 50, burst: 100 },
  report: { ratePerSecond: 5, burst: 10 },
};
/** A provider repeats a refused callback, and reconciliation finds what no callback reported. */
const OF_CALLBACKS: Throttle = { ratePerSecond: 200, burst: 400 };

/** A page of a client costs one read. Guesses of strangers must leave room for clients. */
const OF_LIVENESS: Throttle = { ratePerSecond: 200, burst: 400 };

/** A page of the documents costs no work, and a browser keeps it. */
const OF_PAGES: Throttle = { ratePerSecond: 50, burst: 100 };

const optionOf = ({ ratePerSecond, burst }: Throttle): MethodDeploymentOptions => ({
  throttlingRateLimit: ratePerSecond,
  throttlingBurstLimit: burst,
});

/** The limit of each method without one of its own. */
export const USUAL_THROTTLE = optionOf(OF_SCOPES.all);

/** The limits of the methods of these routes, by the path with the method at its end. */
export function throttlesOf(routes: readonly Route[]): Record<string, MethodDeploymentOptions> {
  const limits = routes.map((route) => [`${route.path}/${route.method}`, optionOf(throttleOf(route))]);
  return Object.fromEntries(limits);
}

function throttleOf({ path, scope }: Route): Throttle {
  if (scope) return OF_SCOPES[scope];
  if (path.startsWith('/liveness/')) return OF_LIVENESS;
  return path.startsWith('/callbacks/') ? OF_CALLBACKS : OF_PAGES;
}
