import * as z from 'zod';
import { BACKOFF_MINUTES, OPEN_MINUTES } from '../domain/partners/deliveries.ts';
import { requireOwnEvent } from '../domain/partners/events.ts';
import { PAUSE_AFTER_MINUTES } from '../domain/partners/failing.ts';
import type { Needs } from '../domain/ports.ts';
import { type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { DeliveryAnswer, EventId, eventFields, Schedule } from '../entry/event-answers.ts';
import { deliveryView, eventView } from '../logic/partners/event-views.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ eventId: EventId });

const Answer = () =>
  z.object({ ...eventFields(), deliveries: z.array(DeliveryAnswer()), retrySchedule: Schedule() });

export const needs = [...GET_NEEDS, 'events:read', 'deliveries:read'] as const;

/**
 * Answers an event, with the delivery attempts at each endpoint: docs/decisions.md,
 * "Webhooks".
 */
export async function getEvent(
  { eventId }: z.output<typeof Request>,
  { partner }: Caller,
  { events, deliveries }: Needs<typeof needs>,
) {
  const event = requireOwnEvent(await events.findEvent(eventId), partner.id);
  const endpointIds = event.endpointIds ?? [];
  const found = await Promise.all(endpointIds.map((id) => deliveries.findDelivery(eventId, id)));
  return {
    ...eventView(event),
    deliveries: found.flatMap((delivery) => (delivery ? [deliveryView(delivery)] : [])),
    retrySchedule: {
      pausesMinutes: [...BACKOFF_MINUTES],
      endsAfterMinutes: OPEN_MINUTES,
      pausesEndpointAfterMinutes: PAUSE_AFTER_MINUTES,
    },
  };
}

export const handler = endpoint(
  routeOf('GetEvent'),
  { request: Request, answer: Answer, errors: ['EVENT_NOT_FOUND'], needs },
  getEvent,
);
