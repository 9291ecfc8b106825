import * as z from 'zod';
import { requireActive, requireKey, requireOtherKey } from '../../domain/partners/api-key.ts';
import { isPartnerId } from '../../domain/partners/partner.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ keyId: z.string().refine(isPartnerId, 'must be a key’s id') });

const Answer = () => z.object({ id: z.string(), status: z.literal('REVOKED') });

export const needs = [...POST_NEEDS, 'partners'] as const;

/** Revokes another key of the partner, from the next request on: docs/decisions.md, "API keys". */
export async function revokeApiKey(
  { keyId }: z.output<typeof Request>,
  caller: Caller,
  { partners }: Needs<typeof needs>,
) {
  requireKey(await partners.findKey(caller.partner.id, keyId));
  requireOtherKey(keyId, caller.keyId);
  requireActive(await partners.revokeKey(caller.partner.id, keyId, caller.keyId));
  return { id: keyId, status: 'REVOKED' as const };
}

export const handler = endpoint(
  routeOf('RevokeApiKey'),
  { request: Request, answer: Answer, errors: ['API_KEY_NOT_FOUND', 'API_KEY_IN_USE'], needs },
  revokeApiKey,
);
