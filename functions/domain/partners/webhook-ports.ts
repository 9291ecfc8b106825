import type { Delivery, Pace } from './deliveries.ts';
import type { DomainEvent, EventType } from './events.ts';
import type { FailingPeriod } from './failing.ts';
import type { Partner } from './partner.ts';

export type Events = {
  findEvent(id: string): Promise<DomainEvent | undefined>;
  /** Events that no delivery has taken up, and whose next look is before `before`. The index may be stale. */
  listUndelivered(before: number, limit: number): Promise<string[]>;
  /** Fixes the endpoints that get the event. The first call counts. Each call returns the endpoints of the first. */
  assign(id: string, endpointIds: string[]): Promise<string[]>;
  /** Moves the next look at an event that no delivery has taken up. */
  postpone(id: string, until: number): Promise<void>;
  markTaken(id: string): Promise<void>;
};

/** The events of a partner. `since` is their first millisecond, and `until` the first one after them. */
export type EventsWanted = {
  partnerId: string;
  types: readonly EventType[];
  transactionId?: string;
  since?: number;
  until?: number;
};

/** `after` is the `next` of the page before, under the same wants and order. */
export type EventPage = { limit: number; order: 'NEWEST_FIRST' | 'OLDEST_FIRST'; after?: string };

/** The events as their partner reads them. */
export type EventLog = {
  findEvent(id: string): Promise<DomainEvent | undefined>;
  /** A new event may be missing for some seconds, but not in the list of its transaction. */
  listEvents(wanted: EventsWanted, page: EventPage): Promise<{ events: DomainEvent[]; next?: string }>;
};

export type EventTargets = {
  /** Adds an endpoint to those that get an event that deliveries have taken up. */
  add(eventId: string, endpointId: string): Promise<void>;
};

export type Announcements = {
  /** Writes an event that no other row announces. A repetition writes nothing. */
  announce(event: DomainEvent): Promise<void>;
};

export type Deliveries = {
  findDelivery(eventId: string, endpointId: string): Promise<Delivery | undefined>;
  /** Partners with a delivery that is due. The index may be stale. */
  listDuePartners(now: number): Promise<string[]>;
  /** Ids of a partner's due deliveries, the oldest first. The index may be stale. */
  listDue(partnerId: string, now: number, limit: number): Promise<string[]>;
  /** The same for deliveries that are held while their partner is suspended. */
  listHeldPartners(now: number): Promise<string[]>;
  listHeld(partnerId: string, now: number, limit: number): Promise<string[]>;
  /** The same for replays: deliveries that were requested again. */
  listReplayPartners(now: number): Promise<string[]>;
  listReplays(partnerId: string, now: number, limit: number): Promise<string[]>;
  /**
   * Hides a delivery until `until`, so that later lists do not return it again. Does nothing if it is no longer due at
   * `now`. Its status stays the same.
   */
  postpone(delivery: Pick<Delivery, 'id' | 'partnerId'>, look: { now: number; until: number }): Promise<void>;
  /** A partner's parked deliveries, the oldest first. The index may be stale. */
  listParked(partnerId: string): Promise<Delivery[]>;
  save(delivery: Delivery): Promise<void>;
  /** The pace belongs to the address, so that removing and adding an endpoint changes nothing. */
  findPace(partnerId: string, url: string): Promise<Pace | undefined>;
  /** Saves the pace if it is the next version. One of several concurrent calls succeeds. */
  savePace(partnerId: string, url: string, pace: Pace): Promise<boolean>;
};

/** An endpoint at one address. At another address it has not failed yet. */
export type EndpointAddress = { partnerId: string; endpointId: string; url: string };

/** The partner's endpoints after the pause of one of them, and the event that tells of it. */
export type EndpointPause = {
  of: EndpointAddress;
  period: FailingPeriod;
  webhookEndpoints: Partner['webhookEndpoints'];
  event: DomainEvent;
};

export type FailingEndpoints = {
  findPeriod(of: EndpointAddress): Promise<FailingPeriod | undefined>;
  /** Saves the period that follows `was`. False: a success or another failure came between. */
  savePeriod(of: EndpointAddress, period: { was?: FailingPeriod; next: FailingPeriod }): Promise<boolean>;
  endPeriod(of: EndpointAddress): Promise<void>;
  /**
   * One write ends the period, pauses the endpoint and writes the event. False: the partner or the period has changed
   * since they were read.
   */
  pause(partner: Partner, pause: EndpointPause): Promise<boolean>;
};

/** Each of the secrets signs the body. */
export type WebhookPost = { id: string; body: string; secrets: readonly string[]; timeoutMs: number };

/** The HTTP status is undefined if there was no answer. `excerpt` is the beginning of the answer's body. */
export type Posted = { statusCode?: number; excerpt?: string };

export type WebhookSender = {
  /**
   * True if a partner may register this address: https with a public host. A laptop's sandbox also allows its own host
   * by http.
   */
  isAllowed(url: string): boolean;
  /** Posts a signed body. */
  post(url: string, message: WebhookPost): Promise<Posted>;
};
