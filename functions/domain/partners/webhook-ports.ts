import type { Delivery, Pace } from './deliveries.ts';
import type { DomainEvent, EventType } from './events.ts';
import type { FailingPeriod } from './failing.ts';
import type { Partner } from './partner.ts';

export type Events = {
  findEvent(id: string): Promise<DomainEvent | undefined>;
  /** Lists the ids of events that have no deliveries yet and are due before `before`. The index may lag by seconds. */
  listUndelivered(before: number, limit: number): Promise<string[]>;
  /** Sets the endpoints that get the event. Only the first call sets them, and every call returns them. */
  assign(id: string, endpointIds: string[]): Promise<string[]>;
  /** Moves the time at which an event without deliveries is due again. */
  postpone(id: string, until: number): Promise<void>;
  markTaken(id: string): Promise<void>;
};

/**
 * The filter of a list of events. `since` is the first millisecond of the range, and `until` is the first
 * one after the range.
 */
export type EventsWanted = {
  partnerId: string;
  types: readonly EventType[];
  transactionId?: string;
  since?: number;
  until?: number;
};

/**
 * One page of a list of events. `after` is `next` of the previous page, which was read with the same filter
 * and order.
 */
export type EventPage = { limit: number; order: 'NEWEST_FIRST' | 'OLDEST_FIRST'; after?: string };

/** The lists of events that a partner can read. */
export type EventLog = {
  /**
   * Lists events. The index may lag by seconds, so a new event may be missing. A list with `transactionId`
   * never lacks a new event.
   */
  listEvents(wanted: EventsWanted, page: EventPage): Promise<{ events: DomainEvent[]; next?: string }>;
};

export type EventTargets = {
  /** Adds an endpoint to those that get an event whose deliveries already exist. */
  add(eventId: string, endpointId: string): Promise<void>;
};

export type Announcements = {
  /** Writes an event alone, not together with a change of another row. A repeated call writes nothing. */
  announce(event: DomainEvent): Promise<void>;
};

export type Deliveries = {
  findDelivery(eventId: string, endpointId: string): Promise<Delivery | undefined>;
  /** Lists the partners with a due delivery. The index may lag by seconds. */
  listDuePartners(now: number): Promise<string[]>;
  /** Lists the ids of a partner's due deliveries, the oldest first. The index may lag by seconds. */
  listDue(partnerId: string, now: number, limit: number): Promise<string[]>;
  /**
   * List held deliveries, as `listDuePartners` and `listDue` list due ones. A delivery is held while its
   * partner is suspended.
   */
  listHeldPartners(now: number): Promise<string[]>;
  listHeld(partnerId: string, now: number, limit: number): Promise<string[]>;
  /** List due replays. A replay is a delivery that was requested again. */
  listReplayPartners(now: number): Promise<string[]>;
  listReplays(partnerId: string, now: number, limit: number): Promise<string[]>;
  /**
   * Hides a delivery from the lists of due, held and replayed deliveries until `until`. Does nothing if the
   * delivery is no longer due at `now`. Its status stays the same.
   */
  postpone(delivery: Pick<Delivery, 'id' | 'partnerId'>, look: { now: number; until: number }): Promise<void>;
  /** Lists a partner's parked deliveries, the oldest first. The index may lag by seconds. */
  listParked(partnerId: string): Promise<Delivery[]>;
  /**
   * Saves the delivery. With `begun`, the delivery as it was read, it writes nothing if somebody has started the
   * delivery again since (`openedAt`).
   */
  save(delivery: Delivery, begun?: Delivery): Promise<void>;
  /**
   * Finds the pace of a URL: how fast it answers. The pace belongs to the URL, so a partner cannot reset it
   * by adding the endpoint again. Undefined if the URL was always fast.
   */
  findPace(partnerId: string, url: string): Promise<Pace | undefined>;
  /** Saves the pace. False if its version is not the next one, because a parallel call was faster. */
  savePace(partnerId: string, url: string, pace: Pace): Promise<boolean>;
};

/**
 * An endpoint with its URL. A period of failures belongs to this URL. If the endpoint gets another URL, its
 * failures are forgotten.
 */
export type EndpointAddress = { partnerId: string; endpointId: string; url: string };

/**
 * The pause of an endpoint. `webhookEndpoints` are the partner's endpoints after the pause, and `event` tells
 * the partner about it.
 */
export type EndpointPause = {
  of: EndpointAddress;
  period: FailingPeriod;
  webhookEndpoints: Partner['webhookEndpoints'];
  event: DomainEvent;
};

export type FailingEndpoints = {
  findPeriod(of: EndpointAddress): Promise<FailingPeriod | undefined>;
  /** Saves a period of failures in place of `was`. False if a success or another failure was saved meanwhile. */
  savePeriod(of: EndpointAddress, period: { was?: FailingPeriod; next: FailingPeriod }): Promise<boolean>;
  endPeriod(of: EndpointAddress): Promise<void>;
  /**
   * Pauses the endpoint, ends its period of failures and writes the event, in one write. False if the partner or the
   * period has changed since they were read.
   */
  pause(partner: Partner, pause: EndpointPause): Promise<boolean>;
};

/** A message to post. The body is signed with each of the secrets. */
export type WebhookPost = { id: string; body: string; secrets: readonly string[]; timeoutMs: number };

/**
 * The result of a post. `statusCode` is undefined if no answer came. `excerpt` is the beginning of the answer's body.
 */
export type Posted = { statusCode?: number; excerpt?: string };

export type WebhookSender = {
  /**
   * True if a partner may register this URL: https with a public host. A laptop's sandbox also allows its
   * own host by http.
   */
  isAllowed(url: string): boolean;
  /** Posts a signed body. */
  post(url: string, message: WebhookPost): Promise<Posted>;
};
