import * as z from 'zod';
import type { Needs } from '../../domain/ports.ts';
import { WebhookSecret } from '../../entry/answer-parts.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { ENDPOINT_FIELDS, EndpointUrl } from '../../entry/endpoint-fields.ts';
import { endpointFields } from '../../entry/partner-answers.ts';
import { endpointView } from '../../logic/partners/views.ts';
import { addEndpoint, ENDPOINT_NEEDS, requireAllowedUrl } from '../../logic/partners/webhook-endpoints.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ url: EndpointUrl, ...ENDPOINT_FIELDS });

const Answer = () => z.object({ ...endpointFields(), secret: WebhookSecret() });

export const needs = [...POST_NEEDS, ...ENDPOINT_NEEDS, 'webhookSender'] as const;

/**
 * Adds a webhook endpoint. If it is enabled, it gets events from now on. Only this answer shows the endpoint's secret,
 * and only a repetition of this request shows it again: docs/decisions.md, "Accounts of partners".
 */
export async function addWebhookEndpoint(
  asked: z.output<typeof Request>,
  { partner, ids }: Caller,
  ports: Needs<typeof needs>,
) {
  requireAllowedUrl(asked.url, ports);
  const { endpoint: added, secret } = await addEndpoint(partner, { ...asked, id: ids.request() }, ports);
  return { ...endpointView(added, ports.clock.now()), secret };
}

export const handler = endpoint(
  routeOf('AddWebhookEndpoint'),
  { request: Request, answer: Answer, errors: ['WEBHOOK_ENDPOINT_LIMIT'], needs },
  addWebhookEndpoint,
);
