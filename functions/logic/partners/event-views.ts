import type { Delivery, DeliveryAttempt } from '../../domain/partners/deliveries.ts';
import type { DomainEvent } from '../../domain/partners/events.ts';
import { isoInstant } from '../../domain/time.ts';

/**
 * An event as its partner reads it. `id` is also the header `webhook-id` of its deliveries. The other fields
 * are the body of a delivery.
 */
export function eventView({ id, type, at, data }: DomainEvent) {
  return { id, type, timestamp: isoInstant(at), data };
}

/**
 * A delivery in the form for its partner. A parked delivery is shown as `FAILED`, because the service does not try it
 * again on its own.
 */
export function deliveryView({ endpointId, status, nextAttemptAt, tried = [] }: Delivery) {
  return {
    endpointId,
    status: status === 'PARKED' ? ('FAILED' as const) : status,
    attempts: tried.map(attemptView),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: isoInstant(nextAttemptAt) }),
  };
}

function attemptView({ at, tookMs, statusCode, excerpt }: DeliveryAttempt) {
  return { at: isoInstant(at), durationMs: tookMs, statusCode, answer: excerpt };
}
