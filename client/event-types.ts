/** The resources and bodies of `/v1/laas/events`, where you read events again. */
import type { WebhookEvent } from './webhook.ts';

/** An event with the `id` that each delivery has as `webhook-id`. */
export type Event = WebhookEvent & { id: string };

export type EventFilter = {
  type?: string;
  transactionId?: string;
  /** 1 to 100; 20 when absent. */
  limit?: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
};

/** One attempt of a delivery. */
export type DeliveryAttempt = {
  at: string;
  /** Absent if the service did not call the endpoint, because the endpoint had not answered several times in a row. */
  durationMs?: number;
  /** Absent if the endpoint did not answer in time, or if the service did not call it. */
  statusCode?: number;
  /** The beginning of your answer, in one line. */
  answer?: string;
};

export type Delivery = {
  endpointId: string;
  /** `FAILED`: the service makes no further attempt unless you replay the event. `HELD`: your account is suspended. */
  status: 'PENDING' | 'HELD' | 'DELIVERED' | 'FAILED' | (string & {});
  /** The last attempts, the oldest first. */
  attempts: readonly DeliveryAttempt[];
  nextAttemptAt?: string;
};

export type DeliveredEvent = Event & {
  deliveries: readonly Delivery[];
  /**
   * `pausesMinutes` are the minutes between two attempts. The attempts end `endsAfterMinutes` after the event or its
   * replay. An endpoint that takes nothing for `pausesEndpointAfterMinutes` is paused.
   */
  retrySchedule: {
    pausesMinutes: readonly number[];
    endsAfterMinutes: number;
    pausesEndpointAfterMinutes: number;
  };
};

/** The newest first. The last page has no `nextCursor`. */
export type EventPage = { events: readonly Event[]; nextCursor?: string };

/**
 * `endpointIds` are the endpoints to which a new delivery begins. An endpoint with an unfinished delivery of this event
 * is not among them.
 */
export type ReplayedEvent = { id: string; endpointIds: readonly string[] };

export type ReplayRange = {
  /** `from` and `to` are ISO 8601, at most 31 days apart. `to` itself is not in the range. */
  from: string;
  to: string;
  type?: string;
  /** Absent: the service sends to each endpoint that takes the event's type. */
  endpointId?: string;
  /** True: leaves out the events that the endpoint has already taken. */
  missedOnly?: boolean;
  /** The `nextCursor` of the call before. All other fields must be the same as in that call. */
  cursor?: string;
};

/** `nextCursor` is present if the range has more events. */
export type ReplayedRange = { events: number; deliveries: number; nextCursor?: string };
