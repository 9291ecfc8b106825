import * as z from 'zod';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { ENDPOINT_FIELDS, EndpointUrl } from '../../entry/endpoint-fields.ts';
import { EnabledEndpointAnswer } from '../../entry/partner-answers.ts';
import { enabledView, endpointView } from '../../logic/partners/views.ts';
import { editEndpoint, requireAllowedUrl } from '../../logic/partners/webhook-endpoints.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({
  endpointId: z.string().max(64),
  url: EndpointUrl.optional(),
  ...ENDPOINT_FIELDS,
});

export const needs = [...POST_NEEDS, 'partners', 'webhookSender'] as const;

/** Changes the given fields of an endpoint. The other fields and the secret stay. */
export async function editWebhookEndpoint(
  { endpointId, ...edit }: z.output<typeof Request>,
  { partner }: Caller,
  ports: Needs<typeof needs>,
) {
  if (edit.url !== undefined) requireAllowedUrl(edit.url, ports);
  const edited = await editEndpoint(partner, { ...edit, id: endpointId }, ports);
  return (edit.enabled ? enabledView : endpointView)(edited, ports.clock.now());
}

export const handler = endpoint(
  routeOf('EditWebhookEndpoint'),
  { request: Request, answer: EnabledEndpointAnswer, errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'], needs },
  editWebhookEndpoint,
);
