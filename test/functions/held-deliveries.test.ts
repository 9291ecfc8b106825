import { beforeEach, describe, expect, test } from 'vitest';
import { held, openDelivery } from '../../functions/domain/partners/deliveries.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { announced } from '../support/announcements.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts, type TestPorts } from '../support/ports.ts';
import { memoryTables, rowIn, type Tables, tapped } from '../support/tables.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;

// Each test has its own tables, because the schedule reads everything.
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

const setStatus = async (ports: TestPorts, partnerId: string, status: Partner['status']) => {
  const partner = (await ports.partners.findPartner(partnerId))!;
  expect(await ports.partners.save(partner, { status })).toBe(true);
};

/** Processes what the schedule queues now. Gives the ids of the queued events. */
async function runSchedule(ports: TestPorts): Promise<string[]> {
  ports.webhookQueue.sent.length = 0;
  await queueDueDeliveries(ports);
  const eventIds = ports.webhookQueue.sent.map(({ eventId }) => String(eventId));
  for (const eventId of eventIds) await deliverWebhook({ eventId }, ports);
  return eventIds;
}

async function world(endpoints?: string[]) {
  const ports = openPorts(tables);
  const made = await announced(tables, ports, endpoints);
  const { partnerId } = made;
  return {
    ports,
    ...made,
    suspend: () => setStatus(ports, partnerId, 'SUSPENDED'),
    reinstate: () => setStatus(ports, partnerId, 'ACTIVE'),
    schedule: () => runSchedule(ports),
  };
}

describe('an event of a suspended partner', () => {
  test('is posted nowhere, counts no failed attempt, and leaves the sweep', async () => {
    const { ports, eventId, suspend, deliver, delivery } = await world(['one', 'two']);
    await suspend();

    await deliver();
    await deliver();

    expect(ports.webhookSender.posted).toEqual([]);
    for (const endpoint of ['one', 'two']) {
      expect(await delivery(endpoint)).toMatchObject({ status: 'HELD', attempts: 0 });
    }
    expect(await rowIn(tables, 'events', eventId)).not.toHaveProperty('sweep');
  });

  // docs/decisions.md, "Accounts of partners"
  test.each([1, 300])('is delivered in full after %i days, once the partner is reinstated', async (days) => {
    const { ports, eventId, suspend, reinstate, deliver, delivery, posts, schedule } = await world([
      'a',
      'b',
    ]);
    await suspend();
    await deliver();
    ports.clock.advance(days * DAY_MS);
    expect(await schedule()).toEqual([]);
    await reinstate();

    expect(await schedule()).toEqual([eventId]);

    expect(posts().sort()).toEqual(['a', 'b']);
    expect(await delivery('a')).toMatchObject({ status: 'DELIVERED', attempts: 1 });
    expect(await delivery('a')).not.toHaveProperty('heldAt');
    ports.clock.advance(10 * MINUTE_MS);
    expect(await schedule()).toEqual([]);
  });

  test('is delivered if the suspension ends while it is being held', async () => {
    const { ports, eventId, suspend, reinstate, deliver, posts, schedule } = await world();
    await suspend();
    const { findDelivery } = ports.deliveries;
    ports.deliveries.findDelivery = async (...of) => {
      await reinstate();
      ports.deliveries.findDelivery = findDelivery;
      return findDelivery(...of);
    };
    await deliver();
    expect(posts()).toEqual([]);

    expect(await schedule()).toEqual([eventId]);

    expect(posts()).toEqual(['one']);
  });

  test('stays held if the partner is suspended again before its turn', async () => {
    const { ports, eventId, suspend, reinstate, deliver, posts, schedule } = await world();
    await suspend();
    await deliver();
    await reinstate();
    await queueDueDeliveries(ports);
    await suspend();
    await deliver();
    expect(posts()).toEqual([]);

    await reinstate();
    ports.clock.advance(5 * MINUTE_MS);

    expect(await schedule()).toEqual([eventId]);
    expect(posts()).toEqual(['one']);
  });

  test('is parked at its turn if its endpoint was removed', async () => {
    const { ports, partnerId, suspend, reinstate, deliver, delivery, schedule } = await world();
    await suspend();
    await deliver();
    const partner = (await ports.partners.findPartner(partnerId))!;
    await ports.partners.save(partner, { webhookEndpoints: [] });
    await schedule();
    expect(await delivery()).toMatchObject({ status: 'HELD' });

    await reinstate();
    await schedule();

    expect(await delivery()).toMatchObject({ status: 'PARKED', attempts: 0 });
  });
});

