import type { DomainEvent } from '../../domain/partners/events.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import { openReplay, type ReplayOrder, replayed, replayTargets } from '../../domain/partners/replays.ts';
import type { Needs } from '../../domain/ports.ts';

export const REPLAY_NEEDS = ['eventTargets', 'deliveries', 'clock'] as const;
type Ports = Needs<typeof REPLAY_NEEDS>;

/**
 * Starts the deliveries of an event again. A delivery that has not ended yet stays as it is. If the event's
 * first deliveries have not been created yet, nothing starts.
 *
 * @returns the endpoints whose delivery starts
 */
export async function replayToEndpoints(
  event: DomainEvent,
  { partner, order }: { partner: Partner; order: ReplayOrder },
  ports: Ports,
): Promise<string[]> {
  const targets = replayTargets(partner, event, order.endpointId);
  if (!event.endpointIds) return [];
  const begun = await Promise.all(targets.map((id) => beginReplay(event, { endpointId: id, order }, ports)));
  return targets.filter((_, index) => begun[index]);
}

type ReplayTarget = { endpointId: string; order: ReplayOrder };

/**
 * Starts one delivery. The endpoint is first added to the event's row. Without this entry the service would
 * not find the delivery again.
 */
async function beginReplay(
  event: DomainEvent,
  { endpointId, order }: ReplayTarget,
  ports: Ports,
): Promise<boolean> {
  const { deliveries, eventTargets } = ports;
  const now = ports.clock.now();
  const found = await deliveries.findDelivery(event.id, endpointId);
  const next = found ? replayed(found, order, now) : openReplay(event, endpointId, { by: order.by, now });
  if (!next) return false;
  if (!event.endpointIds?.includes(endpointId)) await eventTargets.add(event.id, endpointId);
  await deliveries.save(next);
  return true;
}

/** This many events are handled at once. */
const AT_ONCE = 20;

/**
 * Starts the deliveries of several events again, as `replayToEndpoints` does. Returns how many deliveries start.
 */
export async function replayAllToEndpoints(
  events: readonly DomainEvent[],
  asked: { partner: Partner; order: ReplayOrder },
  ports: Ports,
): Promise<number> {
  let deliveries = 0;
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const some = events.slice(from, from + AT_ONCE);
    const begun = await Promise.all(some.map((event) => replayToEndpoints(event, asked, ports)));
    deliveries += begun.flat().length;
  }
  return deliveries;
}
