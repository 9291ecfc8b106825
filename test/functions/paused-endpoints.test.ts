import { describe, expect, test } from 'vitest';
import { listEvents } from '../../functions/api/list-events.ts';
import { editWebhookEndpoint } from '../../functions/api/partner/edit-webhook-endpoint.ts';
import { enableWebhookEndpoint } from '../../functions/api/partner/enable-webhook-endpoint.ts';
import { removeWebhookEndpoint } from '../../functions/api/partner/remove-webhook-endpoint.ts';
import { testWebhookEndpoint } from '../../functions/api/partner/test-webhook-endpoint.ts';
import { replayEvents } from '../../functions/api/replay-events.ts';
import { endpointStatus } from '../../functions/domain/partners/webhook-endpoint.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { announced } from '../support/announcements.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { newId, openPorts } from '../support/ports.ts';
import { memoryTables, type Tables, tapped } from '../support/tables.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const iso = (at: number) => new Date(at).toISOString();

/** A partner with endpoints of these names, of which the first fails and the others take everything. */
async function world(endpoints = ['one', 'two'], tables: Tables = memoryTables()) {
  const ports = openPorts(tables);
  const made = await announced(tables, ports, endpoints);
  made.answer('one', 500);
  const { partnerId, newEvent } = made;
  const partner = async () => (await ports.partners.findPartner(partnerId))!;
  const caller = async () => ({ partner: await partner(), ids: { request: newId } as never });
  const deliver = (eventId: string) => deliverWebhook({ eventId }, ports);
  const listed = async () => (await listEvents({ limit: 100 }, await caller(), ports)).events;
  return {
    ...made,
    ports,
    deliver,
    caller,
    listed,
    endpoint: async (name = 'one') => (await partner()).webhookEndpoints.find(({ id }) => id === name),
    status: async () => (await partner()).webhookEndpoints.map(endpointStatus)[0],
    pauses: async () => (await listed()).filter(({ type }) => type === 'webhook_endpoint.paused'),
    /** Lets the days pass, with an event each twelve hours. Each event is tried once. */
    async pass(days: number) {
      for (let half = 0; half < 2 * days; half++) {
        await deliver(await newEvent());
        ports.clock.advance(12 * HOUR_MS);
      }
    },
    /** Runs the schedule and the consumer until nothing is due. */
    async settle() {
      for (let queued = -1; queued !== 0; ports.clock.advance(10 * MINUTE_MS)) {
        await queueDueDeliveries(ports);
        const ids = ports.webhookQueue.sent.splice(0).map(({ eventId }) => String(eventId));
        for (const id of ids) await deliver(id);
        queued = ids.length;
      }
    },
    postsTo: (name: string) =>
      ports.webhookSender.posted.filter(({ url }) => url === made.url(name)).map(({ id }) => id),
  };
}
type World = Awaited<ReturnType<typeof world>>;

describe('an endpoint that fails for five days without a success', () => {
  // docs/decisions.md, "Webhooks"
  test('is paused, and the others and our operators hear of it', async () => {
    const { ports, pass, newEvent, deliver, endpoint, pauses, postsTo } = await world();
    const since = ports.clock.now();
    await pass(5);
    expect(await endpoint()).not.toHaveProperty('stopped');

    await deliver(await newEvent());

    const now = ports.clock.now();
    expect(await endpoint()).toMatchObject({ stopped: { as: 'PAUSED', at: now, missedFrom: since } });
    expect(await endpoint('two')).not.toHaveProperty('stopped');
    const [event, ...more] = await pauses();
    expect(more).toEqual([]);
    const body = { endpointId: 'one', missedOnly: true, from: iso(since) };
    expect(event).toMatchObject({
      timestamp: iso(now),
      data: {
        endpointId: 'one',
        failingSince: iso(since),
        replay: { call: 'POST /v1/laas/events/replay', body },
        sequence: 1,
      },
    });
    expect(ports.log.raised).toEqual([]);
    await deliver(event!.id);
    await deliver(event!.id);
    expect(ports.log.raised).toEqual(['WebhookEndpointPaused']);
    expect(postsTo('two').filter((id) => id === event!.id)).toHaveLength(1);
    expect(postsTo('one')).not.toContain(event!.id);
  });

  test('is paused without another endpoint, too: the event is in the log, and the alarm rings', async () => {
    const { ports, pass, newEvent, deliver, pauses, status } = await world(['one']);
    await pass(5);
    await deliver(await newEvent());

    const [event] = await pauses();
    await deliver(event!.id);

    expect(await status()).toBe('PAUSED');
    expect(ports.log.raised).toEqual(['WebhookEndpointPaused']);
    expect(ports.log.errors.join()).toContain('one');
    expect(await ports.deliveries.findDelivery(event!.id, 'one')).toBeUndefined();
    expect(await ports.events.findEvent(event!.id)).toMatchObject({ endpointIds: [] });
  });

  test('is paused again five days after it was enabled, if it still fails', async () => {
    const { ports, pass, newEvent, deliver, pauses, status, caller } = await world();
    await pass(6);
    await enableWebhookEndpoint({ endpointId: 'one' }, await caller(), ports);

    await pass(5);
    expect(await status()).toBe('ENABLED');
    await deliver(await newEvent());

    expect(await status()).toBe('PAUSED');
    expect(await pauses()).toHaveLength(2);
  });
});

