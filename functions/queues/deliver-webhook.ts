import { afterAttempt, isDue, openDelivery } from '../domain/deliveries.ts';
import { type DomainEvent, webhookBody } from '../domain/events.ts';
import type { WebhookEndpoint } from '../domain/partner.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { queueConsumer } from '../edge/queue.ts';

export const needs = [
  'events',
  'partners:read',
  'deliveries',
  'vault',
  'webhookSender',
  'clock',
  'log',
] as const;
type Ports = Needs<typeof needs>;

/**
 * Sends an event to the partner's endpoints. The delivery's row says what is due, so a message that comes twice
 * sends once, and what fails is sent again by the sweep when its time has come.
 */
export async function deliverWebhook({ eventId }: { eventId: string }, ports: Ports): Promise<void> {
  const event = await ports.events.findEvent(eventId);
  if (!event) return;
  const partner = await ports.partners.findPartner(event.partnerId);
  const endpoints = partner?.webhookEndpoints ?? [];
  // Each to its end before one may fail the message: what was sent must be written down.
  const ends = await Promise.allSettled(endpoints.map((endpoint) => deliver(event, endpoint, ports)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  await ports.events.markTaken(eventId);
}

async function deliver(event: DomainEvent, endpoint: WebhookEndpoint, ports: Ports): Promise<void> {
  const found = await ports.deliveries.findDelivery(event.id, endpoint.id);
  const delivery = found ?? openDelivery(event.id, endpoint.id);
  if (!isDue(delivery, ports.clock.now())) return;
  const secret = await ports.vault.decrypt(endpoint.secretCipher, event.partnerId);
  const message = { id: event.id, body: webhookBody(event) };
  const statusCode = await ports.webhookSender.post(endpoint.url, secret, message);
  const next = afterAttempt(delivery, statusCode, instantOf(ports.clock));
  await ports.deliveries.save(next);
  ports.log.info('webhook attempted', {
    eventId: event.id,
    endpointId: endpoint.id,
    statusCode: statusCode ?? 0,
    attempts: next.attempts,
    status: next.status,
  });
}

export const handler = queueConsumer({ needs }, deliverWebhook);
