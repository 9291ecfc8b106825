/** The checks of the caller before each operation: its API key, the scope of the key, and the rate limit. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { refuse } from '../domain/errors.ts';
import { requireScope } from '../domain/partners/api-key.ts';
import {
  type Partner,
  requireCaller,
  requireKeyParts,
  requireNotSuspended,
} from '../domain/partners/partner.ts';
import {
  countedScopes,
  hasPlentyLeft,
  minuteOf,
  type RateAnswer,
  type RateScope,
  rateAnswer,
} from '../domain/partners/rate-limit.ts';
import type { Needs } from '../domain/ports.ts';
import { keyScopeOf, type PartnerRoute } from '../routes.ts';
import { headerOf } from './header.ts';
import type { ClaimedScope } from './idempotency.ts';

type CallerPorts = Needs<readonly ['clock', 'partners:read', 'rateLimiter']>;

/** The event of API Gateway, with the results of the checks. */
export type HttpEvent = APIGatewayProxyEvent & {
  partner: Partner;
  keyId: string;
  rate?: RateAnswer;
  /**
   * The refusal of a suspended partner or of a key without the route's scope. It is thrown once the request
   * is counted, so that a flood of such requests meets the rate limit of its key.
   */
  refusal?: unknown;
  /** Whether the idempotency key is claimed while the rate limiter is still counting the request. */
  isClaimedEarly?: boolean;
  begun?: { request: unknown; early?: Promise<unknown>; claimed?: Promise<ClaimedScope> };
};

const keyTextOf = (event: HttpEvent) => headerOf(event, 'x-service-api-key') ?? '';

/** The parts of the request's API key. Refuses a malformed key. */
export const keyPartsOf = (event: HttpEvent, stage: string) => requireKeyParts(keyTextOf(event), stage);

type AskedRoute = { partnerId: string; keyId: string; route: PartnerRoute };

/** Finds the partner whose API key the request has, and writes the results of the checks into the event. */
export async function identifyPartner(
  event: HttpEvent,
  { partnerId, keyId, route }: AskedRoute,
  { partners, rateLimiter, clock }: CallerPorts,
): Promise<Partner> {
  const digest = createHash('sha256').update(keyTextOf(event)).digest();
  const isSame = (sha256: string) => timingSafeEqual(Buffer.from(sha256, 'hex'), digest);
  const now = clock.now();
  const [sought, counts] = await Promise.all([
    partners.findCaller(partnerId, keyId),
    route.method === 'GET' ? undefined : rateLimiter.findCounts(`${partnerId}#${keyId}`, minuteOf(now)),
  ]);
  const { key, partner } = requireCaller(sought, isSame, now);
  // The log line of the request names a proven caller, also if the request is refused.
  event.keyId = keyId;
  event.partner = partner;
  event.refusal = thrownBy(() => {
    requireNotSuspended(partner);
    requireScope(key, keyScopeOf(route));
  });
  // If an API key has used half of a rate limit, each request is counted before its idempotency key is
  // claimed. A flood of refused requests then claims no idempotency keys.
  event.isClaimedEarly = !event.refusal && counts !== undefined && hasPlentyLeft(counts, route.scope);
  return partner;
}

function thrownBy(check: () => void): unknown {
  try {
    return void check();
  } catch (error) {
    return error;
  }
}

/** Counts the request, and refuses it beyond the rate limit. */
export async function limitRate(
  event: HttpEvent,
  scope: RateScope,
  { rateLimiter, clock }: Pick<CallerPorts, 'rateLimiter' | 'clock'>,
): Promise<void> {
  const now = clock.now();
  const key = `${event.partner.id}#${event.keyId}`;
  const { isAllowed, counts } = await rateLimiter.count(key, minuteOf(now), countedScopes(scope));
  event.rate = rateAnswer(counts, scope, now);
  if (!isAllowed) refuse('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: event.rate.resetSeconds });
}
