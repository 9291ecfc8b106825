import type { DomainEvent } from '../../domain/partners/events.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import { openReplay, type ReplayOrder, replayed, replayTargets } from '../../domain/partners/replays.ts';
import type { Needs } from '../../domain/ports.ts';

export const REPLAY_NEEDS = ['eventTargets', 'deliveries', 'clock'] as const;
type Ports = Needs<typeof REPLAY_NEEDS>;

/**
 * Begins the deliveries of an event anew. A delivery that is on its way stays as it is. An event that no delivery has
 * taken up yet is on its way, too.
 *
 * @returns the endpoints whose delivery begins
 */
export async function replayEvent(
  event: DomainEvent,
  { partner, order }: { partner: Partner; order: ReplayOrder },
  ports: Ports,
): Promise<string[]> {
  const targets = replayTargets(partner, event, order.endpointId);
  if (!event.endpointIds) return [];
  const begun = await Promise.all(targets.map((id) => begin(event, { endpointId: id, order }, ports)));
  return targets.filter((_, index) => begun[index]);
}

type Target = { endpointId: string; order: ReplayOrder };

/** The event names the endpoint first, because without that the delivery would never be visited. */
async function begin(event: DomainEvent, { endpointId, order }: Target, ports: Ports): Promise<boolean> {
  const { deliveries, eventTargets } = ports;
  const now = ports.clock.now();
  const found = await deliveries.findDelivery(event.id, endpointId);
  const next = found ? replayed(found, order, now) : openReplay(event, endpointId, { by: order.by, now });
  if (!next) return false;
  if (!event.endpointIds?.includes(endpointId)) await eventTargets.add(event.id, endpointId);
  await deliveries.save(next);
  return true;
}

/** Events of one range that are handled at once. */
const AT_ONCE = 20;

/** Like `replayEvent` for several events. Returns the number of deliveries that begin. */
export async function replayEvents(
  events: readonly DomainEvent[],
  asked: { partner: Partner; order: ReplayOrder },
  ports: Ports,
): Promise<number> {
  let deliveries = 0;
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const some = events.slice(from, from + AT_ONCE);
    const begun = await Promise.all(some.map((event) => replayEvent(event, asked, ports)));
    deliveries += begun.flat().length;
  }
  return deliveries;
}
