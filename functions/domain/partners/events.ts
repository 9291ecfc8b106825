import { refuse } from '../errors.ts';
import { isoInstant } from '../time.ts';

/**
 * All events, with the fact that each of them tells. Sources: spec, "Events", and docs/decisions.md,
 * "Facts that partners learn". `functions/logic/partners/event-payloads.ts` has the form of each event's `data`.
 */
export const EVENTS = {
  'transaction.mfa_cleared': 'The client has passed the liveness check.',
  'transaction.pix_ready':
    'The Pix payload can be shown, after a liveness check. After a code the answer of `/mfa` has it.',
  'transaction.processing': 'The Pix was received.',
  'transaction.completed': 'The transfer to the client’s wallet is confirmed.',
  'transaction.failed': 'It was paid, and no transfer follows. The money goes back.',
  'transaction.expired': 'The client did not answer or did not pay in time.',
  'transaction.canceled': 'You have canceled the purchase.',
  'transaction.refunded': 'The payer has the money back.',
  'transaction.refund_delayed': 'The bank did not make the refund. The service tries again at `nextTryAt`.',
  'transaction.refund_failed':
    'The bank has refused the refund for good. Our operators look after the money.',
  'transaction.pix_returned': 'A Pix that was not the purchase’s payment went back in full.',
  'transaction.med_opened':
    'The bank took back a payment by the MED. The client buys nothing with you until an operator lifts that.',
  'transaction.med_closed': 'An operator has closed the case of that MED.',
  'kyc.pending':
    'The KYC token opens no purchase for now. A webhook follows if a decision comes before its end.',
  'kyc.approved': 'The KYC token can open purchases.',
  'kyc.rejected': 'The KYC token can open no purchase.',
  'api_key.created':
    'One of your `manage` keys has made a key. If that was not you, revoke both before the key works.',
  'webhook_endpoint.paused': 'An endpoint took nothing for five days and is paused. Enable it, then replay.',
  'vendor_key.changed':
    'A key of your KYC vendor was proposed, approved or withdrawn. If that was not you, ask us at once.',
  'webhook_endpoint.test': 'You asked for a test of this endpoint. No other gets it.',
} as const satisfies Record<string, string>;
export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/**
 * An event for a partner. It never changes. `id` is sent as the webhook's id, so a receiver can recognise repetitions.
 */
export type DomainEvent = {
  id: string;
  partnerId: string;
  type: EventType;
  /**
   * Counts the events of one purchase or of one KYC record. Receivers sort by it, because deliveries may arrive in any
   * order.
   */
  sequence: number;
  at: number;
  data: Record<string, unknown>;
  /**
   * The endpoints that get this event. If the event was made without this list, its first delivery sets the
   * list to the endpoints that take the event then. An endpoint that is added later gets the event only by
   * a replay.
   */
  endpointIds?: string[];
};

/** Requires an event of this partner. An event of another partner counts as not found. */
export function requireOwnEvent(event: DomainEvent | undefined, partnerId: string): DomainEvent {
  return event?.partnerId === partnerId ? event : refuse('EVENT_NOT_FOUND');
}

/** The body of the webhook, in the form of Standard Webhooks: docs/decisions.md, "Webhooks". */
export function webhookBody(event: DomainEvent): string {
  return JSON.stringify({ type: event.type, timestamp: isoInstant(event.at), data: event.data });
}

/** Whether the row has the form of an event. Any other row cannot be sent to a partner. */
export function isWholeEvent({ partnerId, type, at, data }: DomainEvent): boolean {
  const isKnown = typeof partnerId === 'string' && EVENT_TYPES.includes(type);
  return isKnown && Number.isFinite(at) && typeof data === 'object' && data !== null;
}
