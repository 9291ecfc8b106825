/** The types of the calls under `/v1/laas/events`, which read webhook events and send them again. */
import type { WebhookEvent } from './webhook.ts';

/** `id` identifies the event. Each delivery of the event has it in the header `webhook-id`. */
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
  /**
   * Absent if the service skipped the call, because the endpoint had not answered several attempts in a row.
   */
  durationMs?: number;
  /**
   * The HTTP status of the endpoint's answer. Absent if no answer came in time, or if the service skipped the
   * call.
   */
  statusCode?: number;
  /** The beginning of your answer, in one line. */
  answer?: string;
};

export type Delivery = {
  endpointId: string;
  /**
   * `FAILED`: the service makes no further attempt, unless you replay the event. `HELD`: the service sends
   * nothing, because your account is suspended.
   */
  status: 'PENDING' | 'HELD' | 'DELIVERED' | 'FAILED' | (string & {});
  /** The last attempts, the oldest first. */
  attempts: readonly DeliveryAttempt[];
  nextAttemptAt?: string;
};

export type DeliveredEvent = Event & {
  deliveries: readonly Delivery[];
  /**
   * `pausesMinutes` are the minutes between one attempt and the next. An attempt that fails later than
   * `endsAfterMinutes` after the event, or after its replay, is the last one. The service
   * pauses an endpoint that has accepted no event for `pausesEndpointAfterMinutes`.
   */
  retrySchedule: {
    pausesMinutes: readonly number[];
    endsAfterMinutes: number;
    pausesEndpointAfterMinutes: number;
  };
};

/** The newest event first. The last page has no `nextCursor`. */
export type EventPage = { events: readonly Event[]; nextCursor?: string };

/**
 * `endpointIds` are the endpoints to which the service begins to send the event again. An endpoint is missing
 * here if a delivery of this event to it has not ended yet.
 */
export type ReplayedEvent = { id: string; endpointIds: readonly string[] };

export type ReplayRange = {
  /** `from` and `to` are ISO 8601, at most 31 days apart. `to` itself is not in the range. */
  from: string;
  to: string;
  type?: string;
  /** Absent: the service sends to each endpoint that takes the event's type. */
  endpointId?: string;
  /** True: the service does not send an endpoint the events that this endpoint has already accepted. */
  missedOnly?: boolean;
  /** The `nextCursor` of the previous call. All other fields must have the values of that call. */
  cursor?: string;
};

/** `nextCursor` is present if the range has more events. */
export type ReplayedRange = { events: number; deliveries: number; nextCursor?: string };
