import { type ApiKey, scopesOf } from '../../domain/partners/api-key.ts';
import { endpointStatus, type WebhookEndpoint } from '../../domain/partners/webhook-endpoint.ts';

const instant = (at: number) => new Date(at).toISOString();

/** A key as its partner sees it, without its digest. */
export function keyView(key: ApiKey) {
  const { keyId: id, status, createdAt } = key;
  return { id, status, scopes: [...scopesOf(key)], createdAt: instant(createdAt) };
}

/** An endpoint as its partner sees it, without its secrets. `now` is in epoch milliseconds. */
export function endpointView(endpoint: WebhookEndpoint, now: number) {
  const { id, url, createdAt, description, formerSecret, stopped, eventTypes } = endpoint;
  return {
    id,
    url,
    createdAt: instant(createdAt),
    ...(description && { description }),
    status: endpointStatus(endpoint),
    ...(stopped && { stoppedAt: instant(stopped.at) }),
    ...(eventTypes && { eventTypes }),
    ...(formerSecret && now < formerSecret.until && { formerSecretUntil: instant(formerSecret.until) }),
  };
}