describe('an endpoint is not paused', () => {
  test('after one success within the five days', async () => {
    const { pass, answer, newEvent, deliver, status } = await world();
    await pass(4.5);
    answer('one', 204);
    await deliver(await newEvent());
    answer('one', 500);

    await pass(5);

    expect(await status()).toBe('ENABLED');
    await deliver(await newEvent());
    expect(await status()).toBe('PAUSED');
  });

  test('if it got nothing for more than two days, or nothing but silence between two failures', async () => {
    const { ports, pass, newEvent, deliver, status } = await world();
    await pass(4);
    ports.clock.advance(2 * DAY_MS);
    await deliver(await newEvent());
    expect(await status()).toBe('ENABLED');

    ports.clock.advance(30 * DAY_MS);
    await deliver(await newEvent());

    expect(await status()).toBe('ENABLED');
  });

  test('for the failures at another address', async () => {
    const { ports, pass, newEvent, deliver, status, caller, partnerId } = await world();
    await pass(4.5);
    const url = `https://${partnerId}.example/moved`;
    ports.webhookSender.answers.set(url, async () => 500);
    await editWebhookEndpoint({ endpointId: 'one', url }, await caller(), ports);

    await pass(1);
    await deliver(await newEvent());

    expect(await status()).toBe('ENABLED');
  });

  /** Something that comes between the decision and its write. */
  const RIVALS: [string, (of: World) => Promise<unknown>, string | undefined][] = [
    ['disables', edited({ enabled: false }), 'DISABLED'],
    ['moves', edited({ url: 'https://other.example/' }), 'ENABLED'],
    [
      'removes',
      async ({ ports, caller }) => removeWebhookEndpoint({ endpointId: 'one' }, await caller(), ports),
      undefined,
    ],
    [
      'repairs',
      async ({ answer, newEvent, deliver }) => {
        answer('one', 204);
        await deliver(await newEvent());
      },
      'ENABLED',
    ],
  ];
  function edited(edit: { enabled?: boolean; url?: string }) {
    return async ({ ports, caller }: World) =>
      editWebhookEndpoint({ endpointId: 'one', ...edit }, await caller(), ports);
  }

  test.each(RIVALS)('if its partner %s it while the pause is written', async (_, rival, status) => {
    const of = await world(['one', 'two']);
    await of.pass(5);
    const { pause } = of.ports.failingEndpoints;
    of.ports.failingEndpoints.pause = async (...args) => {
      of.ports.failingEndpoints.pause = pause;
      await rival(of);
      return pause(...args);
    };

    await of.deliver(await of.newEvent());

    const endpoint = await of.endpoint();
    expect(endpoint && endpointStatus(endpoint)).toBe(status);
    expect(await of.pauses()).toEqual([]);
  });
});

