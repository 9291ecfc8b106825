import * as z from 'zod';
import { makerIn } from '../../domain/partners/made-key.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, GET_NEEDS } from '../../entry/endpoint.ts';
import { KeyAnswer } from '../../entry/partner-answers.ts';
import { keyView } from '../../logic/partners/views.ts';
import { routeOf } from '../../routes.ts';

const Answer = () => z.object({ keys: z.array(KeyAnswer()) });

export const needs = GET_NEEDS;

/** Lists the partner's API keys in the order of their creation, without their secrets. */
export async function listApiKeys(_: unknown, { partner }: Caller, { partners, clock }: Needs<typeof needs>) {
  const keys = await partners.listKeys(partner);
  const now = clock.now();
  return { keys: keys.map((key) => keyView(key, { maker: makerIn(keys, key), now })) };
}

export const handler = endpoint(
  routeOf('ListApiKeys'),
  { request: z.object({}), answer: Answer, errors: [], needs },
  listApiKeys,
);
