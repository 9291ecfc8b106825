import { describe, expect, test } from 'vitest';
import { getEvent } from '../../functions/api/get-event.ts';
import { announced } from '../support/announcements.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { openPorts, START_AT } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

async function world(endpoints?: string[]) {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const made = await announced(tables, ports, endpoints);
  const read = (eventId = made.eventId, partnerId = made.partnerId) =>
    getEvent({ eventId }, { partner: aPartner({ id: partnerId }), ids: undefined as never }, ports);
  return { ports, ...made, read };
}

const iso = (at: number) => new Date(at).toISOString();

describe('200', () => {
  // docs/decisions.md, "Webhooks"
  test('shows the event with no delivery before its first one', async () => {
    const { eventId, read } = await world();

    expect(await read()).toMatchObject({
      id: eventId,
      type: 'transaction.completed',
      timestamp: iso(START_AT),
      data: { status: 'COMPLETED', sequence: 1 },
      deliveries: [],
      retrySchedule: {
        pausesMinutes: [0.1, 1, 5, 30, 120, 300, 600, 840, 1200, 1440],
        endsAfterMinutes: 4320,
      },
    });
  });

  test('shows each attempt at each endpoint, with the answer and the next attempt', async () => {
    const { ports, read, deliver, answer } = await world(['good', 'bad']);
    ports.webhookSender.excerpt = 'what it said';
    answer('bad', 500);
    await deliver();
    ports.clock.advance(MINUTE_MS);
    answer('bad', undefined);
    await deliver();

    const { deliveries } = await read();

    expect(deliveries).toEqual([
      {
        endpointId: 'good',
        status: 'DELIVERED',
        attempts: [{ at: iso(START_AT), durationMs: 0, statusCode: 200, answer: 'what it said' }],
      },
      {
        endpointId: 'bad',
        status: 'PENDING',
        attempts: [
          { at: iso(START_AT), durationMs: 0, statusCode: 500, answer: 'what it said' },
          { at: iso(START_AT + MINUTE_MS), durationMs: 0, statusCode: undefined, answer: 'what it said' },
        ],
        nextAttemptAt: iso(START_AT + 2 * MINUTE_MS),
      },
    ]);
  });

  test('shows a delivery after its last attempt as FAILED, with the attempts of one schedule at most', async () => {
    const { ports, read, deliver, answer } = await world();
    answer('one', 500);
    for (let attempt = 0; attempt < 12; attempt++) {
      await deliver();
      ports.clock.advance(24 * 60 * MINUTE_MS);
    }

    const [delivery] = (await read()).deliveries;

    expect(delivery).toMatchObject({ status: 'FAILED' });
    expect(delivery).not.toHaveProperty('nextAttemptAt');
    expect(delivery!.attempts.length).toBeLessThanOrEqual(11);
  });

  test('shows no secret and no address', async () => {
    const { read, deliver } = await world();
    await deliver();

    expect(JSON.stringify(await read())).not.toMatch(/whsec_|cipher|https:/i);
  });
});

describe('404', () => {
  test.each(['unknown', '__proto__', 'x'.repeat(200)])('refuses the unknown id %s', async (id) => {
    const { read } = await world();

    await expect(read(id)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  test('refuses another partner’s event in the same way', async () => {
    const { eventId, read } = await world();

    await expect(read(eventId, 'stranger')).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND', details: {} });
  });
});
