import { refuse } from '../errors.ts';
import { OPEN_MINUTES } from './deliveries.ts';
import { EVENT_TYPES, type EventType } from './events.ts';

/** A replaced secret. It signs in addition to the newer one until `until`, in epoch milliseconds. */
export type FormerSecret = { cipher: string; until: number };

/** An address that gets the partner's events. Secrets are ciphertext of the vault under the partner's id. */
export type WebhookEndpoint = {
  id: string;
  url: string;
  secretCipher: string;
  formerSecret?: FormerSecret;
  /** The request that rotated last. Its repetition after a crash must not push out the former secret. */
  rotatedBy?: string;
  createdAt: number;
  /** The partner's own words about the endpoint. */
  description?: string;
  /** Absent: the endpoint gets events. `DISABLED` by the partner, `PAUSED` by the service after days of failure. */
  stopped?: Stop;
  /** The end of the last stop, and the first instant of the events that the endpoint may have missed until then. */
  resumed?: { at: number; missedFrom: number };
  /** The types that the endpoint asked for. Absent: every type. */
  eventTypes?: FilteredType[];
};

/** `missedFrom` is the first instant of the events that the endpoint may miss. Absent: `at`. */
type Stop = { as: 'DISABLED' | 'PAUSED'; at: number; missedFrom?: number };

