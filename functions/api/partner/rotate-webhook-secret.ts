import * as z from 'zod';
import type { Needs } from '../../domain/ports.ts';
import { isoInstant } from '../../domain/time.ts';
import { Instant, WebhookSecret } from '../../entry/answer-parts.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { ENDPOINT_NEEDS, rotateSecret } from '../../logic/partners/webhook-endpoints.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ endpointId: z.string().max(64) });

const Answer = () => z.object({ id: z.string(), secret: WebhookSecret(), formerSecretUntil: Instant() });

export const needs = [...POST_NEEDS, ...ENDPOINT_NEEDS] as const;

/**
 * Gives an endpoint a new secret. For a day each message is signed with the former secret too, so that no delivery
 * fails.
 */
export async function rotateWebhookSecret(
  { endpointId }: z.output<typeof Request>,
  { partner, ids }: Caller,
  ports: Needs<typeof needs>,
) {
  const wanted = { id: endpointId, by: ids.request() };
  const { formerSecretUntil, ...shown } = await rotateSecret(partner, wanted, ports);
  return { ...shown, formerSecretUntil: isoInstant(formerSecretUntil) };
}

export const handler = endpoint(
  routeOf('RotateWebhookSecret'),
  { request: Request, answer: Answer, errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'], needs },
  rotateWebhookSecret,
);
