/**
 * Events about a partner's account. They belong to no purchase and no KYC record, so the sequence number of each is 1.
 */

import { isoInstant } from '../time.ts';
import { keyScopes, type PartnersKey } from './api-key.ts';
import type { DomainEvent } from './events.ts';
import type { Partner } from './partner.ts';
import { REPLAY_CALL } from './replays.ts';
import type { VendorKeyStatus } from './vendor-key.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

type AccountEventHead = Pick<DomainEvent, 'id' | 'partnerId' | 'type' | 'at' | 'endpointIds'>;

const firstEvent = (about: AccountEventHead, data: Record<string, unknown>): DomainEvent => ({
  ...about,
  sequence: 1,
  data: { ...data, sequence: 1 },
});

/**
 * A test event. Only one endpoint gets it, whatever its status and its filter. `request` is the request that asked for
 * it, from which the event's id is made.
 */
export function testEvent(
  { id, partnerId }: { id: string; partnerId: string },
  { request, now }: { request: string; now: number },
): DomainEvent {
  return firstEvent(
    { id: `${request}.1`, partnerId, type: 'webhook_endpoint.test', at: now, endpointIds: [id] },
    { endpointId: id },
  );
}

/**
 * The event about a key that a partner made. Every endpoint of the partner gets it, whatever its status and
 * its filter. A thief who made the key can therefore not hide it.
 */
export function keyCreatedEvent(key: PartnersKey, endpointIds: string[]): DomainEvent {
  const { partnerId, keyId, createdAt, made } = key;
  return firstEvent(
    { id: `${keyId}.1`, partnerId, type: 'api_key.created', at: createdAt, endpointIds },
    {
      keyId,
      scopes: [...keyScopes(key)],
      expiresAt: isoInstant(made.expiresAt),
      madeBy: made.maker,
    },
  );
}

/**
 * The event that one endpoint of a partner was paused. The partner's other endpoints get it. It leaves out
 * the URL of the paused endpoint, because another endpoint may belong to somebody else.
 */
export function endpointPausedEvent(
  { id: endpointId, stopped }: Pick<WebhookEndpoint, 'id' | 'stopped'>,
  { partnerId, failingSince, now }: { partnerId: string; failingSince: number; now: number },
): DomainEvent {
  const from = isoInstant(stopped?.missedFrom ?? failingSince);
  return firstEvent(
    { id: `${partnerId}.${endpointId}.${now}`, partnerId, type: 'webhook_endpoint.paused', at: now },
    {
      endpointId,
      failingSince: isoInstant(failingSince),
      replay: { call: REPLAY_CALL, body: { endpointId, missedOnly: true, from } },
    },
  );
}

type VendorKeyNews = {
  kid: string;
  thumbprint?: string;
  status: VendorKeyStatus;
  /** The id of the partner's key that asked. Absent if an operator asked. */
  by?: string;
  request: string;
  now: number;
};

/**
 * The event about a key of the partner's vendor. Every endpoint gets it, whatever its status and its
 * filter. A thief who changed the key can therefore not hide it.
 */
export function vendorKeyEvent(
  { id: partnerId, webhookEndpoints }: Pick<Partner, 'id' | 'webhookEndpoints'>,
  { kid, thumbprint, status, by, request, now }: VendorKeyNews,
): DomainEvent {
  const endpointIds = webhookEndpoints.map(({ id }) => id);
  return firstEvent(
    { id: `${request}.1`, partnerId, type: 'vendor_key.changed', at: now, endpointIds },
    {
      kid,
      status,
      ...(thumbprint !== undefined && { thumbprint }),
      ...(by !== undefined && { changedBy: by }),
    },
  );
}
