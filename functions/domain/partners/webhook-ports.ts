import type { Delivery, Pace } from './deliveries.ts';
import type { DomainEvent } from './events.ts';

export type Events = {
  findEvent(id: string): Promise<DomainEvent | undefined>;
  /** Events older than `before` that no delivery has taken up; the index may be stale. */
  listUndelivered(before: number, limit: number): Promise<string[]>;
  /** Says once and for all which endpoints the event goes to; the answer is what was said first. */
  assign(id: string, endpointIds: string[]): Promise<string[]>;
  markTaken(id: string): Promise<void>;
};

export type Deliveries = {
  findDelivery(eventId: string, endpointId: string): Promise<Delivery | undefined>;
  /** Those of whom something is due; the index may be stale. */
  listDuePartners(now: number): Promise<string[]>;
  /** Ids of what is due to a partner, the oldest first; the index may be stale. */
  listDue(partnerId: string, now: number, limit: number): Promise<string[]>;
  /** As these two, of what is held while its partner is suspended. */
  listHeldPartners(now: number): Promise<string[]>;
  listHeld(partnerId: string, now: number, limit: number): Promise<string[]>;
  /** Leaves what a list told at `now` out of it until then, unless it was planned anew; what is due or held stays so. */
  postpone(delivery: Pick<Delivery, 'id' | 'partnerId'>, look: { now: number; until: number }): Promise<void>;
  /** What is parked of a partner, the oldest first; the index may be stale. */
  listParked(partnerId: string): Promise<Delivery[]>;
  save(delivery: Delivery): Promise<void>;
  /** Of an address, so that removing and adding it changes nothing. */
  findPace(partnerId: string, url: string): Promise<Pace | undefined>;
  /** On condition that it is the next version of what is there: of several at once, one is saved. */
  savePace(partnerId: string, url: string, pace: Pace): Promise<boolean>;
};

/** Each of the secrets signs. */
export type WebhookPost = { id: string; body: string; secrets: readonly string[]; timeoutMs: number };

export type WebhookSender = {
  /** Whether a partner may name this address: https and, where it is written out, public; or a laptop's own, by http. */
  isAllowed(url: string): boolean;
  /** Posts a signed body. Answers the HTTP status, or undefined when there was no answer. */
  post(url: string, message: WebhookPost): Promise<number | undefined>;
};
