import * as z from 'zod';
import { refuseField } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import { GIVEN_SCOPES } from '../../domain/partners/api-key.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { keyFields } from '../../entry/partner-answers.ts';
import { KEY_NEEDS, makeKey } from '../../logic/partners/api-keys.ts';
import { keyView } from '../../logic/partners/views.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({
  scopes: z.array(z.enum(GIVEN_SCOPES)).min(1).max(GIVEN_SCOPES.length),
  expiresInDays: z.int().min(1),
});

const Answer = () => z.object({ ...keyFields(), apiKey: z.string() });

export const needs = [...POST_NEEDS, ...KEY_NEEDS] as const;

/**
 * Makes an API key. It may do no more than the calling key, and ends when that key ends. It works some time after the
 * partner's webhook endpoints have received the event about it: docs/decisions.md, "API keys". Only this
 * answer shows the key.
 */
export async function makeApiKey(
  { scopes, expiresInDays }: z.output<typeof Request>,
  { partner, keyId, ids }: Caller,
  ports: Needs<typeof needs>,
) {
  const { mostDays } = ports.keyLimits;
  if (expiresInDays > mostDays) refuseField('expiresInDays', `must be at most ${mostDays}`);
  const maker = getDefined(keyId, 'key of the request');
  const wanted = { keyId: ids.request().toLowerCase(), scopes, expiresInDays, maker };
  const made = await makeKey(partner, wanted, ports);
  return { ...keyView(made.key, { maker: made.maker, now: ports.clock.now() }), apiKey: made.text };
}

export const handler = endpoint(
  routeOf('MakeApiKey'),
  { request: Request, answer: Answer, errors: ['API_KEY_LIMIT', 'API_KEY_NOT_FOUND'], needs },
  makeApiKey,
);
