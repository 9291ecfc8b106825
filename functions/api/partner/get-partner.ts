import * as z from 'zod';
import type { ApiKey } from '../../domain/partners/partner.ts';
import type { WebhookEndpoint } from '../../domain/partners/webhook-endpoint.ts';
import type { Needs } from '../../domain/ports.ts';
import { Instant, named } from '../../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../../entry/endpoint.ts';
import { routeOf } from '../../routes.ts';

const Endpoint = named('WebhookEndpoint', () =>
  z.object({
    id: z.string(),
    url: z.url(),
    createdAt: Instant(),
    formerSecretUntil: Instant().optional(),
  }),
);
const Key = named('ApiKey', () =>
  z.object({ id: z.string(), status: z.enum(['ACTIVE', 'REVOKED']), createdAt: Instant() }),
);
const Answer = named('Partner', () =>
  z.object({
    id: z.string(),
    name: z.string(),
    status: z.enum(['ACTIVE', 'SUSPENDED']),
    spreadBasisPoints: z.int(),
    keys: z.array(Key()),
    webhookEndpoints: z.array(Endpoint()),
  }),
);

export const needs = GET_NEEDS;

/** The calling partner's row without secrets: docs/decisions.md, "Endpoints under /laas/partner/". */
export async function getPartner(_: unknown, { partner }: Caller, { partners, clock }: Needs<typeof needs>) {
  const { id, name, status, spreadBasisPoints, webhookEndpoints } = partner;
  const keys = await partners.listKeys(partner);
  const now = clock.now();
  return {
    id,
    name,
    status,
    spreadBasisPoints,
    keys: keys.map(keyAnswer),
    webhookEndpoints: webhookEndpoints.map((each) => endpointAnswer(each, now)),
  };
}

const instant = (at: number) => new Date(at).toISOString();

const keyAnswer = ({ keyId, status, createdAt }: ApiKey) => ({
  id: keyId,
  status,
  createdAt: instant(createdAt),
});

const endpointAnswer = ({ id, url, createdAt, formerSecret }: WebhookEndpoint, now: number) => ({
  id,
  url,
  createdAt: instant(createdAt),
  ...(formerSecret && now < formerSecret.until && { formerSecretUntil: instant(formerSecret.until) }),
});

export const handler = endpoint(
  routeOf('GetPartner'),
  { request: z.object({}), answer: Answer, errors: [], needs },
  getPartner,
);
