/** Events about the partner's account. They follow from no purchase and no KYC record, so each begins at 1. */
import { type PartnersKey, scopesOf } from './api-key.ts';
import type { DomainEvent } from './events.ts';
import type { Partner } from './partner.ts';
import { REPLAY_CALL } from './replays.ts';
import type { VendorKeyStatus } from './vendor-key.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** An event that one endpoint gets, whatever its status and its filter. `request` makes the id. */
export function testEvent(
  { id, partnerId }: { id: string; partnerId: string },
  { request, now }: { request: string; now: number },
): DomainEvent {
  return {
    id: `${request}.1`,
    partnerId,
    type: 'webhook_endpoint.test',
    sequence: 1,
    at: now,
    data: { endpointId: id, sequence: 1 },
    endpointIds: [id],
  };
}

/** The news of a key that a partner made. Each of the endpoints gets it, whatever its status and its filter. */
export function keyCreatedEvent(key: PartnersKey, endpointIds: string[]): DomainEvent {
  const { partnerId, keyId, createdAt, made } = key;
  return {
    id: `${keyId}.1`,
    partnerId,
    type: 'api_key.created',
    sequence: 1,
    at: createdAt,
    data: {
      keyId,
      scopes: [...scopesOf(key)],
      expiresAt: new Date(made.expiresAt).toISOString(),
      madeBy: made.maker,
      sequence: 1,
    },
    endpointIds,
  };
}

/**
 * The news of a pause, for the partner's other endpoints. The address is left out, because an endpoint of somebody else
 * may get it.
 */
export function endpointPausedEvent(
  { id: endpointId, stopped }: Pick<WebhookEndpoint, 'id' | 'stopped'>,
  { partnerId, failingSince, now }: { partnerId: string; failingSince: number; now: number },
): DomainEvent {
  const from = new Date(stopped?.missedFrom ?? failingSince).toISOString();
  return {
    id: `${partnerId}.${endpointId}.${now}`,
    partnerId,
    type: 'webhook_endpoint.paused',
    sequence: 1,
    at: now,
    data: {
      endpointId,
      failingSince: new Date(failingSince).toISOString(),
      replay: { call: REPLAY_CALL, body: { endpointId, missedOnly: true, from } },
      sequence: 1,
    },
  };
}

type VendorKeyNews = {
  kid: string;
  thumbprint?: string;
  status: VendorKeyStatus;
  /** The partner's key that asked. Absent: an operator. */
  by?: string;
  request: string;
  now: number;
};

/** The news of a key of the partner's vendor. Each endpoint gets it, whatever its status and its filter. */
export function vendorKeyEvent(
  { id: partnerId, webhookEndpoints }: Pick<Partner, 'id' | 'webhookEndpoints'>,
  { kid, thumbprint, status, by, request, now }: VendorKeyNews,
): DomainEvent {
  return {
    id: `${request}.1`,
    partnerId,
    type: 'vendor_key.changed',
    sequence: 1,
    at: now,
    data: {
      kid,
      status,
      ...(thumbprint !== undefined && { thumbprint }),
      ...(by !== undefined && { changedBy: by }),
      sequence: 1,
    },
    endpointIds: webhookEndpoints.map(({ id }) => id),
  };
}
