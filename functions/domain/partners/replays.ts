/** Deliveries that their partner asks for again: docs/decisions.md, "Replays wait for first deliveries". */
import { type Delivery, openDelivery, type Pace, type Turn, turnOf } from './deliveries.ts';
import type { DomainEvent } from './events.ts';
import type { Partner } from './partner.ts';
import { FILTERED_TYPES, requireEndpoint, takesEvent, type WebhookEndpoint } from './webhook-endpoint.ts';

/** The call that sends the events of a range again, as partners read it. */
export const REPLAY_CALL = 'POST /v1/laas/events/replay' as const;
export const LONGEST_REPLAY_DAYS = 31;
const LONGEST_REPLAY_MS = LONGEST_REPLAY_DAYS * 24 * 60 * 60_000;
/** The clocks of two functions differ by less. */
const MARGIN_MS = 60_000;

/** The ranges that an endpoint may have missed until it was enabled last, each short enough for one replay. */
export function missedRanges({ resumed }: Pick<WebhookEndpoint, 'resumed'>): { from: number; to: number }[] {
  if (!resumed) return [];
  const end = resumed.at + MARGIN_MS;
  const count = Math.ceil((end - resumed.missedFrom) / LONGEST_REPLAY_MS);
  return Array.from({ length: count }, (_, index) => {
    const from = resumed.missedFrom + index * LONGEST_REPLAY_MS;
    return { from, to: Math.min(end, from + LONGEST_REPLAY_MS) };
  });
}

/** `by` is the request that asks. Without `endpointId` each endpoint gets the event. */
export type ReplayOrder = {
  by: string;
  endpointId?: string;
  /** Leaves out what the endpoint has taken. */
  missedOnly?: boolean;
};

/**
 * The endpoints that get the event again: those that would get it now. Among them is one that was added or enabled
 * after the event. An event about the account goes only to endpoints that got it before.
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

/** The delivery that begins anew. Undefined if it is on its way already, or if this request began it before. */
export function replayed(delivery: Delivery, { by, missedOnly }: ReplayOrder, now: number) {
  const { status, replayedBy } = delivery;
  if (status === 'PENDING' || status === 'HELD' || replayedBy === by) return undefined;
  if (missedOnly && status === 'DELIVERED') return undefined;
  const { parkedAt: _, putOffs: __, ...ended } = delivery;
  return begun({ ...ended, status: 'PENDING', attempts: 0 }, by, now);
}

/** The first delivery of the event to an endpoint that it was not for. */
export const openReplay = (
  event: DomainEvent,
  endpointId: string,
  { by, now }: { by: string; now: number },
) => begun(openDelivery(event, endpointId), by, now);

function begun(delivery: Delivery, by: string, now: number): Delivery {
  return { ...delivery, openedAt: now, nextAttemptAt: now, replayedBy: by };
}

/** Longer than the claim of an attempt: between two replays a slow endpoint is free for a first delivery. */
const GAP_MS = 15_000;

/** Like `turnOf`. A slow endpoint is tried with a replay only if nothing was tried for a while. */
export function replayTurnOf(pace: Pace | undefined, now: number): Turn {
  const isTaken = pace?.isSlow && now < pace.triedUntil + GAP_MS;
  const turn = turnOf(pace, now);
  return isTaken && turn.kind === 'ALONE' ? { kind: 'BUSY' } : turn;
}
