import { batchesOf } from '../domain/batches.ts';
import type { Needs } from '../domain/ports.ts';
import { DAY_MS } from '../domain/time.ts';
import { schedule } from '../entry/schedule.ts';

export const needs = ['lostEvents', 'dueDeliveries', 'partners:read', 'webhookQueue', 'clock'] as const;
type Ports = Needs<typeof needs>;

const AT_ONCE = 100;
const MOST_LOST = 100;
/**
 * The most deliveries of one run, which take much less than the function's time-out. Partners share them equally,
 * rounded up.
 */
const MOST_DUE = 2000;
/**
 * The most replays of one run. They are queued after all other deliveries. Partners share them equally,
 * rounded up.
 */
const MOST_REPLAYS = 200;
/**
 * An event normally needs seconds from the table's stream to the queue. An event that is older than this, in real time,
 * was lost on the way.
 */
const EVENT_GRACE_MS = 2 * 60_000;
/** A queued delivery that was not tried for this long, in real time, is queued again. */
const DELIVERY_GRACE_MS = 5 * 60_000;

/**
 * Runs each minute. It queues lost events, due deliveries, and deliveries that were held while their partner
 * was suspended. At the end it queues replays.
 */
export async function queueDueDeliveries(ports: Ports) {
  const { lostEvents, dueDeliveries, webhookQueue, clock } = ports;
  const now = clock.now();
  const lost = await lostEvents.listUndelivered(now - EVENT_GRACE_MS, MOST_LOST);
  await Promise.all(lost.map((eventId) => queueLost(eventId, ports)));
  const queued = new Set(lost);
  const due = [...(await listShares(ports, now)), ...(await listReplays(ports, now))];
  for (const some of batchesOf(due, AT_ONCE)) {
    // Each delivery is postponed before it is queued. A quick consumer may then set the time of the next
    // attempt itself. A slow queue does not fill with repetitions of the same delivery.
    const look = { now, until: now + DELIVERY_GRACE_MS };
    await Promise.all(some.map((due) => dueDeliveries.postpone(due, look)));
    const eventIds = new Set(some.map(({ id }) => eventIdOf(id)).filter((id) => !queued.has(id)));
    await Promise.all([...eventIds].map((eventId) => webhookQueue.send({ eventId })));
    for (const eventId of eventIds) queued.add(eventId);
  }
  return { queued: queued.size };
}

/**
 * Queues a lost event again. The next try waits as long as the event is old. An event that can never be
 * delivered is therefore queued more and more seldom, and does not crowd out others.
 */
async function queueLost(eventId: string, { lostEvents, webhookQueue, clock }: Ports): Promise<void> {
  const event = await lostEvents.findEvent(eventId);
  if (!event) return;
  await webhookQueue.send({ eventId });
  const now = clock.now();
  const age = Number.isFinite(event.at) ? now - event.at : DAY_MS;
  await lostEvents.postpone(eventId, now + age);
}

/** The id of a delivery consists of the event's id, `#` and the endpoint's id. */
const eventIdOf = (deliveryId: string) => deliveryId.replace(/#.*$/s, '');

type DueDelivery = { id: string; partnerId: string };

/**
 * Lists an equal share of deliveries for each partner, and lets the partners take turns: docs/decisions.md,
 * "Webhooks".
 */
async function listShares(ports: Ports, now: number): Promise<DueDelivery[]> {
  const reinstated = await listReinstated(ports, now);
  const partnerIds = [...new Set([...reinstated, ...(await ports.dueDeliveries.listDuePartners(now))])];
  const share = Math.ceil(MOST_DUE / partnerIds.length);
  async function list(partnerId: string) {
    const isReinstated = reinstated.includes(partnerId);
    const ids = await listShare(ports, { partnerId, now, share, isReinstated });
    return ids.map((id, turn) => ({ turn, delivery: { id, partnerId } }));
  }
  const due: { turn: number; delivery: DueDelivery }[] = [];
  for (const some of batchesOf(partnerIds, AT_ONCE)) {
    const shares = await Promise.all(some.map(list));
    due.push(...shares.flat());
  }
  return due.sort((a, b) => a.turn - b.turn).map(({ delivery }) => delivery);
}

/**
 * Lists the partners who have held deliveries but are no longer suspended. It costs one read for each
 * partner, however many deliveries are held.
 */
async function listReinstated({ dueDeliveries, partners }: Ports, now: number): Promise<string[]> {
  const partnerIds = await dueDeliveries.listHeldPartners(now);
  const found = await Promise.all(partnerIds.map((partnerId) => partners.findPartner(partnerId)));
  return partnerIds.filter((_, index) => found[index]?.status !== 'SUSPENDED');
}

type Share = { partnerId: string; now: number; share: number; isReinstated: boolean };

/** Lists one partner's share. Held deliveries come first, because they are older. */
async function listShare({ dueDeliveries }: Ports, { partnerId, now, share, isReinstated }: Share) {
  const held = isReinstated ? await dueDeliveries.listHeld(partnerId, now, share) : [];
  const left = share - held.length;
  return left > 0 ? [...held, ...(await dueDeliveries.listDue(partnerId, now, left))] : held;
}

/**
 * Lists the due replays, with an equal share for each partner: docs/decisions.md, "Webhooks".
 */
async function listReplays({ dueDeliveries }: Ports, now: number): Promise<DueDelivery[]> {
  const partnerIds = await dueDeliveries.listReplayPartners(now);
  const share = Math.ceil(MOST_REPLAYS / partnerIds.length);
  const lists = partnerIds.map(async (partnerId) => {
    const ids = await dueDeliveries.listReplays(partnerId, now, share);
    return ids.map((id) => ({ id, partnerId }));
  });
  return (await Promise.all(lists)).flat();
}

export const handler = schedule({ needs }, queueDueDeliveries);