describe('a delivery that waits for a retry', () => {
  /** A delivery that was tried three times, the last time a day after its event. */
  async function tried() {
    const opened = await world();
    opened.answer('one', 500);
    await opened.deliver();
    for (let times = 0; times < 2; times++) {
      const { nextAttemptAt } = (await opened.delivery())!;
      opened.ports.clock.advance(nextAttemptAt! - opened.ports.clock.now());
      await opened.deliver();
    }
    return opened;
  }
  const waitsOf = async ({ ports, delivery, deliver }: Awaited<ReturnType<typeof tried>>) => {
    const waits: number[] = [];
    for (let next = await delivery(); next?.nextAttemptAt; next = await delivery()) {
      waits.push(next.nextAttemptAt - ports.clock.now());
      ports.clock.advance(waits.at(-1)!);
      await deliver();
    }
    return waits;
  };

  test('has the attempts and the time of before after a suspension', async () => {
    const plain = await tried();
    const [, ...rest] = await waitsOf(plain);
    const held = await tried();
    const { nextAttemptAt } = (await held.delivery())!;
    await held.suspend();
    held.ports.clock.advance(nextAttemptAt! - held.ports.clock.now());
    expect(await held.schedule()).toEqual([held.eventId]);
    expect(await held.delivery()).toMatchObject({ status: 'HELD', attempts: 3, lastStatusCode: 500 });
    held.ports.clock.advance(30 * DAY_MS);
    await held.reinstate();
    await held.schedule();

    expect(await waitsOf(held)).toEqual(rest);
    const [before, after] = [await plain.delivery(), await held.delivery()];
    expect(after).toMatchObject({ status: 'PARKED', attempts: before!.attempts });
  });

  test('is not held before it is due, and its pause ends as planned', async () => {
    const { ports, suspend, reinstate, deliver, delivery } = await tried();
    const before = await delivery();
    await suspend();
    await deliver();

    expect(await delivery()).toEqual(before);

    await reinstate();
    ports.clock.advance(before!.nextAttemptAt! - ports.clock.now());
    await deliver();
    expect(await delivery()).toMatchObject({ status: 'PENDING', attempts: 4 });
  });
});

describe('the schedule', () => {
  test('checks a suspended partner once, however much is held, and learns nothing about the deliveries', async () => {
    const { ports, suspend, deliver, newEvent } = await world();
    await suspend();
    await deliver();
    const callsOf = async () => {
      const calls: string[] = [];
      const counted = openPorts(
        tapped(tables, (send) => (command) => {
          calls.push(command.constructor.name);
          return send(command);
        }),
      );
      counted.clock.advance(ports.clock.now() - counted.clock.now());
      await queueDueDeliveries(counted);
      return calls;
    };
    const calls = await callsOf();
    for (let times = 0; times < 30; times++) await deliverWebhook({ eventId: await newEvent() }, ports);
    ports.clock.advance(DAY_MS);

    expect(await callsOf()).toEqual(calls);

    expect(calls.filter((call) => call === 'GetCommand')).toHaveLength(1);
    expect(calls.filter((call) => /Put|Update/.test(call))).toEqual([]);
  });

  test('queues everything that was held once, even more than a page', async () => {
    const { ports, partnerId, suspend, reinstate } = await world();
    const newEvent = (index: number) => ({ id: `event${index}.1`, partnerId, at: ports.clock.now() });
    await suspend();
    const { clock, deliveries } = ports;
    const save = (index: number) => deliveries.save(held(openDelivery(newEvent(index), 'one'), clock.now()));
    await Promise.all(Array.from({ length: 250 }, (_, index) => save(index)));
    await reinstate();

    expect(await queueDueDeliveries(ports)).toEqual({ queued: 250 });
    clock.advance(MINUTE_MS);
    // The queued deliveries have five minutes to be tried.
    expect(await queueDueDeliveries(ports)).toEqual({ queued: 0 });
  });

  test('gives a reinstated partner no larger share than others', async () => {
    const { ports, partnerId, suspend, reinstate } = await world();
    const now = ports.clock.now();
    const open = (of: string, index: number) =>
      openDelivery({ id: `${of}${index}.1`, partnerId: of, at: now }, 'one');
    await suspend();
    const rows = Array.from({ length: 1_200 }, (_, index) => [
      held(open(partnerId, index), now),
      { ...open(partnerId, 2_000 + index), nextAttemptAt: now },
      { ...open('other', index), nextAttemptAt: now },
    ]).flat();
    for (let from = 0; from < rows.length; from += 100)
      await Promise.all(rows.slice(from, from + 100).map((row) => ports.deliveries.save(row)));
    await reinstate();

    await queueDueDeliveries(ports);

    const sent = ports.webhookQueue.sent.map(({ eventId }) => String(eventId));
    expect(sent.filter((id) => id.startsWith('other'))).toHaveLength(1_000);
    expect(sent.filter((id) => id.startsWith(partnerId))).toHaveLength(1_000);
  });
});
