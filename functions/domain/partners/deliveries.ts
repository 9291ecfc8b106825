import { getAt } from '../get.ts';
import type { Instant } from '../time.ts';

/** One event on its way to one endpoint. Times are epoch milliseconds. */
export type Delivery = {
  id: string;
  eventId: string;
  partnerId: string;
  endpointId: string;
  /** `HELD`: the partner is suspended. */
  status: 'PENDING' | 'HELD' | 'DELIVERED' | 'PARKED';
  attempts: number;
  /** The number of times that it was put off since its last attempt. */
  putOffs?: number;
  /**
   * The time of the event, or of the operator's request to send it again. A suspension of the partner moves it later.
   * Three days after it the attempts end.
   */
  openedAt: number;
  nextAttemptAt?: number;
  lastStatusCode?: number;
  heldAt?: number;
  parkedAt?: number;
  /** The last attempts, the oldest first. */
  tried?: Tried[];
  /** The partner's request that asked for the event again: `functions/domain/partners/replays.ts`. */
  replayedBy?: string;
};

/**
 * One attempt, as its partner reads it. No status: there was no answer in time. No `tookMs`: the endpoint rested, so it
 * was not called.
 */
export type Tried = { at: number; tookMs?: number; statusCode?: number; excerpt?: string };

/** The speed at which an endpoint answers. An endpoint that always answered promptly has none. */
export type Pace = {
  isSlow: boolean;
  /** Consecutive attempts without an answer in time. */
  unanswered: number;
  /** One attempt may be running until `triedUntil`. None may begin before `restsUntil`. */
  triedUntil: number;
  restsUntil: number;
  version: number;
};

/**
 * Minutes between the attempts of one delivery, over some three days. Then the delivery is parked until an operator
 * asks for it again: docs/decisions.md, "Form of a webhook".
 */
export const BACKOFF_MINUTES = [0.1, 1, 5, 30, 120, 300, 600, 840, 1200, 1440] as const;
/** The pauses in words, for each document that names them. */
export const BACKOFF_WORDS = BACKOFF_MINUTES.map(wordsOf).join(', ');

function wordsOf(minutes: number): string {
  if (minutes < 1) return `${minutes * 60} seconds`;
  return minutes < 120 ? `${minutes} min` : `${minutes / 60} h`;
}

/** The limit in time, whatever the number of attempts. A delivery that is put off again and again ends then too. */
export const OPEN_MINUTES = 3 * 24 * 60;

/** The id of one event on its way to one endpoint: `<eventId>#<endpointId>`. */
export const deliveryId = (eventId: string, endpointId: string) => `${eventId}#${endpointId}`;

