import * as z from 'zod';
import {
  afterAttempt,
  type Delivery,
  held,
  isDue,
  openDelivery,
  type Pace,
  type PendingDelivery,
  paceAfter,
  parked,
  putOff,
  released,
  turnOf,
  withTried,
} from '../domain/partners/deliveries.ts';
import { type DomainEvent, isWholeEvent, webhookBody } from '../domain/partners/events.ts';
import { hasAddressesOf } from '../domain/partners/made-key.ts';
import type { Partner } from '../domain/partners/partner.ts';
import { replayTurnOf } from '../domain/partners/replays.ts';
import {
  mayBeCalled,
  signingCiphers,
  takesEvent,
  type WebhookEndpoint,
} from '../domain/partners/webhook-endpoint.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { queueConsumer } from '../entry/queue.ts';
import { FAILING_NEEDS, noteFailure, noteSuccess } from '../logic/partners/failing-endpoints.ts';

export const needs = [
  ...FAILING_NEEDS,
  'events',
  'keyNews',
  'deliveries',
  'webhookOpener',
  'webhookSender',
  'log',
] as const;
type Ports = Needs<typeof needs>;

export const DeliveryMessage = z.strictObject({ eventId: z.string().min(1) });

/**
 * Sends an event to the partner's webhook endpoints. The row of each delivery says whether it is due, so a
 * repeated message does not send the event again. If the function stops after sending and before writing the
 * row, the event is sent twice. The schedule `QueueDueDeliveries` queues a failed delivery again when it is
 * due.
 */
