import { getAt } from '../get.ts';
import type { Instant } from '../time.ts';

type DeliveryFacts = {
  id: string;
  eventId: string;
  partnerId: string;
  endpointId: string;
  attempts: number;
  /**
   * How many times the delivery was postponed since its last attempt. It is postponed while another attempt
   * at its slow endpoint is running.
   */
  putOffs?: number;
  /**
   * When the delivery began: the time of the event, or of a request to send it again. A suspension of the
   * partner moves this time later. Once three days have passed since this time, no further attempt is
   * planned.
   */
  openedAt: number;
  lastStatusCode?: number;
  /** The last attempts, the oldest first. */
  tried?: DeliveryAttempt[];
  /** The partner's request for a replay that started this delivery: `functions/domain/partners/replays.ts`. */
  replayedBy?: string;
};

/** Without `nextAttemptAt` a pending delivery is due at once. */
export type PendingDelivery = DeliveryFacts & {
  status: 'PENDING';
  nextAttemptAt?: number;
  heldAt?: undefined;
  parkedAt?: undefined;
};
type HeldDelivery = DeliveryFacts & {
  status: 'HELD';
  heldAt: number;
  nextAttemptAt?: undefined;
  parkedAt?: undefined;
};
type EndedDelivery = DeliveryFacts & { nextAttemptAt?: undefined; heldAt?: undefined } & (
    | { status: 'DELIVERED'; parkedAt?: undefined }
    | { status: 'PARKED'; parkedAt: number }
  );

/**
 * The delivery of one event to one endpoint. Times are epoch milliseconds. `HELD`: the partner is suspended.
 * `PARKED`: the delivery is not tried any more.
 */
export type Delivery = PendingDelivery | HeldDelivery | EndedDelivery;

/**
 * One attempt, as the partner reads it. `statusCode` is absent if no answer came in time. `tookMs` is absent
 * if the endpoint was not called. The service does not call an endpoint for a while if several attempts in a
 * row had no answer in time.
 */
export type DeliveryAttempt = { at: number; tookMs?: number; statusCode?: number; excerpt?: string };

/** How fast an endpoint answers. An endpoint that was always fast has no row with its pace. */
export type Pace = {
  isSlow: boolean;
  /** How many attempts in a row had no answer in time. */
  unanswered: number;
  /** Until `triedUntil` another attempt may be running. Before `restsUntil` no attempt may begin. */
  triedUntil: number;
  restsUntil: number;
  version: number;
};

/**
 * The pauses between the attempts of one delivery, in minutes, about three days together. If the attempt
 * after the last pause fails, the delivery is parked. It stays parked until an operator or the partner has it
 * sent again: docs/decisions.md, "Webhooks".
 */
export const BACKOFF_MINUTES = [0.1, 1, 5, 30, 120, 300, 600, 840, 1200, 1440] as const;
/** The pauses in words, for the documents that name them. */
export const BACKOFF_WORDS = BACKOFF_MINUTES.map(delayWords).join(', ');

function delayWords(minutes: number): string {
  if (minutes < 1) return `${minutes * 60} seconds`;
  return minutes < 120 ? `${minutes} min` : `${minutes / 60} h`;
}

/**
 * Once this time has passed since the delivery began, no further attempt is planned. An attempt that was
 * planned before may still begin, up to a day later. A busy endpoint can postpone a delivery again and
 * again, so the number of attempts alone sets no limit.
 */
export const OPEN_MINUTES = 3 * 24 * 60;
/** The last attempt begins at most this long after its delivery began. */
export const LAST_ATTEMPT_MINUTES = OPEN_MINUTES + Math.max(...BACKOFF_MINUTES);

export const deliveryId = (eventId: string, endpointId: string) => `${eventId}#${endpointId}`;

export function openDelivery(
  event: { id: string; partnerId: string; at: number },
  endpointId: string,
): PendingDelivery {
  return {
    id: deliveryId(event.id, endpointId),
    eventId: event.id,
    partnerId: event.partnerId,
    endpointId,
    status: 'PENDING',
    attempts: 0,
    openedAt: event.at,
  };
}

/**
 * How many attempts a delivery records: the first one, and one after each pause. If the delivery is sent
 * again, the oldest attempts are dropped.
 */
const REMEMBERED = BACKOFF_MINUTES.length + 1;

export function withTried(delivery: PendingDelivery, tried: DeliveryAttempt): PendingDelivery {
  return { ...delivery, tried: [...(delivery.tried ?? []), tried].slice(-REMEMBERED) };
}

/** The delivery after an attempt. Without an answer `statusCode` is undefined. */
export function afterAttempt(
  delivery: PendingDelivery,
  statusCode: number | undefined,
  at: Instant,
): Delivery {
  const attempts = delivery.attempts + 1;
  const cleared = { nextAttemptAt: undefined, putOffs: undefined };
  const tried = { ...delivery, ...cleared, attempts, lastStatusCode: statusCode };
  if (statusCode !== undefined && statusCode >= 200 && statusCode < 300)
    return { ...tried, status: 'DELIVERED' };
  const minutes = BACKOFF_MINUTES[attempts - 1];
  if (minutes === undefined || isOpenTooLong(delivery, at)) return parked(tried, at.now);
  return { ...tried, nextAttemptAt: at.now + minutes * at.minuteMs };
}

const isOpenTooLong = ({ openedAt }: Delivery, { now, minuteMs }: Instant) =>
  now - openedAt > OPEN_MINUTES * minuteMs;

/**
 * Ends the attempts. The last pause in `BACKOFF_MINUTES` is used up, or `OPEN_MINUTES` have passed. Or the
 * endpoint was removed or stopped, so it may not be called.
 */
