import { describe, expect, test } from 'vitest';
import { openDelivery, reopened } from '../../functions/domain/partners/deliveries.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { announced } from '../support/announcements.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts } from '../support/ports.ts';
import { memoryTables, tapped } from '../support/tables.ts';

const tables = memoryTables();

const SECOND_MS = 1000;

/** A partner with one endpoint that needs the given time, and events to send there. */
async function world() {
  const ports = openPorts(tables);
  const { partnerId, url, newEvent } = await announced(tables, ports);
  const says = { tookMs: 0, statusCode: 200 as number | undefined };
  ports.webhookSender.answers.set(url(), async () => {
    ports.clock.advance(says.tookMs);
    return says.statusCode;
  });
  return {
    ports,
    partnerId,
    url: url(),
    newEvent,
    answers: (tookMs: number, statusCode?: number) => Object.assign(says, { tookMs, statusCode }),
    deliver: (eventId: string) => deliverWebhook({ eventId }, ports),
    delivery: (eventId: string) => ports.deliveries.findDelivery(eventId, 'one'),
    pace: () => ports.deliveries.findPace(partnerId, url()),
    posts: () => ports.webhookSender.posted.map(({ id, timeoutMs }) => ({ id, timeoutMs })),
  };
}

describe('an endpoint that answers promptly', () => {
  test('is tried for two seconds, and nothing is stored about it', async () => {
    const { newEvent, deliver, posts, pace, answers } = await world();
    const id = await newEvent();
    answers(1_500, 200);

    await deliver(id);

    expect(posts()).toEqual([{ id, timeoutMs: 2_000 }]);
    expect(await pace()).toBeUndefined();
  });

  test.each([500, undefined])('delays nobody if it answers promptly with %s', async (statusCode) => {
    const { newEvent, deliver, delivery, posts, pace, answers } = await world();
    answers(20, statusCode);
    const ids = [await newEvent(), await newEvent(), await newEvent(), await newEvent(), await newEvent()];

    for (const id of ids) await deliver(id);

    expect(posts()).toHaveLength(5);
    expect(await pace()).toBeUndefined();
    expect(await delivery(ids[4]!)).toMatchObject({ status: 'PENDING', attempts: 1 });
  });
});

