import type { Instant } from '../time.ts';

/** One event on its way to one endpoint. Times in epoch milliseconds. */
export type Delivery = {
  id: string;
  eventId: string;
  partnerId: string;
  endpointId: string;
  /** `HELD`: its partner is suspended. */
  status: 'PENDING' | 'HELD' | 'DELIVERED' | 'PARKED';
  attempts: number;
  /** How often it was put off since its last attempt. */
  putOffs?: number;
  /** When its event came, or when it was asked for again: three days later nobody tries it any more. */
  openedAt: number;
  nextAttemptAt?: number;
  lastStatusCode?: number;
  heldAt?: number;
  parkedAt?: number;
};

/** How an endpoint keeps us waiting; there is none of an endpoint that always answered promptly. */
export type Pace = {
  isSlow: boolean;
  /** Attempts in a row that had no answer in time. */
  unanswered: number;
  /** Until then somebody is trying it; until then nobody is to. */
  triedUntil: number;
  restsUntil: number;
  version: number;
};

/**
 * Minutes between the attempts of one delivery, over three days; afterwards it is parked until somebody asks for
 * it again: docs/decisions.md, "Form of a webhook".
 */
export const BACKOFF_MINUTES = [0.1, 1, 5, 30, 120, 300, 600, 840, 1200, 1440] as const;
/** Whatever its count says: what was put off again and again ends then too. */
const OPEN_MINUTES = 3 * 24 * 60;

/** One event on its way to one endpoint: `<eventId>#<endpointId>`. */
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

/** A delivery after an attempt that ended with an HTTP status, or with no answer at all. */
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

/** Nobody tries it any more: its pauses are used up, or its endpoint was removed. */
export function parked(delivery: Delivery, now: number): Delivery {
  return { ...delivery, status: 'PARKED', nextAttemptAt: undefined, parkedAt: now };
}

/** Untried and unplanned while its partner is suspended: docs/decisions.md, "A suspended partner". */
export function held(delivery: Delivery, now: number): Delivery {
  return { ...delivery, status: 'HELD', nextAttemptAt: undefined, heldAt: now };
}

/** As it was when it was held, and due at once: the time in between is no part of its three days. */
export function released({ heldAt, ...delivery }: Delivery, now: number): Delivery {
  if (heldAt === undefined) return delivery;
  return { ...delivery, status: 'PENDING', openedAt: delivery.openedAt + (now - heldAt) };
}

/** So many of those that operators ask for again are due in one minute. */
export const REOPENED_A_MINUTE = 500;

/**
 * From the beginning, whatever became of it: an operator asks for it again, as the one of many that stands at `place`.
 */
export function reopened(delivery: Delivery, { now, minuteMs }: Instant, place = 0): Delivery {
  const dueAt = now + Math.floor(place / REOPENED_A_MINUTE) * minuteMs;
  const fresh = { attempts: 0, putOffs: undefined, heldAt: undefined, parkedAt: undefined };
  return { ...delivery, ...fresh, status: 'PENDING', openedAt: dueAt, nextAttemptAt: dueAt };
}

/** Whether an attempt is due: a message may come twice, or before its time. */
export function isDue(delivery: Delivery, now: number): boolean {
  return (
    delivery.status === 'PENDING' && (delivery.nextAttemptAt === undefined || delivery.nextAttemptAt <= now)
  );
}

/** Who answers within the first keeps being served at once; a connection is cut after the second. */
const PROMPT_MS = 1_500;
const PROMPT_TIMEOUT_MS = 2_000;
/** For an endpoint that is served alone: nobody else waits for it. */
const PATIENT_TIMEOUT_MS = 10_000;
/** Over the time-out: a crashed attempt keeps its turn no longer. */
const CLAIM_MS = PATIENT_TIMEOUT_MS + 5_000;
/** By attempts in a row that had no answer in time; the last holds for all further ones. */
const REST_MINUTES = [0, 0, 0, 1, 1, 5] as const;
/** By how often it was put off since its last attempt; the last holds for all further ones. */
const PUT_OFF_MINUTES = [1, 1, 2, 5, 10, 20] as const;

/** How an endpoint may be tried now: docs/decisions.md, "A slow partner delays no other". */
export type Turn =
  /** With any number of others at once. */
  | { kind: 'FREELY'; timeoutMs: number }
  /** After `claim` was saved, which one of several can. */
  | { kind: 'ALONE'; timeoutMs: number; claim: Pace }
  /** Somebody else is trying. */
  | { kind: 'BUSY' }
  /** It did not answer several times in a row: this counts as one more, without a connection. */
  | { kind: 'RESTING' };

export function turnOf(pace: Pace | undefined, now: number): Turn {
  if (!pace?.isSlow) return { kind: 'FREELY', timeoutMs: PROMPT_TIMEOUT_MS };
  if (now < pace.restsUntil) return { kind: 'RESTING' };
  if (now < pace.triedUntil) return { kind: 'BUSY' };
  const claim = { ...pace, triedUntil: now + CLAIM_MS, version: pace.version + 1 };
  return { kind: 'ALONE', timeoutMs: PATIENT_TIMEOUT_MS, claim };
}

/** Untried, and not counted: looked at again when the turn of others is over. It pauses longer each time. */
export function putOff(delivery: Delivery, at: Instant): Delivery {
  if (isOver(delivery, at)) return parked(delivery, at.now);
  const { putOffs = 0 } = delivery;
  const minutes = PUT_OFF_MINUTES[Math.min(putOffs, PUT_OFF_MINUTES.length - 1)]!;
  return { ...delivery, putOffs: putOffs + 1, nextAttemptAt: at.now + minutes * at.minuteMs };
}

type Attempted = { statusCode: number | undefined; tookMs: number };

/**
 * An endpoint's pace after an attempt; undefined where it is as before. Only time counts: who refuses at once, be it
 * the connection, keeps nobody waiting.
 */
export function paceAfter(
  pace: Pace | undefined,
  { statusCode, tookMs }: Attempted,
  { now, minuteMs }: Instant,
): Pace | undefined {
  const isSlow = tookMs > PROMPT_MS;
  if (!isSlow && !pace?.isSlow) return undefined;
  const unanswered = isSlow && statusCode === undefined ? (pace?.unanswered ?? 0) + 1 : 0;
  const minutes = REST_MINUTES[Math.min(unanswered, REST_MINUTES.length - 1)]!;
  const version = (pace?.version ?? 0) + 1;
  return { isSlow, unanswered, triedUntil: now, restsUntil: now + minutes * minuteMs, version };
}