export async function deliverWebhook(
  { eventId }: z.infer<typeof DeliveryMessage>,
  ports: Ports,
): Promise<void> {
  const event = await ports.events.findEvent(eventId);
  if (!event) return;
  if (!isWholeEvent(event)) throw new Error(`the row of ${eventId} is no event`);
  const partner = await ports.partners.findPartner(event.partnerId);
  const takers = partner?.webhookEndpoints.filter((each) => takesEvent(each, event.type)) ?? [];
  const takerIds = takers.map(({ id }) => id);
  if (!event.endpointIds) raisePause(event, ports);
  const endpointIds = event.endpointIds ?? (await ports.events.assign(eventId, takerIds));
  // All deliveries end before an error fails the message, because each result must be written.
  const ends = await Promise.allSettled(
    endpointIds.map((id) => deliver(event, { endpointId: id, partner }, ports)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  await ports.events.markTaken(eventId);
}

/**
 * Raises an alarm if the event says that an endpoint was paused. Our operators therefore learn of the pause
 * even if the partner has no other endpoint.
 */
function raisePause({ type, partnerId, data }: DomainEvent, { log }: Ports): void {
  if (type !== 'webhook_endpoint.paused') return;
  const fields = { partnerId, endpointId: String(data.endpointId) };
  log.raise('WebhookEndpointPaused', new Error('no success for days'), fields);
}

async function deliver(
  event: DomainEvent,
  { endpointId, partner }: { endpointId: string; partner?: Partner },
  ports: Ports,
): Promise<void> {
  const now = ports.clock.now();
  const found = await ports.deliveries.findDelivery(event.id, endpointId);
  const begun = found ?? openDelivery(event, endpointId);
  const delivery = released(begun, now);
  if (!isDue(delivery, now)) return;
  if (partner?.status === 'SUSPENDED') {
    if (found?.status === 'HELD') return;
    await ports.deliveries.save(held(delivery, now), begun);
    ports.log.info('webhook held', { eventId: event.id, endpointId });
    return;
  }
  const endpoint = partner?.webhookEndpoints.find(({ id }) => id === endpointId);
  const { next, pace } =
    partner && endpoint && mayBeCalled(endpoint, event.type)
      ? await visit({ event, partner, endpoint }, delivery, ports)
      : { next: parked(delivery, ports.clock.now()) };
  // A replay may have started this delivery again during the attempt. A failure must not overwrite the replay. After a
  // success the replay is not needed.
  await ports.deliveries.save(next, next.status === 'DELIVERED' ? undefined : begun);
  // If several deliveries found at the same time that the endpoint is slow, only the first one's `Pace` is
  // saved.
  if (pace && endpoint) await ports.deliveries.savePace(event.partnerId, endpoint.url, pace);
  if (next.status === 'DELIVERED') ports.log.measure('WebhookLag', ports.clock.now() - next.openedAt, {});
  ports.log.info('webhook attempted', {
    eventId: event.id,
    endpointId,
    statusCode: next.lastStatusCode ?? 0,
    attempts: next.attempts,
    status: next.status,
  });
}

type DeliveryTarget = { event: DomainEvent; partner: Partner; endpoint: WebhookEndpoint };
/** The delivery after this visit, and the endpoint's `Pace` if it has changed. */
type Visited = { next: Delivery; pace?: Pace };

/**
 * Calls the endpoint if this delivery may be tried now. A slow endpoint gets only one delivery at a time:
 * docs/decisions.md, "Webhooks".
 */
async function visit(target: DeliveryTarget, delivery: PendingDelivery, ports: Ports): Promise<Visited> {
  const { deliveries, clock } = ports;
  const { partner, endpoint } = target;
  const pace = await deliveries.findPace(partner.id, endpoint.url);
  const turn = (delivery.replayedBy === undefined ? turnOf : replayTurnOf)(pace, clock.now());
  if (turn.kind === 'RESTING') {
    const untried = withTried(delivery, { at: clock.now() });
    return { next: afterAttempt(untried, undefined, instantOf(clock)) };
  }
  if (turn.kind === 'BUSY') return { next: putOff(delivery, instantOf(clock)) };
  const claim = turn.kind === 'ALONE' ? turn.claim : undefined;
  if (claim && !(await deliveries.savePace(partner.id, endpoint.url, claim)))
    return { next: putOff(delivery, instantOf(clock)) };
  const attempted = await attempt(target, turn.timeoutMs, ports);
  const next = afterAttempt(withTried(delivery, attempted), attempted.statusCode, instantOf(clock));
  await noteOutcome(target, next.status === 'DELIVERED', ports);
  return { next, pace: paceAfter(claim ?? pace, attempted, instantOf(clock)) };
}

/**
 * Records whether the endpoint took the event. The delivery's row is written after that. If the function dies between
 * the two writes, the event is sent and recorded again.
 */
async function noteOutcome(target: DeliveryTarget, isTaken: boolean, ports: Ports): Promise<void> {
  const { partner, endpoint } = target;
  const address = { partnerId: partner.id, endpointId: endpoint.id, url: endpoint.url };
  if (isTaken) await Promise.all([noteNews(target, ports), noteSuccess(address, ports)]);
  else if (!endpoint.stopped) await noteFailure(address, ports);
}

/**
 * Records that an endpoint has received the event about a new API key. Records nothing if a webhook URL of
 * the partner was removed or replaced since the key was made. A thief of the account would do that first, so
 * that the partner does not learn of the key.
 */
async function noteNews(
  { event, partner, endpoint }: DeliveryTarget,
  { keyNews, clock }: Ports,
): Promise<void> {
  const { type, partnerId, at, data } = event;
  if (type !== 'api_key.created' || !hasAddressesOf(partner, at)) return;
  await keyNews.hear({ partnerId, keyId: String(data.keyId), endpointId: endpoint.id, at: clock.now() });
}

async function attempt(
  { event, endpoint }: DeliveryTarget,
  timeoutMs: number,
  { webhookOpener, clock, webhookSender }: Ports,
) {
  const ciphers = signingCiphers(endpoint, clock.now());
  const secrets = await Promise.all(ciphers.map((cipher) => webhookOpener.decrypt(cipher, event.partnerId)));
  const startedAt = clock.now();
  const message = { id: event.id, body: webhookBody(event), secrets, timeoutMs };
  const posted = await webhookSender.post(endpoint.url, message);
  return { ...posted, at: startedAt, tookMs: clock.now() - startedAt };
}

export const handler = queueConsumer({ needs, message: DeliveryMessage }, deliverWebhook);
