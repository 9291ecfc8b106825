import * as z from 'zod';
import { refuse } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import { WebhookSecret } from '../../entry/answer-parts.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { ALLOWED_ADDRESS, addEndpoint, ENDPOINT_NEEDS } from '../../logic/partners/webhook-endpoints.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ url: z.string().max(2048) });

const Answer = () => z.object({ id: z.string(), url: z.url(), secret: WebhookSecret() });

export const needs = [...POST_NEEDS, ...ENDPOINT_NEEDS, 'webhookSender'] as const;

/**
 * Adds an address to which the partner's events are posted, from the next event on. The answer shows the secret. Only a
 * repetition of this request shows it again: docs/decisions.md, "Endpoints under /laas/partner/".
 */
export async function addWebhookEndpoint(
  { url }: z.output<typeof Request>,
  { partner, ids }: Caller,
  ports: Needs<typeof needs>,
) {
  if (!ports.webhookSender.isAllowed(url)) {
    refuse('INVALID_REQUEST', { issues: [{ path: 'url', message: `must be ${ALLOWED_ADDRESS}` }] });
  }
  return addEndpoint(partner, { id: ids.request(), url }, ports);
}

export const handler = endpoint(
  routeOf('AddWebhookEndpoint'),
  { request: Request, answer: Answer, errors: ['WEBHOOK_ENDPOINT_LIMIT'], needs },
  addWebhookEndpoint,
);
