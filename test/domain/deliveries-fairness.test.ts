import { describe, expect, test } from 'vitest';
import {
  afterAttempt,
  type Delivery,
  isDue,
  openDelivery,
  type Pace,
  type PendingDelivery,
  paceAfter,
  parked,
  putOff,
  reopened,
  turnOf,
} from '../../functions/domain/partners/deliveries.ts';
import { queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { MINUTE_MS } from '../support/builders.ts';

const SECOND_MS = 1000;
const HOUR_S = 60 * 60;

/** Deliveries of two partners in memory, with a clock. `run` queues those that are due, and returns what it queued. */
function world() {
  const rows = new Map<string, { delivery: Delivery; lookAt?: number }>();
  const clock = { at: 0, now: () => clock.at, minuteMs: MINUTE_MS };
  const dueOf = (partnerId: string, now: number) =>
    [...rows.values()]
      .filter(({ delivery, lookAt = now + 1 }) => delivery.partnerId === partnerId && lookAt <= now)
      .sort((a, b) => a.lookAt! - b.lookAt!)
      .map(({ delivery: { id } }) => id);
  const save = (delivery: Delivery) => rows.set(delivery.id, { delivery, lookAt: delivery.nextAttemptAt });
  const queue: string[] = [];
  const ports = {
    clock,
    lostEvents: { listUndelivered: async () => [] },
    webhookQueue: { send: async ({ eventId }: Record<string, unknown>) => void queue.push(String(eventId)) },
    dueDeliveries: {
      listHeldPartners: async () => [],
      listReplayPartners: async () => [],
      listDuePartners: async (now: number) =>
        ['slow', 'sound'].filter((partnerId) => dueOf(partnerId, now).length > 0),
      listDue: async (partnerId: string, now: number, limit: number) => dueOf(partnerId, now).slice(0, limit),
      postpone: async ({ id }: { id: string }, { until }: { until: number }) => {
        rows.get(id)!.lookAt = until;
      },
    },
  };
  const open = (partnerId: string, eventId: string) =>
    openDelivery({ id: eventId, partnerId, at: clock.at }, 'one');
  return {
    clock,
    rows,
    open,
    save,
    find: (eventId: string) => rows.get(`${eventId}#one`)!.delivery,
    async run() {
      await queueDueDeliveries(ports as unknown as Parameters<typeof queueDueDeliveries>[0]);
      return queue.splice(0);
    },
  };
}

/** An endpoint that answers 200 after two seconds every time. It is slow and never pauses. */
function slowEndpoint({ clock, save }: ReturnType<typeof world>) {
  let pace: Pace | undefined;
  const trying: { endsAt: number; next: Pace | undefined }[] = [];
  return {
    visit(delivery: PendingDelivery) {
      while (trying[0] && trying[0].endsAt <= clock.at) {
        const { next } = trying.shift()!;
        pace = next && { ...next, version: (pace?.version ?? 0) + 1 };
      }
      const turn = turnOf(pace, clock.at);
      const at = { now: clock.at, minuteMs: MINUTE_MS };
      if (turn.kind === 'BUSY') return save(putOff(delivery, at));
      if (turn.kind === 'RESTING') throw new Error('an endpoint that answers never rests');
      if (turn.kind === 'ALONE') pace = turn.claim;
      const end = { ...at, now: clock.at + 2 * SECOND_MS };
      trying.push({ endsAt: end.now, next: paceAfter(pace, { statusCode: 200, tookMs: 2_000 }, end) });
      return save(afterAttempt(delivery, 200, end));
    },
  };
}

describe('a retry of another partner is queued by the first run after it is due', () => {
  // docs/decisions.md, "Webhooks"
  test('while one endpoint takes two seconds for each of 200 events a minute', async () => {
    const here = world();
    const slow = slowEndpoint(here);
    for (let second = 0; second < 2 * HOUR_S; second++) {
      here.clock.at = second * SECOND_MS;
      for (let count = 0; second % 3 !== 2 && count < 5; count++)
        slow.visit(here.open('slow', `slow${second}.${count}`));
      if (second % 60 !== 0) continue;
      const id = `sound${second}.1`;
      here.save({ ...here.open('sound', id), nextAttemptAt: here.clock.at });

      const queued = await here.run();

      expect(queued, `minute ${second / 60}`).toContain(id);
      // The partners take turns, so it is not last in the queue either.
      expect(queued.indexOf(id)).toBeLessThan(2);
      for (const eventId of queued) {
        const delivery = here.find(eventId);
        if (!isDue(delivery, here.clock.at)) continue;
        if (delivery.partnerId === 'sound')
          here.save(afterAttempt(delivery, 200, { now: here.clock.at, minuteMs: MINUTE_MS }));
        else slow.visit(delivery);
      }
    }
    const waiting = [...here.rows.values()].filter(({ lookAt }) => lookAt !== undefined);
    expect(waiting.length).toBeGreaterThan(5_000);
  });

  test('while 50,000 parked deliveries are sent again', async () => {
    const here = world();
    const at = { now: 0, minuteMs: MINUTE_MS };
    for (let place = 0; place < 50_000; place++)
      here.save(reopened(parked(here.open('slow', `slow${place}.1`), 0), at, place));
    const sizes: number[] = [];
    for (let minute = 0; minute < 10; minute++) {
      here.clock.at = minute * MINUTE_MS;
      const id = `sound${minute}.1`;
      here.save({ ...here.open('sound', id), nextAttemptAt: here.clock.at });

      const queued = await here.run();

      expect(queued.indexOf(id)).toBeGreaterThanOrEqual(0);
      expect(queued.indexOf(id)).toBeLessThan(2);
      sizes.push(queued.length);
      for (const delivery of queued.map(here.find))
        if (isDue(delivery, here.clock.at))
          here.save(afterAttempt(delivery, 200, { ...at, now: here.clock.at }));
    }
    expect(sizes).toEqual(Array.from({ length: 10 }, () => 501));
  });
});
