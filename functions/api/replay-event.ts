import * as z from 'zod';
import { requireOwnEvent } from '../domain/partners/events.ts';
import type { Needs } from '../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { EventId, ReplayEndpointId } from '../entry/event-answers.ts';
import { REPLAY_NEEDS, replayToEndpoints as replay } from '../logic/partners/replays.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ eventId: EventId, endpointId: ReplayEndpointId });

const Answer = () => z.object({ id: z.string(), endpointIds: z.array(z.string()) });

export const needs = [...POST_NEEDS, ...REPLAY_NEEDS, 'events:read', 'webhookQueue'] as const;

/**
 * Sends an event again, with the same id, to the endpoints that take events of its type now. The answer names
 * the endpoints to which a delivery was started: docs/decisions.md, "Webhooks".
 */
export async function replayEvent(
  { eventId, endpointId }: z.output<typeof Request>,
  { partner, ids }: Caller,
  ports: Needs<typeof needs>,
) {
  const event = requireOwnEvent(await ports.events.findEvent(eventId), partner.id);
  const order = { by: ids.request(), endpointId };
  const endpointIds = await replay(event, { partner, order }, ports);
  if (endpointIds.length > 0) await ports.webhookQueue.send({ eventId });
  return { id: eventId, endpointIds };
}

export const handler = endpoint(
  routeOf('ReplayEvent'),
  { request: Request, answer: Answer, errors: ['EVENT_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND'], needs },
  replayEvent,
);
