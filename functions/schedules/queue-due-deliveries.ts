import type { Needs } from '../domain/ports.ts';
import { schedule } from '../entry/schedule.ts';

export const needs = ['events', 'deliveries', 'partners:read', 'webhookQueue', 'clock'] as const;
type Ports = Needs<typeof needs>;

const AT_ONCE = 100;
const MOST_LOST = 100;
/** Queued well within the function's time. Shared between the partners, rounded up. */
const MOST_DUE = 2000;
/** Events travel in seconds, real ones in any sandbox; one this old was lost between the stream and the queue. */
const EVENT_GRACE_MS = 2 * 60_000;
/** A delivery that was queued has so long to be tried before it is queued again, also real time. */
const DELIVERY_GRACE_MS = 5 * 60_000;

/** Each minute: what is due to partners is queued, what was held of those reinstated, and what the outbox lost. */
export async function queueDueDeliveries(ports: Ports) {
  const { events, deliveries, webhookQueue, clock } = ports;
  const now = clock.now();
  const lost = await events.listUndelivered(now - EVENT_GRACE_MS, MOST_LOST);
  await Promise.all(lost.map((eventId) => webhookQueue.send({ eventId })));
  const queued = new Set(lost);
  for (const some of chunks(await listShares(ports, now))) {
    // First, for whoever is quick to try it plans the next attempt. And so that a slow queue is not filled up.
    await Promise.all(some.map((each) => deliveries.postpone(each, { now, until: now + DELIVERY_GRACE_MS })));
    const eventIds = new Set(some.map(({ id }) => eventIdOf(id)).filter((id) => !queued.has(id)));
    await Promise.all([...eventIds].map((eventId) => webhookQueue.send({ eventId })));
    for (const eventId of eventIds) queued.add(eventId);
  }
  return { queued: queued.size };
}

/** A delivery is named by its event and its endpoint. */
const eventIdOf = (deliveryId: string) => deliveryId.replace(/#.*$/s, '');

type Due = { id: string; partnerId: string };

/** As much of each partner as of any other, and by turns: docs/decisions.md, "A slow partner delays no other". */
async function listShares(ports: Ports, now: number): Promise<Due[]> {
  const reinstated = await listReinstated(ports, now);
  const partnerIds = [...new Set([...reinstated, ...(await ports.deliveries.listDuePartners(now))])];
  const share = Math.ceil(MOST_DUE / partnerIds.length);
  async function list(partnerId: string) {
    const isReinstated = reinstated.includes(partnerId);
    const ids = await listShare(ports, { partnerId, now, share, isReinstated });
    return ids.map((id, turn) => ({ turn, each: { id, partnerId } }));
  }
  const due: { turn: number; each: Due }[] = [];
  for (const some of chunks(partnerIds)) {
    const shares = await Promise.all(some.map(list));
    due.push(...shares.flat());
  }
  return due.sort((a, b) => a.turn - b.turn).map(({ each }) => each);
}

/** Of whom something is held, and who is suspended no more: it costs a read of each, however much is held. */
async function listReinstated({ deliveries, partners }: Ports, now: number): Promise<string[]> {
  const partnerIds = await deliveries.listHeldPartners(now);
  const found = await Promise.all(partnerIds.map((partnerId) => partners.findPartner(partnerId)));
  return partnerIds.filter((_, index) => found[index]?.status !== 'SUSPENDED');
}

type Share = { partnerId: string; now: number; share: number; isReinstated: boolean };

/** What was held comes first: it is older. */
async function listShare({ deliveries }: Ports, { partnerId, now, share, isReinstated }: Share) {
  const held = isReinstated ? await deliveries.listHeld(partnerId, now, share) : [];
  const left = share - held.length;
  return left > 0 ? [...held, ...(await deliveries.listDue(partnerId, now, left))] : held;
}

function chunks<Item>(items: Item[]): Item[][] {
  const count = Math.ceil(items.length / AT_ONCE);
  return Array.from({ length: count }, (_, index) => items.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}

export const handler = schedule({ needs }, queueDueDeliveries);
