import { refuse } from '../errors.ts';
import { DAY_MS } from '../time.ts';
import { LAST_ATTEMPT_MINUTES } from './deliveries.ts';
import { EVENT_TYPES, type EventType } from './events.ts';

/**
 * A secret that was replaced. Until `until`, in epoch milliseconds, messages are signed with it and with the newer one.
 */
type FormerSecret = { cipher: string; until: number };

/**
 * A URL to which the partner's events are sent. Its secrets are encrypted, and can be decrypted only
 * together with the partner's id.
 */
export type WebhookEndpoint = {
  id: string;
  url: string;
  secretCipher: string;
  formerSecret?: FormerSecret;
  /**
   * The request that rotated the secret last. If it is repeated after a crash, it must not replace the former secret
   * again.
   */
  rotatedBy?: string;
  createdAt: number;
  /** The partner's own text about the endpoint. */
  description?: string;
  /**
   * Absent while the endpoint gets events. `DISABLED`: the partner stopped it. `PAUSED`: the service stopped it after
   * days of failures.
   */
  stopped?: EndpointStop;
  /**
   * When the endpoint was last enabled, and the time of the first event that it may have missed while it was stopped.
   */
  resumed?: { at: number; missedFrom: number };
  /** The types of events that the endpoint gets. Absent means every type. */
  eventTypes?: FilteredType[];
};

/**
 * A stop of the endpoint at the instant `at`. The endpoint may miss events from `missedFrom` on. If
 * `missedFrom` is absent, it may miss events from `at` on.
 */
type EndpointStop = { as: 'DISABLED' | 'PAUSED'; at: number; missedFrom?: number };

/** The types that a filter can name. A filter never holds back an event about the account itself. */
type FilteredType = Extract<EventType, `transaction.${string}` | `kyc.${string}`>;
export const ENDPOINT_STATUSES = ['ENABLED', 'DISABLED', 'PAUSED'] as const;
type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** The most endpoints of a partner. Each may get every event, so each adds to the cost. */
export const MOST_ENDPOINTS = 5;
/**
 * How long a replaced secret still signs. The time is the same in a sandbox with short minutes, because
 * people need it to deploy the new secret.
 */
export const SECRET_OVERLAP_MS = DAY_MS;

/**
 * Adds an endpoint, or replaces the one with the same id. The same id means that the partner has repeated
 * the request, because its first answer was lost.
 */
export function withEndpoint(endpoints: WebhookEndpoint[], added: WebhookEndpoint): WebhookEndpoint[] {
  const others = endpoints.filter(({ id }) => id !== added.id);
  if (others.length >= MOST_ENDPOINTS) refuse('WEBHOOK_ENDPOINT_LIMIT', { maximum: MOST_ENDPOINTS });
  return [...others, added];
}

export function requireEndpoint(endpoints: WebhookEndpoint[], id: string): WebhookEndpoint {
  return endpoints.find((each) => each.id === id) ?? refuse('WEBHOOK_ENDPOINT_NOT_FOUND');
}

/**
 * Whether an endpoint was removed or has got another URL. The partner might then not receive the event
 * about a new API key.
 */
export function losesAddress(former: readonly WebhookEndpoint[], next: readonly WebhookEndpoint[]): boolean {
  return former.some(({ id, url }) => !next.some((each) => each.id === id && each.url === url));
}

export function withoutEndpoint(endpoints: WebhookEndpoint[], id: string): WebhookEndpoint[] {
  const removed = requireEndpoint(endpoints, id);
  return endpoints.filter((each) => each !== removed);
}

/**
 * The endpoints after one secret was rotated. The former secret still signs for a day. If a secret is rotated
 * twice within a day, only the last two secrets sign.
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

/** The secrets with which a delivery is signed now, the newest first: docs/decisions.md, "Webhooks". */
export function signingCiphers({ secretCipher, formerSecret }: WebhookEndpoint, now: number): string[] {
  return formerSecret && now < formerSecret.until ? [secretCipher, formerSecret.cipher] : [secretCipher];
}

const isFiltered = (type: EventType): type is FilteredType => /^(transaction|kyc)\./.test(type);
/** The types that a filter can name. */
export const FILTERED_TYPES: readonly FilteredType[] = EVENT_TYPES.filter(isFiltered);

