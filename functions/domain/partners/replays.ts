/** Rules for deliveries that a partner asks for again: docs/decisions.md, "Webhooks". */

import { DAY_MS } from '../time.ts';
import {
  type Delivery,
  type EndpointTurn,
  openDelivery,
  type Pace,
  type PendingDelivery,
  turnOf,
} from './deliveries.ts';
import type { DomainEvent } from './events.ts';
import type { Partner } from './partner.ts';
import { FILTERED_TYPES, requireEndpoint, takesEvent, type WebhookEndpoint } from './webhook-endpoint.ts';

/** The API call that sends the events of a range of time again. */
export const REPLAY_CALL = 'POST /v1/laas/events/replay' as const;
export const LONGEST_REPLAY_DAYS = 31;
const LONGEST_REPLAY_MS = LONGEST_REPLAY_DAYS * DAY_MS;
/** Clocks of two functions differ by less than this. */
const MARGIN_MS = 60_000;

/**
 * The ranges of time in which an endpoint may have missed events before it was last enabled. Each range is
 * short enough for one replay.
 */
export function missedRanges({ resumed }: Pick<WebhookEndpoint, 'resumed'>): { from: number; to: number }[] {
  if (!resumed) return [];
  const end = resumed.at + MARGIN_MS;
  const count = Math.ceil((end - resumed.missedFrom) / LONGEST_REPLAY_MS);
  return Array.from({ length: count }, (_, index) => {
    const from = resumed.missedFrom + index * LONGEST_REPLAY_MS;
    return { from, to: Math.min(end, from + LONGEST_REPLAY_MS) };
  });
}

/**
 * A partner's request to send events again. `by` is the request's id. Without `endpointId` every endpoint gets the
 * events.
 */
export type ReplayOrder = {
  by: string;
  endpointId?: string;
  /** Leaves out events that the endpoint has taken. */
  missedOnly?: boolean;
};

/**
 * The endpoints that get the event again: those that would get a new event of this type now. They include
 * endpoints that were added or enabled after the event. An event about the account goes only to endpoints to
 * which it was assigned before.
 */
export function replayTargets(
  { webhookEndpoints }: Pick<Partner, 'webhookEndpoints'>,
  { type, endpointIds = [] }: DomainEvent,
  endpointId?: string,
): string[] {
  const asked = endpointId === undefined ? webhookEndpoints : [requireEndpoint(webhookEndpoints, endpointId)];
  const isForAll = (FILTERED_TYPES as readonly string[]).includes(type);
  return asked
    .filter((endpoint) => takesEvent(endpoint, type) && (isForAll || endpointIds.includes(endpoint.id)))
    .map(({ id }) => id);
}

/**
 * The delivery as it starts again. Undefined while the delivery is pending or held, and if this request has
 * already started it. Undefined also for a delivered event if `missedOnly` is set.
 */
export function replayed(delivery: Delivery, { by, missedOnly }: ReplayOrder, now: number) {
  if (delivery.status === 'PENDING' || delivery.status === 'HELD' || delivery.replayedBy === by)
    return undefined;
  if (missedOnly && delivery.status === 'DELIVERED') return undefined;
  const { parkedAt: _, putOffs: __, ...ended } = delivery;
  return asReplayed({ ...ended, status: 'PENDING', attempts: 0 }, by, now);
}

/** The first delivery of an event to an endpoint, made by a replay. `replayed` is for a delivery that exists. */
export const openReplay = (
  event: DomainEvent,
  endpointId: string,
  { by, now }: { by: string; now: number },
) => asReplayed(openDelivery(event, endpointId), by, now);

function asReplayed(delivery: PendingDelivery, by: string, now: number): PendingDelivery {
  return { ...delivery, openedAt: now, nextAttemptAt: now, replayedBy: by };
}

/**
 * Before a replay calls a slow endpoint, no attempt may have been running there for this long. A first
 * delivery can therefore come between two replays.
 */
const GAP_MS = 15_000;

/**
 * How an endpoint may be called for a replay. The answer is that of `turnOf`, but a slow endpoint is `BUSY`
 * until it has been free for `GAP_MS`.
 */
export function replayTurnOf(pace: Pace | undefined, now: number): EndpointTurn {
  const isTaken = pace?.isSlow && now < pace.triedUntil + GAP_MS;
  const turn = turnOf(pace, now);
  return isTaken && turn.kind === 'ALONE' ? { kind: 'BUSY' } : turn;
}