/** A filter names these types alone. Events about the account itself go to each endpoint. */
export type FilteredType = Extract<EventType, `transaction.${string}` | `kyc.${string}`>;
export const ENDPOINT_STATUSES = ['ENABLED', 'DISABLED', 'PAUSED'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Each endpoint may get every event. More endpoints would multiply the cost of a partner. */
export const MOST_ENDPOINTS = 5;
/** Real hours, also in a hurried sandbox, because people deploy the new secret in that time. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;

/**
 * Adds an endpoint, or replaces the one of the same id. That one came from the same request, whose answer was lost.
 */
export function withEndpoint(endpoints: WebhookEndpoint[], added: WebhookEndpoint): WebhookEndpoint[] {
  const others = endpoints.filter(({ id }) => id !== added.id);
  if (others.length >= MOST_ENDPOINTS) refuse('WEBHOOK_ENDPOINT_LIMIT', { maximum: MOST_ENDPOINTS });
  return [...others, added];
}

export function requireEndpoint(endpoints: WebhookEndpoint[], id: string): WebhookEndpoint {
  return endpoints.find((each) => each.id === id) ?? refuse('WEBHOOK_ENDPOINT_NOT_FOUND');
}

/** True if an endpoint has gone, or has another address. Then it may not hear of a new key. */
export function losesAddress(former: readonly WebhookEndpoint[], next: readonly WebhookEndpoint[]): boolean {
  return former.some(({ id, url }) => !next.some((each) => each.id === id && each.url === url));
}

export function withoutEndpoint(endpoints: WebhookEndpoint[], id: string): WebhookEndpoint[] {
  const removed = requireEndpoint(endpoints, id);
  return endpoints.filter((each) => each !== removed);
}

/**
 * The endpoints after the rotation of one secret. The former secret goes on signing for a day. If the secret is
 * rotated twice within a day, the first one signs no more.
 */
export function withNewSecret(
  endpoints: WebhookEndpoint[],
  { id, secretCipher, by, now }: { id: string; secretCipher: string; by: string; now: number },
): WebhookEndpoint[] {
  const found = requireEndpoint(endpoints, id);
  const replaced = { cipher: found.secretCipher, until: now + SECRET_OVERLAP_MS };
  const formerSecret = found.rotatedBy === by ? found.formerSecret : replaced;
  const next = { ...found, secretCipher, formerSecret, rotatedBy: by };
  return endpoints.map((each) => (each === found ? next : each));
}

/** The secrets that sign a delivery now, the newest first: docs/decisions.md, "Form of a webhook". */
export function signingCiphers({ secretCipher, formerSecret }: WebhookEndpoint, now: number): string[] {
  return formerSecret && now < formerSecret.until ? [secretCipher, formerSecret.cipher] : [secretCipher];
}

const isFiltered = (type: EventType): type is FilteredType => /^(transaction|kyc)\./.test(type);
/** The types that a filter may name. */
export const FILTERED_TYPES: readonly FilteredType[] = EVENT_TYPES.filter(isFiltered);

export const endpointStatus = ({ stopped }: Pick<WebhookEndpoint, 'stopped'>): EndpointStatus =>
  stopped?.as ?? 'ENABLED';

/** True if a new event of the type goes to the endpoint. A test event goes to an endpoint in each status. */
export function takesEvent(endpoint: WebhookEndpoint, type: EventType): boolean {
  if (endpoint.stopped) return false;
  return !isFiltered(type) || (endpoint.eventTypes?.includes(type) ?? true);
}

/** The news that an endpoint gets in each status. */
const ALWAYS: readonly EventType[] = ['api_key.created', 'webhook_endpoint.test'];

/** True if an event that is for the endpoint may be posted to it now. */
export const mayBeCalled = ({ stopped }: Pick<WebhookEndpoint, 'stopped'>, type: EventType): boolean =>
  !stopped || ALWAYS.includes(type);

/** The endpoints after one of them is enabled. This also ends a pause. An enabled endpoint stays as it is. */
export function withEnabled(endpoints: WebhookEndpoint[], id: string, now: number): WebhookEndpoint[] {
  const { stopped, ...enabled } = requireEndpoint(endpoints, id);
  if (!stopped) return endpoints;
  const resumed = { at: now, missedFrom: stopped.missedFrom ?? stopped.at };
  return endpoints.map((each) => (each.id === id ? { ...enabled, resumed } : each));
}

/**
 * The endpoints after the partner disables one of them. A disabled endpoint stays as it is. `now` is in epoch
 * milliseconds.
 */
export function withDisabled(endpoints: WebhookEndpoint[], id: string, now: number): WebhookEndpoint[] {
  return requireEndpoint(endpoints, id).stopped?.as === 'DISABLED'
    ? endpoints
    : withStopped(endpoints, id, { as: 'DISABLED', at: now, missedFrom: now });
}

/** The endpoints after the service pauses one of them. An endpoint that is stopped already stays as it is. */
export function withPaused(
  endpoints: WebhookEndpoint[],
  id: string,
  { now, failingSince }: { now: number; failingSince: number },
): WebhookEndpoint[] {
  return requireEndpoint(endpoints, id).stopped
    ? endpoints
    : withStopped(endpoints, id, { as: 'PAUSED', at: now, missedFrom: failingSince });
}

/** An event before the stop may be on its way for so long. Real days, because too early an instant misses nothing. */
const OPEN_MS = OPEN_MINUTES * 60_000;

/** A pause that the partner turns into a disablement has missed the same events. */
function withStopped(
  endpoints: WebhookEndpoint[],
  id: string,
  { missedFrom: from, ...stop }: Required<Stop>,
) {
  const found = requireEndpoint(endpoints, id);
  const missedFrom = found.stopped?.missedFrom ?? Math.max(found.createdAt, from - OPEN_MS);
  return endpoints.map((each) => (each === found ? { ...found, stopped: { ...stop, missedFrom } } : each));
}

/**
 * The fields that a partner may edit. An absent field stays. An empty list of types ends the filter, and an empty
 * description removes it.
 */
export type EndpointEdit = Partial<Pick<WebhookEndpoint, 'url' | 'description' | 'eventTypes'>> & {
  /** Enables or disables. True also ends a pause. */
  enabled?: boolean;
};

/** The endpoints after an edit of one of them. `now` is in epoch milliseconds. */
export function withEdited(
  endpoints: WebhookEndpoint[],
  id: string,
  { now, enabled, ...edit }: EndpointEdit & { now: number },
): WebhookEndpoint[] {
  const { description, eventTypes, ...edited } = { ...requireEndpoint(endpoints, id), ...edit };
  const next = { ...edited, ...filledOf({ description, eventTypes }) };
  const all = endpoints.map((each) => (each.id === id ? next : each));
  if (enabled === undefined) return all;
  return enabled ? withEnabled(all, id, now) : withDisabled(all, id, now);
}

/** The fields that are there only with a content. */
export function filledOf({ description, eventTypes }: Pick<EndpointEdit, 'description' | 'eventTypes'>) {
  return {
    ...(description && { description }),
    ...(eventTypes && eventTypes.length > 0 && { eventTypes: [...new Set(eventTypes)] }),
  };
}
