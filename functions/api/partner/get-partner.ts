import * as z from 'zod';
import { makerIn } from '../../domain/partners/made-key.ts';
import type { Needs } from '../../domain/ports.ts';
import { namedSchema } from '../../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../../entry/endpoint.ts';
import { EndpointAnswer, KeyAnswer } from '../../entry/partner-answers.ts';
import { endpointView, keyView } from '../../logic/partners/views.ts';
import { routeOf } from '../../routes.ts';

const Answer = namedSchema('Partner', () =>
  z.object({
    id: z.string(),
    name: z.string(),
    status: z.enum(['ACTIVE', 'SUSPENDED']),
    spreadBasisPoints: z.int(),
    keys: z.array(KeyAnswer()),
    webhookEndpoints: z.array(EndpointAnswer()),
  }),
);

export const needs = GET_NEEDS;

/** Answers the calling partner's own data, without secrets: docs/decisions.md, "Accounts of partners". */
export async function showPartner(_: unknown, { partner }: Caller, { partners, clock }: Needs<typeof needs>) {
  const { id, name, status, spreadBasisPoints, webhookEndpoints } = partner;
  const keys = await partners.listKeys(partner);
  const now = clock.now();
  return {
    id,
    name,
    status,
    spreadBasisPoints,
    keys: keys.map((key) => keyView(key, { maker: makerIn(keys, key), now })),
    webhookEndpoints: webhookEndpoints.map((each) => endpointView(each, now)),
  };
}

export const handler = endpoint(
  routeOf('GetPartner'),
  { request: z.object({}), answer: Answer, errors: [], needs },
  showPartner,
);