describe('the pause', () => {
  test('is written after another change of the partner came between', async () => {
    const of = await world();
    await of.pass(5);
    const { pause } = of.ports.failingEndpoints;
    of.ports.failingEndpoints.pause = async (...args) => {
      of.ports.failingEndpoints.pause = pause;
      const edit = { endpointId: 'two', description: 'the ledger' };
      await editWebhookEndpoint(edit, await of.caller(), of.ports);
      return pause(...args);
    };

    await of.deliver(await of.newEvent());

    expect(await of.status()).toBe('PAUSED');
    expect(await of.endpoint('two')).toMatchObject({ description: 'the ledger' });
    expect(await of.pauses()).toHaveLength(1);
  });

  test('is announced once if twenty deliveries fail at once', async () => {
    const { pass, newEvent, deliver, pauses, status } = await world();
    await pass(5);
    const ids = await Promise.all(Array.from({ length: 20 }, newEvent));

    await Promise.all(ids.map(deliver));

    expect(await status()).toBe('PAUSED');
    expect(await pauses()).toHaveLength(1);
  });

  test('happens once, whichever write of the delivery a crash comes before or after', async () => {
    let [calls, dyingAt, isAfter] = [0, 0, false];
    const tables = tapped(memoryTables(), (send) => async (command) => {
      const dies = ++calls === dyingAt;
      if (dies && !isAfter) throw new Error('the process dies');
      const answer = await send(command);
      if (dies) throw new Error('the process dies');
      return answer;
    });
    for (let at = 1, isOver = false; !isOver; at++) {
      for (isAfter of [false, true]) {
        dyingAt = 0;
        const { pass, newEvent, deliver, pauses, status } = await world(['one'], tables);
        await pass(5);
        const eventId = await newEvent();
        [calls, dyingAt] = [0, at];
        isOver = await deliver(eventId).then(
          () => true,
          () => false,
        );
        dyingAt = 0;
        await deliver(eventId);
        await deliver(await newEvent());

        expect([at, await status()]).toEqual([at, 'PAUSED']);
        expect([at, (await pauses()).length]).toEqual([at, 1]);
      }
    }
    expect(calls).toBeGreaterThan(10);
  });
});

describe('a delivery to an endpoint that is stopped', () => {
  test.each(['disabled', 'paused'])('is kept, parked and not sent while the endpoint is %s', async (how) => {
    const { ports, pass, newEvent, deliver, caller, postsTo } = await world();
    if (how === 'paused') await pass(5);
    const eventId = await newEvent();
    await deliver(eventId);
    const stop = { endpointId: 'one', enabled: false };
    if (how === 'disabled') await editWebhookEndpoint(stop, await caller(), ports);
    const before = await ports.deliveries.findDelivery(eventId, 'one');
    const posts = postsTo('one').length;
    ports.clock.advance(DAY_MS);

    await deliver(eventId);

    expect(postsTo('one')).toHaveLength(posts);
    expect(before).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect(await ports.deliveries.findDelivery(eventId, 'one')).toMatchObject({
      status: 'PARKED',
      attempts: 1,
      parkedAt: ports.clock.now(),
      tried: before!.tried,
    });
  });

  test('is sent if it is a test, and its failures pause nothing', async () => {
    const { ports, caller, deliver, postsTo, pauses } = await world();
    const stop = { endpointId: 'one', enabled: false };
    await editWebhookEndpoint(stop, await caller(), ports);

    for (let day = 0; day < 7; day++) {
      const { eventId } = await testWebhookEndpoint({ endpointId: 'one' }, await caller(), ports);
      await deliver(eventId);
      expect(postsTo('one')).toContain(eventId);
      ports.clock.advance(DAY_MS);
    }

    expect(await pauses()).toEqual([]);
  });

  // docs/decisions.md, "Webhooks"
  test('comes after all, like each event of the time, once the partner enables and replays', async () => {
    const { ports, pass, settle, answer, caller, listed, postsTo } = await world();
    await pass(3);
    await settle();
    await pass(40);
    await settle();
    const events = (await listed()).filter(({ type }) => type === 'transaction.completed');
    answer('one', 204);

    const before = postsTo('one').length;
    const { status, replays } = await enableWebhookEndpoint({ endpointId: 'one' }, await caller(), ports);
    expect(status).toBe('ENABLED');
    expect(replays?.map(({ call }) => call)).toEqual(Array(2).fill('POST /v1/laas/events/replay'));
    for (const { body } of replays!) await replayEvents(body, await caller(), ports);
    await settle();

    expect(events).toHaveLength(1 + 2 * 43);
    expect(postsTo('one').slice(before).sort()).toEqual(events.map(({ id }) => id).sort());
  });
});