export const endpointStatus = ({ stopped }: Pick<WebhookEndpoint, 'stopped'>): EndpointStatus =>
  stopped?.as ?? 'ENABLED';

/**
 * Whether the endpoint gets new events of this type. A test event does not need this rule. It names its
 * endpoint, and `mayBeCalled` lets it reach a stopped endpoint.
 */
export function takesEvent(endpoint: WebhookEndpoint, type: EventType): boolean {
  if (endpoint.stopped) return false;
  return !isFiltered(type) || (endpoint.eventTypes?.includes(type) ?? true);
}

/**
 * The events about the account that an endpoint gets whatever its status is. A thief who disables the
 * endpoints can therefore not hide a new key from the partner.
 */
const ALWAYS: readonly EventType[] = ['api_key.created', 'vendor_key.changed', 'webhook_endpoint.test'];

/** Whether an event that was assigned to the endpoint may be sent to it now. */
export const mayBeCalled = ({ stopped }: Pick<WebhookEndpoint, 'stopped'>, type: EventType): boolean =>
  !stopped || ALWAYS.includes(type);

/** The endpoints after one was enabled, which also ends a pause. An endpoint that is already enabled stays as it is. */
export function withEnabled(endpoints: WebhookEndpoint[], id: string, now: number): WebhookEndpoint[] {
  const { stopped, ...enabled } = requireEndpoint(endpoints, id);
  if (!stopped) return endpoints;
  const resumed = { at: now, missedFrom: stopped.missedFrom ?? stopped.at };
  return endpoints.map((each) => (each.id === id ? { ...enabled, resumed } : each));
}

/**
 * The endpoints after the partner disabled one. An endpoint that is already disabled stays as it is. `now` is in epoch
 * milliseconds.
 */
export function withDisabled(endpoints: WebhookEndpoint[], id: string, now: number): WebhookEndpoint[] {
  return requireEndpoint(endpoints, id).stopped?.as === 'DISABLED'
    ? endpoints
    : withStopped(endpoints, id, { as: 'DISABLED', at: now, missedFrom: now });
}

/** The endpoints after the service paused one. An endpoint that is already stopped stays as it is. */
export function withPaused(
  endpoints: WebhookEndpoint[],
  id: string,
  { now, failingSince }: { now: number; failingSince: number },
): WebhookEndpoint[] {
  return requireEndpoint(endpoints, id).stopped
    ? endpoints
    : withStopped(endpoints, id, { as: 'PAUSED', at: now, missedFrom: failingSince });
}

/**
 * A delivery that began up to this long before the stop may still be going on, so the endpoint may miss its
 * event. In a sandbox with short minutes this time is too long. A replay then also includes some events
 * that the endpoint did not miss.
 */
const OPEN_MS = LAST_ATTEMPT_MINUTES * 60_000;

/** Stops an endpoint. If the partner disables a paused endpoint, `missedFrom` stays that of the pause. */
function withStopped(
  endpoints: WebhookEndpoint[],
  id: string,
  { missedFrom: from, ...stop }: Required<EndpointStop>,
) {
  const found = requireEndpoint(endpoints, id);
  const missedFrom = found.stopped?.missedFrom ?? Math.max(found.createdAt, from - OPEN_MS);
  return endpoints.map((each) => (each === found ? { ...found, stopped: { ...stop, missedFrom } } : each));
}

/**
 * The fields that a partner may change. An absent field stays as it is. An empty list of types removes the filter, and
 * an empty description removes the description.
 */
export type EndpointEdit = Partial<Pick<WebhookEndpoint, 'url' | 'description' | 'eventTypes'>> & {
  /** Enables or disables the endpoint. `true` also ends a pause. */
  enabled?: boolean;
};

/** The endpoints after one was changed. `now` is in epoch milliseconds. */
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

/** Leaves out an empty description and an empty list of types, because they are not stored. */
export function filledOf({ description, eventTypes }: Pick<EndpointEdit, 'description' | 'eventTypes'>) {
  return {
    ...(description && { description }),
    ...(eventTypes && eventTypes.length > 0 && { eventTypes: [...new Set(eventTypes)] }),
  };
}