export function parked(delivery: PendingDelivery, now: number): Delivery {
  return { ...delivery, status: 'PARKED', nextAttemptAt: undefined, parkedAt: now };
}

/** Holds the delivery while its partner is suspended: docs/decisions.md, "Accounts of partners". */
export function held(delivery: PendingDelivery, now: number): Delivery {
  return { ...delivery, status: 'HELD', nextAttemptAt: undefined, heldAt: now };
}

/**
 * Ends the hold of a delivery, which becomes due at once. The time of the suspension is not part of the
 * three days for which a delivery is tried (`OPEN_MINUTES`).
 */
export function released(delivery: Delivery, now: number): Delivery {
  if (delivery.status !== 'HELD') return delivery;
  const { heldAt, ...freed } = delivery;
  return { ...freed, status: 'PENDING', openedAt: freed.openedAt + (now - heldAt) };
}

/** If an operator has many deliveries sent again, this many become due in each minute. */
export const REOPENED_A_MINUTE = 500;

/** Starts the delivery again, whatever its status. `place` is its position among the deliveries of the same request. */
export function reopened(delivery: Delivery, { now, minuteMs }: Instant, place = 0): PendingDelivery {
  const dueAt = now + Math.floor(place / REOPENED_A_MINUTE) * minuteMs;
  const fresh = { attempts: 0, putOffs: undefined, heldAt: undefined, parkedAt: undefined };
  return { ...delivery, ...fresh, status: 'PENDING', openedAt: dueAt, nextAttemptAt: dueAt };
}

/** Whether an attempt is due now. A queue may deliver its message twice, or too early. */
export function isDue(delivery: Delivery, now: number): delivery is PendingDelivery {
  return (
    delivery.status === 'PENDING' && (delivery.nextAttemptAt === undefined || delivery.nextAttemptAt <= now)
  );
}

/** An endpoint that answers within `PROMPT_MS` is fast. After `PROMPT_TIMEOUT_MS` its connection is cut. */
const PROMPT_MS = 1_500;
const PROMPT_TIMEOUT_MS = 2_000;
/** The time-out of a slow endpoint. Its attempts run one at a time, so that other endpoints do not wait for it. */
const PATIENT_TIMEOUT_MS = 10_000;
/**
 * How long an attempt claims a slow endpoint: longer than its time-out. If the function dies, the next attempt waits no
 * longer than this.
 */
const CLAIM_MS = PATIENT_TIMEOUT_MS + 5_000;
/**
 * How long a slow endpoint is not called. The index is the number of its attempts in a row that had no
 * answer in time. The last value holds for every larger number.
 */
const REST_MINUTES = [0, 0, 0, 1, 1, 5] as const;
/**
 * How long a delivery is postponed. The index is the number of times that it was postponed before. The last
 * value holds for every larger number.
 */
const PUT_OFF_MINUTES = [1, 1, 2, 5, 10, 20] as const;

/** How an endpoint may be called now: docs/decisions.md, "Webhooks". */
export type EndpointTurn =
  /** Any number of attempts may run at once. */
  | { kind: 'FREELY'; timeoutMs: number }
  /**
   * The attempt may begin only after the caller has saved `claim`. If several callers try to save it, only
   * one succeeds.
   */
  | { kind: 'ALONE'; timeoutMs: number; claim: Pace }
  /** Another attempt at this endpoint is running, so this one is postponed. */
  | { kind: 'BUSY' }
  /**
   * Several attempts in a row had no answer in time. The present attempt counts as failed, without a call.
   */
  | { kind: 'RESTING' };

export function turnOf(pace: Pace | undefined, now: number): EndpointTurn {
  if (!pace?.isSlow) return { kind: 'FREELY', timeoutMs: PROMPT_TIMEOUT_MS };
  if (now < pace.restsUntil) return { kind: 'RESTING' };
  if (now < pace.triedUntil) return { kind: 'BUSY' };
  const claim = { ...pace, triedUntil: now + CLAIM_MS, version: pace.version + 1 };
  return { kind: 'ALONE', timeoutMs: PATIENT_TIMEOUT_MS, claim };
}

/**
 * Postpones the delivery, because another attempt at the endpoint is running. The count of attempts stays
 * the same. `PUT_OFF_MINUTES` has the pauses. If `OPEN_MINUTES` have passed since the delivery began, it is
 * parked.
 */
export function putOff(delivery: PendingDelivery, at: Instant): Delivery {
  if (isOpenTooLong(delivery, at)) return parked(delivery, at.now);
  const { putOffs = 0 } = delivery;
  const minutes = getAt(PUT_OFF_MINUTES, Math.min(putOffs, PUT_OFF_MINUTES.length - 1));
  return { ...delivery, putOffs: putOffs + 1, nextAttemptAt: at.now + minutes * at.minuteMs };
}

type Attempted = { statusCode?: number; tookMs: number };

/**
 * The endpoint's pace after an attempt. Undefined if the endpoint is fast and was fast before. An error
 * status does not make an endpoint slow, because an endpoint that refuses at once delays no other endpoint.
 */
export function paceAfter(
  pace: Pace | undefined,
  { statusCode, tookMs }: Attempted,
  { now, minuteMs }: Instant,
): Pace | undefined {
  const isSlow = tookMs > PROMPT_MS;
  if (!isSlow && !pace?.isSlow) return undefined;
  const unanswered = isSlow && statusCode === undefined ? (pace?.unanswered ?? 0) + 1 : 0;
  const minutes = getAt(REST_MINUTES, Math.min(unanswered, REST_MINUTES.length - 1));
  const version = (pace?.version ?? 0) + 1;
  return { isSlow, unanswered, triedUntil: now, restsUntil: now + minutes * minuteMs, version };
}
