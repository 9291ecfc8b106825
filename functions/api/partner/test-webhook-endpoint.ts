import * as z from 'zod';
import { testEvent } from '../../domain/partners/account-events.ts';
import { requireEndpoint } from '../../domain/partners/webhook-endpoint.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ endpointId: z.string().max(64) });

const Answer = () => z.object({ eventId: z.string() });

export const needs = [...POST_NEEDS, 'announcements'] as const;

/**
 * Sends a signed test event to one endpoint, even if it is disabled or paused. The test is delivered like any
 * other event, so it shows whether other events will arrive: docs/decisions.md, "Accounts of partners".
 */
export async function testWebhookEndpoint(
  { endpointId }: z.output<typeof Request>,
  { partner, ids }: Caller,
  { announcements, clock }: Needs<typeof needs>,
) {
  const { id } = requireEndpoint(partner.webhookEndpoints, endpointId);
  const event = testEvent({ id, partnerId: partner.id }, { request: ids.request(), now: clock.now() });
  await announcements.announce(event);
  return { eventId: event.id };
}

export const handler = endpoint(
  routeOf('TestWebhookEndpoint'),
  { request: Request, answer: Answer, errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'], needs },
  testWebhookEndpoint,
);
