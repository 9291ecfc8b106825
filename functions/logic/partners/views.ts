import { type ApiKey, keyScopes } from '../../domain/partners/api-key.ts';
import { keyStatus, worksFrom } from '../../domain/partners/made-key.ts';
import { missedRanges, REPLAY_CALL } from '../../domain/partners/replays.ts';
import { endpointStatus, type WebhookEndpoint } from '../../domain/partners/webhook-endpoint.ts';
import { isoInstant } from '../../domain/time.ts';

/** An API key as its partner sees it, without its digest. `now` is in epoch milliseconds. */
export function keyView(key: ApiKey, { maker, now }: { maker: ApiKey | undefined; now: number }) {
  const { keyId: id, createdAt } = key;
  const status = keyStatus(key, maker, now);
  const ofEach = { id, status, scopes: [...keyScopes(key)], createdAt: isoInstant(createdAt) };
  if (key.sha256 !== undefined) return ofEach;
  const from = worksFrom(key);
  const { maker: madeBy, expiresAt } = key.made;
  const ofMade = { ...ofEach, madeBy, expiresAt: isoInstant(expiresAt) };
  return from === undefined ? ofMade : { ...ofMade, worksFrom: isoInstant(from) };
}

/** A webhook endpoint as its partner sees it, without its secrets. `now` is in epoch milliseconds. */
export function endpointView(endpoint: WebhookEndpoint, now: number) {
  const { id, url, createdAt, description, formerSecret, stopped, eventTypes } = endpoint;
  return {
    id,
    url,
    createdAt: isoInstant(createdAt),
    ...(description && { description }),
    status: endpointStatus(endpoint),
    ...(stopped && { stoppedAt: isoInstant(stopped.at) }),
    ...(eventTypes && { eventTypes }),
    ...(formerSecret && now < formerSecret.until && { formerSecretUntil: isoInstant(formerSecret.until) }),
  };
}

/** An endpoint that was just enabled, with the calls that replay the events that it has missed. */
export function enabledView(endpoint: WebhookEndpoint, now: number) {
  const replays = missedRanges(endpoint).map(({ from, to }) => ({
    call: REPLAY_CALL,
    body: { endpointId: endpoint.id, missedOnly: true as const, from: isoInstant(from), to: isoInstant(to) },
  }));
  return { ...endpointView(endpoint, now), ...(replays.length > 0 && { replays }) };
}
