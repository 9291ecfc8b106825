import { describe, expect, test } from 'vitest';
import { replayEvent } from '../../functions/api/replay-event.ts';
import type { WebhookEndpoint } from '../../functions/domain/partners/webhook-endpoint.ts';
import { queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { announced } from '../support/announcements.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

async function world(endpoints?: string[]) {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const made = await announced(tables, ports, endpoints);
  const partnerOf = async (id = made.partnerId) => (await ports.partners.findPartner(id))!;
  /** Each call is a request of its own, unless the test repeats one. */
  let requests = 0;
  async function replay(endpointId?: string, request = `request ${requests++}`) {
    const caller = { partner: await partnerOf(), ids: { request: () => request } as never };
    return replayEvent({ eventId: made.eventId, endpointId }, caller, ports);
  }
  async function changeEndpoints(change: (endpoints: WebhookEndpoint[]) => WebhookEndpoint[]) {
    const partner = await partnerOf();
    await ports.partners.save(partner, { webhookEndpoints: change(partner.webhookEndpoints) });
  }
  return { ports, ...made, partnerOf, replay, changeEndpoints };
}

describe('200', () => {
  // docs/decisions.md, "Webhooks"
  test('sends a delivered event again under its own id', async () => {
    const { ports, eventId, deliver, replay, posts } = await world();
    await deliver();

    expect(await replay()).toEqual({ id: eventId, endpointIds: ['one'] });
    await deliver();

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
    expect(posts()).toEqual(['one', 'one']);
    const [first, second] = ports.webhookSender.posted;
    expect([second!.id, second!.body]).toEqual([first!.id, first!.body]);
  });

  test('sends a failed event again for another three days, and its log shows all attempts', async () => {
    const { ports, deliver, delivery, answer, replay } = await world();
    answer('one', 500);
    ports.clock.advance(4 * 24 * 60 * MINUTE_MS);
    await deliver();
    expect(await delivery()).toMatchObject({ status: 'PARKED' });

    await replay();
    await deliver();

    const { status, attempts, parkedAt, tried } = (await delivery())!;
    expect({ status, attempts, parkedAt }).toEqual({ status: 'PENDING', attempts: 1, parkedAt: undefined });
    expect(tried).toHaveLength(2);
  });

  test('leaves alone what is on its way', async () => {
    const { ports, deliver, delivery, answer, replay } = await world();
    expect(await replay()).toMatchObject({ endpointIds: [] });
    answer('one', 500);
    await deliver();
    const before = await delivery();

    expect(await replay()).toMatchObject({ endpointIds: [] });

    expect(await delivery()).toEqual(before);
    expect(ports.webhookQueue.sent).toEqual([]);
  });

  test('begins no delivery twice for one request', async () => {
    const { deliver, replay, posts } = await world();
    await deliver();
    await replay(undefined, 'one request');
    await deliver();

    expect(await replay(undefined, 'one request')).toMatchObject({ endpointIds: [] });
    await deliver();

    expect(posts()).toEqual(['one', 'one']);
  });

  test('goes to the named endpoint alone', async () => {
    const { deliver, replay, posts } = await world(['one', 'two']);
    await deliver();

    expect(await replay('two')).toMatchObject({ endpointIds: ['two'] });
    await deliver();

    expect(posts().sort()).toEqual(['one', 'two', 'two']);
  });

  test('goes to an endpoint that was disabled at the time, and to none that is disabled now', async () => {
    const { deliver, replay, posts, changeEndpoints } = await world(['one', 'two']);
    const stop = (stopped: string) => (endpoints: WebhookEndpoint[]) =>
      endpoints.map(({ stopped: _, ...each }) =>
        each.id === stopped ? { ...each, stopped: { as: 'DISABLED' as const, at: 0 } } : each,
      );
    await changeEndpoints(stop('two'));
    await deliver();
    await changeEndpoints(stop('one'));

    expect(await replay()).toMatchObject({ endpointIds: ['two'] });
    await deliver();

    expect(posts()).toEqual(['one', 'two']);
  });

  test('is queued by the schedule if its message is lost', async () => {
    const { ports, eventId, deliver, replay } = await world();
    await deliver();
    await replay();
    ports.webhookQueue.sent.length = 0;

    ports.clock.advance(MINUTE_MS);
    await queueDueDeliveries(ports);

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
  });
});

describe('404', () => {
  test('refuses an unknown event, another partner’s, and an unknown endpoint', async () => {
    const { ports, eventId, partnerOf, replay } = await world();
    const partner = await partnerOf();
    const ask = (id: string, partnerId: string) =>
      replayEvent(
        { eventId: id, endpointId: undefined },
        { partner: { ...partner, id: partnerId }, ids: { request: () => 'r' } as never },
        ports,
      );

    await expect(ask('unknown', partner.id)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await expect(ask(eventId, 'stranger')).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await expect(replay('unknown')).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
  });
});