export function openDelivery(
  event: { id: string; partnerId: string; at: number },
  endpointId: string,
): Delivery {
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

/** All attempts of one schedule. A delivery that is sent again forgets the oldest ones. */
const REMEMBERED = BACKOFF_MINUTES.length + 1;

/** The delivery with one more attempt in its log. */
export function withTried(delivery: Delivery, tried: Tried): Delivery {
  return { ...delivery, tried: [...(delivery.tried ?? []), tried].slice(-REMEMBERED) };
}

/** The delivery after an attempt. `statusCode` is undefined if there was no answer. */
export function afterAttempt(delivery: Delivery, statusCode: number | undefined, at: Instant): Delivery {
  const attempts = delivery.attempts + 1;
  const cleared = { nextAttemptAt: undefined, putOffs: undefined };
  const tried = { ...delivery, ...cleared, attempts, lastStatusCode: statusCode };
  if (statusCode !== undefined && statusCode >= 200 && statusCode < 300)
    return { ...tried, status: 'DELIVERED' };
  const minutes = BACKOFF_MINUTES[attempts - 1];
  if (minutes === undefined || isOver(delivery, at)) return parked(tried, at.now);
  return { ...tried, nextAttemptAt: at.now + minutes * at.minuteMs };
}

const isOver = ({ openedAt }: Delivery, { now, minuteMs }: Instant) =>
  now - openedAt > OPEN_MINUTES * minuteMs;

/** Ends the attempts. The delivery has used up its pauses or its three days, or its endpoint was removed. */
export function parked(delivery: Delivery, now: number): Delivery {
  return { ...delivery, status: 'PARKED', nextAttemptAt: undefined, parkedAt: now };
}

/** Holds the delivery while its partner is suspended: docs/decisions.md, "A suspended partner". */
export function held(delivery: Delivery, now: number): Delivery {
  return { ...delivery, status: 'HELD', nextAttemptAt: undefined, heldAt: now };
}

/** Makes a held delivery due at once. The time of the suspension does not count towards its three days. */
export function released({ heldAt, ...delivery }: Delivery, now: number): Delivery {
  if (heldAt === undefined) return delivery;
  return { ...delivery, status: 'PENDING', openedAt: delivery.openedAt + (now - heldAt) };
}

/** Deliveries that operators ask for again become due in groups: so many in one minute. */
export const REOPENED_A_MINUTE = 500;

/** Starts the delivery anew, whatever its status. `place` is its place among the deliveries of the same request. */
export function reopened(delivery: Delivery, { now, minuteMs }: Instant, place = 0): Delivery {
  const dueAt = now + Math.floor(place / REOPENED_A_MINUTE) * minuteMs;
  const fresh = { attempts: 0, putOffs: undefined, heldAt: undefined, parkedAt: undefined };
  return { ...delivery, ...fresh, status: 'PENDING', openedAt: dueAt, nextAttemptAt: dueAt };
}

/** True if an attempt is due. A queue message may come twice, or too early. */
export function isDue(delivery: Delivery, now: number): boolean {
  return (
    delivery.status === 'PENDING' && (delivery.nextAttemptAt === undefined || delivery.nextAttemptAt <= now)
  );
}

/** An endpoint that answers within the first time is prompt. The connection is cut after the second. */
const PROMPT_MS = 1_500;
const PROMPT_TIMEOUT_MS = 2_000;
/** The time-out of a slow endpoint. It is served alone, so no other endpoint waits for it. */
const PATIENT_TIMEOUT_MS = 10_000;
/** Longer than the time-out. After a crash, the next attempt need not wait longer than this. */
const CLAIM_MS = PATIENT_TIMEOUT_MS + 5_000;
/** By the number of consecutive attempts without an answer in time. The last value holds for all further ones. */
const REST_MINUTES = [0, 0, 0, 1, 1, 5] as const;
/** By the number of times that the delivery was put off. The last value holds for all further ones. */
const PUT_OFF_MINUTES = [1, 1, 2, 5, 10, 20] as const;

/** The way in which an endpoint may be tried now: docs/decisions.md, "A slow partner delays no other". */
export type Turn =
  /** Together with any number of other attempts. */
  | { kind: 'FREELY'; timeoutMs: number }
  /** Only after `claim` was saved. One of several callers can save it. */
  | { kind: 'ALONE'; timeoutMs: number; claim: Pace }
  /** Another attempt is running. */
  | { kind: 'BUSY' }
  /** It did not answer several times in a row. This counts as one more attempt, without a connection. */
  | { kind: 'RESTING' };

export function turnOf(pace: Pace | undefined, now: number): Turn {
  if (!pace?.isSlow) return { kind: 'FREELY', timeoutMs: PROMPT_TIMEOUT_MS };
  if (now < pace.restsUntil) return { kind: 'RESTING' };
  if (now < pace.triedUntil) return { kind: 'BUSY' };
  const claim = { ...pace, triedUntil: now + CLAIM_MS, version: pace.version + 1 };
  return { kind: 'ALONE', timeoutMs: PATIENT_TIMEOUT_MS, claim };
}

/**
 * Puts the delivery off, because another attempt is running. This counts no attempt. The pause grows each time. A
 * delivery whose three days are over is parked instead.
 */
export function putOff(delivery: Delivery, at: Instant): Delivery {
  if (isOver(delivery, at)) return parked(delivery, at.now);
  const { putOffs = 0 } = delivery;
  const minutes = getAt(PUT_OFF_MINUTES, Math.min(putOffs, PUT_OFF_MINUTES.length - 1));
  return { ...delivery, putOffs: putOffs + 1, nextAttemptAt: at.now + minutes * at.minuteMs };
}

type Attempted = { statusCode?: number; tookMs: number };

/**
 * An endpoint's pace after an attempt; undefined if a prompt endpoint was prompt again. Only the time counts: an
 * endpoint that refuses at once delays no other.
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
