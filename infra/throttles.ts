import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import type { RateScope } from '../functions/domain/partners/rate-limit.ts';
import type { Route } from '../functions/routes.ts';

/** The limit of one method: requests each second, and requests at once. */
type Throttle = { ratePerSecond: number; burst: number };

/**
 * The limits for all callers together. API Gateway counts each method by itself, so a flood of requests to one endpoint
 * does not affect the others. `RATE_LIMITS` are the limits of one partner. A KYC submission costs a call to a paid
 * registry. An initiate may cost a call to the vendor that judges wallets. A report may read 50,000 rows.
 */
const OF_SCOPES: Record<RateScope, Throttle> = {
  all: { ratePerSecond: 500, burst: 1000 },
  initiate: { ratePerSecond: 100, burst: 200 },
  kyc: { ratePerSecond: 50, burst: 100 },
  report: { ratePerSecond: 5, burst: 10 },
};
/**
 * The limit of callbacks. If it is reached, nothing is lost: a provider repeats a refused callback, and
 * reconciliation finds what no callback has reported.
 */
const OF_CALLBACKS: Throttle = { ratePerSecond: 200, burst: 400 };

/**
 * The limit of clients' liveness pages. Strangers may guess links, and each guess costs one read. These
 * guesses must leave room for clients.
 */
const OF_LIVENESS: Throttle = { ratePerSecond: 200, burst: 400 };

/** The limit of public pages. They cost little work, and browsers cache them. */
const OF_PAGES: Throttle = { ratePerSecond: 50, burst: 100 };

const optionOf = ({ ratePerSecond, burst }: Throttle): MethodDeploymentOptions => ({
  throttlingRateLimit: ratePerSecond,
  throttlingBurstLimit: burst,
});

const USUAL = OF_SCOPES.all;

/** The limit of a method that has no limit of its own. API Gateway counts each such method by itself, too. */
export const USUAL_THROTTLE = optionOf(USUAL);

/**
 * The limits of those methods of the routes that do not have the usual one. The keys are the path followed by the
 * method. API Gateway refuses a change of a stage with more than some 80 settings, and each method has three.
 */
export function throttlesOf(routes: readonly Route[]): Record<string, MethodDeploymentOptions> {
  const limits = routes.flatMap((route) => {
    const throttle = throttleOf(route);
    return throttle === USUAL ? [] : [[`${route.path}/${route.method}`, optionOf(throttle)]];
  });
  return Object.fromEntries(limits);
}

function throttleOf({ path, scope }: Route): Throttle {
  if (scope) return OF_SCOPES[scope];
  if (path.startsWith('/liveness/')) return OF_LIVENESS;
  return path.startsWith('/callbacks/') ? OF_CALLBACKS : OF_PAGES;
}
