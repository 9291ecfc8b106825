import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { openDelivery } from '../../functions/domain/partners/deliveries.ts';
import { needs, queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { DUE } from '../../functions/tables/sharded.ts';
import { announced } from '../support/announcements.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts, putPurchaseIn, START_AT } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
// Each test has its own tables, because a sweep reads everything.
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

async function world(endpoints?: string[]) {
  const ports = openPorts(tables);
  return { ports, ...(await announced(tables, ports, endpoints)) };
}

describe('an event', () => {
  test('is queued if it has no delivery after two minutes', async () => {
    const { ports, eventId } = await world();
    ports.clock.advance(2 * MINUTE_MS);

    expect(await queueDueDeliveries(ports)).toEqual({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
  });

  test('is queued again until it has a delivery', async () => {
    const { ports, eventId, deliver } = await world();
    ports.clock.advance(2 * MINUTE_MS);
    await queueDueDeliveries(ports);
    ports.clock.advance(4 * MINUTE_MS);
    await queueDueDeliveries(ports);
    expect(ports.webhookQueue.sent).toEqual([{ eventId }, { eventId }]);

    await deliver();

    ports.clock.advance(DAY_MS);
    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 0 });
  });

  test('is queued seldom if no delivery can take it up', async () => {
    const { ports } = await world();
    for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
      await queueDueDeliveries(ports);
      ports.clock.advance(MINUTE_MS);
    }

    expect(ports.webhookQueue.sent).toHaveLength(11);
  });

  test('of another shape delays no other, and is queued again after a day', async () => {
    const { ports, eventId } = await world();
    const Item = { id: '__proto__', sweep: keyIn(DUE, '__proto__'), nextCheckAt: 0, at: 'yesterday' };
    await tables.client.send(new PutCommand({ TableName: tables.names.events, Item }));
    ports.clock.advance(2 * MINUTE_MS);

    expect(await queueDueDeliveries(ports)).toEqual({ queued: 2 });
    expect(ports.webhookQueue.sent).toContainEqual({ eventId });

    ports.clock.advance(DAY_MS);
    expect(await queueDueDeliveries(ports)).toEqual({ queued: 1 });
    ports.clock.advance(3 * MINUTE_MS);
    expect(await queueDueDeliveries(ports)).toEqual({ queued: 1 });
  });

  test('has two minutes to arrive by itself', async () => {
    const { ports } = await world();
    ports.clock.advance(2 * MINUTE_MS - 1);

    expect(await queueDueDeliveries(ports)).toEqual({ queued: 0 });
  });
});

describe('a delivery', () => {
  test('is queued when its next attempt is due, and not earlier', async () => {
    const { ports, eventId, deliver, answer, delivery } = await world();
    answer('one', 500);
    await deliver();
    const { nextAttemptAt } = (await delivery())!;
    ports.clock.advance(nextAttemptAt! - ports.clock.now() - 1);
    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 0 });

    ports.clock.advance(1);
    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
    answer('one', 200);
    await deliver();
    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 0 });
  });

  test('is queued again after five minutes without an attempt, and not every minute', async () => {
    const { ports, eventId, deliver, answer } = await world();
    answer('one', 500);
    await deliver();
    ports.clock.advance(MINUTE_MS);
    await queueDueDeliveries(ports);

    ports.clock.advance(5 * MINUTE_MS - 1);
    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 0 });
    ports.clock.advance(1);
    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }, { eventId }]);
  });

  test('is queued with all others, even more than a page', async () => {
    const { ports, partnerId } = await world();
    const save = (index: number) => {
      const event = { id: `event${index}.1`, partnerId, at: START_AT };
      return ports.deliveries.save({ ...openDelivery(event, 'one'), nextAttemptAt: START_AT + index });
    };
    await Promise.all(Array.from({ length: 250 }, (_, index) => save(index)));
    ports.clock.advance(MINUTE_MS);

    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 250 });

    expect(new Set(ports.webhookQueue.sent.map(({ eventId }) => eventId)).size).toBe(250);
    expect(ports.webhookQueue.sent).toHaveLength(250);
  });

  test('is queued once for all endpoints of its event', async () => {
    const { ports, eventId, deliver, answer } = await world(['one', 'two']);
    answer('one', 500);
    answer('two', undefined);
    await deliver();
    ports.clock.advance(MINUTE_MS);

    expect(await queueDueDeliveries(ports)).toMatchObject({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
  });

  test('does not wait for the reasons that a purchase waits for', async () => {
    const { ports, eventId } = await world();
    await putPurchaseIn(ports, 'PROCESSING', { nextCheckAt: 0 });
    const hang = () => new Promise<never>(() => undefined);
    Object.assign(ports.machine, { start: hang, isRunning: hang, resume: hang });
    ports.clock.advance(2 * MINUTE_MS);

    expect(await queueDueDeliveries(ports)).toEqual({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
    expect(needs.filter((need) => /^(machine|transactions)/.test(need))).toEqual([]);
  });

  // docs/decisions.md, "Webhooks"
  test('is queued at once, whatever is due to another partner, and before most of that', async () => {
    const ports = openPorts(tables);
    const save = (partnerId: string, index: number, nextAttemptAt: number) => {
      const event = { id: `${partnerId}${index}.1`, partnerId, at: START_AT };
      return ports.deliveries.save({ ...openDelivery(event, 'one'), nextAttemptAt });
    };
    await Promise.all(Array.from({ length: 2_001 }, (_, index) => save('many', index, START_AT)));
    await save('last', 0, START_AT + MINUTE_MS);
    await save('few', 0, START_AT + MINUTE_MS);
    await save('later', 0, START_AT + MINUTE_MS + 1);
    ports.clock.advance(MINUTE_MS);

    const { queued } = await queueDueDeliveries(ports);

    const sent = ports.webhookQueue.sent.map(({ eventId }) => String(eventId));
    expect(sent.slice(0, 3).sort()).toEqual(['few0.1', 'last0.1', expect.stringMatching(/^many/)]);
    // Three partners share the 2,000 deliveries of a run. Two of them have one delivery each.
    expect(queued).toBe(667 + 2);
    expect((await queueDueDeliveries(ports)).queued).toBe(2_001 - 667);
  });
});
