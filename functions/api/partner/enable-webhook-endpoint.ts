import * as z from 'zod';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { EnabledEndpointAnswer } from '../../entry/partner-answers.ts';
import { enabledView } from '../../logic/partners/views.ts';
import { editEndpoint } from '../../logic/partners/webhook-endpoints.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ endpointId: z.string().max(64) });

export const needs = [...POST_NEEDS, 'partners'] as const;

/**
 * Enables an endpoint that was disabled or paused. From now on it gets new events. The answer contains the
 * API calls by which the partner gets the missed events again: docs/decisions.md, "Webhooks".
 */
export async function enableWebhookEndpoint(
  { endpointId }: z.output<typeof Request>,
  { partner }: Caller,
  ports: Needs<typeof needs>,
) {
  const enabled = await editEndpoint(partner, { id: endpointId, enabled: true }, ports);
  return enabledView(enabled, ports.clock.now());
}

export const handler = endpoint(
  routeOf('EnableWebhookEndpoint'),
  { request: Request, answer: EnabledEndpointAnswer, errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'], needs },
  enableWebhookEndpoint,
);
