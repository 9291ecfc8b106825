import type { DomainEvent } from '../../domain/partners/events.ts';

/** An event as its partner reads it. `id` is the `webhook-id` of its deliveries; the rest is their body. */
export function eventView({ id, type, at, data }: DomainEvent) {
  return { id, type, timestamp: new Date(at).toISOString(), data };
}
