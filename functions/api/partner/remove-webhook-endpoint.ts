import * as z from 'zod';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { removeEndpoint } from '../../logic/partners/webhook-endpoints.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ endpointId: z.string().max(64) });

const Answer = () => z.object({ id: z.string() });

export const needs = [...POST_NEEDS, 'partners'] as const;

/**
 * Removes a webhook endpoint. At their next attempt its open deliveries are parked, which means that they are
 * not tried any more.
 */
export async function removeWebhookEndpoint(
  { endpointId }: z.output<typeof Request>,
  { partner }: Caller,
  ports: Needs<typeof needs>,
) {
  await removeEndpoint(partner, endpointId, ports);
  return { id: endpointId };
}

export const handler = endpoint(
  routeOf('RemoveWebhookEndpoint'),
  { request: Request, answer: Answer, errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'], needs },
  removeWebhookEndpoint,
);