describe('an endpoint that hangs', () => {
  // docs/decisions.md, "Webhooks"
  test('is tried longer afterwards, by one function at a time; others are postponed and not counted', async () => {
    const { ports, url, newEvent, deliver, delivery, posts, answers } = await world();
    const [first, second, third] = [await newEvent(), await newEvent(), await newEvent()];
    answers(2_000, undefined);
    await deliver(first!);
    // The third event arrives while the second is tried.
    ports.webhookSender.answers.set(url, async () => {
      await deliver(third!);
      ports.clock.advance(4 * SECOND_MS);
      return 200;
    });

    await deliver(second!);

    expect(posts()).toEqual([
      { id: first, timeoutMs: 2_000 },
      { id: second, timeoutMs: 10_000 },
    ]);
    expect(await delivery(second!)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
    const put = ports.clock.now() - 4 * SECOND_MS + MINUTE_MS;
    expect(await delivery(third!)).toMatchObject({ status: 'PENDING', attempts: 0, nextAttemptAt: put });
    ports.clock.advance(MINUTE_MS);
    await deliver(third!);
    expect(await delivery(third!)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  });

  test('pauses after three silent attempts; later events are planned without an attempt', async () => {
    const { ports, newEvent, deliver, delivery, posts, answers, pace } = await world();
    answers(10_000, undefined);
    for (let times = 0; times < 3; times++) await deliver(await newEvent());
    const waiting = await newEvent();

    await deliver(waiting);

    expect(posts()).toHaveLength(3);
    expect(await pace()).toMatchObject({ unanswered: 3 });
    const next = ports.clock.now() + 0.1 * MINUTE_MS;
    expect(await delivery(waiting)).toMatchObject({ status: 'PENDING', attempts: 1, nextAttemptAt: next });
  });

  test('gets one attempt after its pause, and everything after its first prompt answer', async () => {
    const { ports, newEvent, deliver, delivery, posts, answers } = await world();
    answers(10_000, undefined);
    for (let times = 0; times < 3; times++) await deliver(await newEvent());
    const waiting = [await newEvent(), await newEvent(), await newEvent()];
    for (const id of waiting) await deliver(id);
    answers(20, 204);
    ports.clock.advance(MINUTE_MS);

    for (const id of waiting) await deliver(id);

    const tried = posts().slice(3);
    expect(tried).toEqual([
      { id: waiting[0], timeoutMs: 10_000 },
      { id: waiting[1], timeoutMs: 2_000 },
      { id: waiting[2], timeoutMs: 2_000 },
    ]);
    for (const id of waiting) expect(await delivery(id)).toMatchObject({ status: 'DELIVERED' });
  });

  test('is parked after three days like any other, mostly without attempts', async () => {
    const { ports, newEvent, deliver, delivery, answers, posts } = await world();
    answers(10_000, undefined);
    for (let times = 0; times < 5; times++) await deliver(await newEvent());
    const waiting = await newEvent();
    const tries = posts().length;

    await deliver(waiting);
    for (let next = await delivery(waiting); next?.nextAttemptAt; next = await delivery(waiting)) {
      ports.clock.advance(Math.max(0, next.nextAttemptAt - ports.clock.now()));
      await deliver(waiting);
    }

    expect(await delivery(waiting)).toMatchObject({ status: 'PARKED', attempts: 11 });
    expect(posts().length - tries).toBeLessThan(11);
  });

  test('costs fifty short waits under fifty messages at once, and they count as one', async () => {
    const { ports, url, newEvent, deliver, pace, posts } = await world();
    const ids = await Promise.all(Array.from({ length: 50 }, newEvent));
    // All messages are being sent before the first one gives up.
    let inFlight = 0;
    const all = Promise.withResolvers<void>();
    ports.webhookSender.answers.set(url, async () => {
      inFlight += 1;
      if (inFlight === 50) {
        ports.clock.advance(2_000);
        all.resolve();
      }
      await all.promise;
      return undefined;
    });

    await Promise.all(ids.map(deliver));

    expect(new Set(posts().map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([2_000]));
    expect(await pace()).toMatchObject({ isSlow: true, unanswered: 1, version: 1 });
  });

  test('is as slow as before when it is removed and added again', async () => {
    const { ports, partnerId, newEvent, deliver, posts, answers } = await world();
    answers(2_000, undefined);
    await deliver(await newEvent());
    const partner = (await ports.partners.findPartner(partnerId))!;
    const webhookEndpoints = partner.webhookEndpoints.map((each) => ({ ...each, id: 'another' }));
    await ports.partners.save(partner, { webhookEndpoints });

    await deliver(await newEvent());

    expect(posts().map(({ timeoutMs }) => timeoutMs)).toEqual([2_000, 10_000]);
  });

  test('is tried again a minute later by another delivery if an attempt broke off', async () => {
    const { ports, url, newEvent, deliver, delivery, answers } = await world();
    answers(2_000, undefined);
    await deliver(await newEvent());
    const [broken, next] = [await newEvent(), await newEvent()];
    ports.webhookSender.answers.set(url, () => Promise.reject(new Error('out of memory')));
    await expect(deliver(broken!)).rejects.toThrow('out of memory');
    ports.webhookSender.answers.set(url, async () => 200);

    await deliver(next!);
    expect(await delivery(next!)).toMatchObject({ status: 'PENDING', attempts: 0 });

    ports.clock.advance(MINUTE_MS);
    await deliver(next!);
    expect(await delivery(next!)).toMatchObject({ status: 'DELIVERED' });
  });
});

describe('a delivery whose row a litigation hold is just changing', () => {
  test('is sent once, and its next look is saved', async () => {
    const met = new Set<string>();
    // DynamoDB refuses a plain write of a row that a transaction is writing.
    const contended = tapped(tables, (send) => async (command) => {
      const { TableName = '' } = (command as { input: { TableName?: string } }).input;
      const name = `${command.constructor.name} ${TableName}`;
      const isPlain = [tables.names.deliveries, tables.names.events].includes(TableName);
      if (!/Put|Update/.test(name) || !isPlain || met.has(name)) return send(command);
      met.add(name);
      throw Object.assign(new Error('met'), { name: 'TransactionConflictException' });
    });
    const ports = openPorts(contended);
    const { eventId, deliver, posts, delivery, answer } = await announced(tables, ports);
    answer('one', 500);

    await deliver();

    expect(posts()).toEqual(['one']);
    expect(await delivery()).toMatchObject({ attempts: 1 });
    ports.clock.advance(MINUTE_MS);
    await queueDueDeliveries(ports);
    expect(ports.webhookQueue.sent).toContainEqual({ eventId });
    expect(met.size).toBe(3);
  });
});

describe('a delivery that is started again while an attempt is running', () => {
  /** The endpoint answers each attempt only after an operator has started the delivery again. */
  async function overtaken(statusCode: number) {
    const its = await world();
    const id = await its.newEvent();
    const { ports } = its;
    let restarted = 0;
    ports.webhookSender.answers.set(its.url, async () => {
      ports.clock.advance(SECOND_MS);
      const found = (await its.delivery(id)) ?? openDelivery({ id, partnerId: its.partnerId, at: 0 }, 'one');
      restarted = ports.clock.now();
      await ports.deliveries.save(reopened(found, instantOf(ports.clock)));
      return statusCode;
    });
    await its.deliver(id);
    return { ...its, id, restarted };
  }

  test('is due at once, although that attempt failed', async () => {
    const { id, delivery, restarted } = await overtaken(500);

    expect(await delivery(id)).toMatchObject({ status: 'PENDING', attempts: 0, nextAttemptAt: restarted });
  });

  test('is over, if that attempt succeeded', async () => {
    const { id, delivery } = await overtaken(200);

    expect(await delivery(id)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  });
});
