import { describe, expect, test } from 'vitest';
import { handler, replayEvents } from '../../functions/api/replay-events.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { eventWorld } from '../support/event-lists.ts';
import { START_AT } from '../support/ports.ts';
import { issuesBy } from '../support/requests.ts';

const iso = (at: number) => new Date(at).toISOString();
const RANGE = { from: iso(START_AT), to: iso(START_AT + MINUTE_MS) };
type Asked = Partial<Parameters<typeof replayEvents>[0]>;

/** The partner `acme` with an endpoint, and some events that it has taken. */
async function world(count: number) {
  const made = eventWorld();
  const { ports } = made;
  const secretCipher = await ports.webhookSealer.encrypt('whsec_one', 'acme');
  const endpoint = { id: 'one', url: 'https://acme.example/one', secretCipher, createdAt: 0 };
  const partner = aPartner({ id: 'acme', webhookEndpoints: [endpoint] });
  await ports.register.create(partner);
  const deliver = async (ids: string[]) => {
    for (const eventId of ids) await deliverWebhook({ eventId }, ports);
  };
  const ids = await made.putSome(count);
  await deliver(ids);
  let requests = 0;
  const replay = (asked: Asked = {}, request = `request ${requests++}`) =>
    replayEvents(
      { ...RANGE, missedOnly: false, ...asked },
      { partner, ids: { request: () => request } as never },
      ports,
    );
  /** Runs the schedule and then the consumer. Returns the ids in the order of their messages. */
  async function run(): Promise<string[]> {
    await queueDueDeliveries(ports);
    const queued = ports.webhookQueue.sent.splice(0).map(({ eventId }) => String(eventId));
    await deliver(queued);
    return queued;
  }
  const timesPosted = () => ports.webhookSender.posted.length;
  return { ...made, partner, ids, deliver, replay, run, timesPosted };
}

describe('200', () => {
  // docs/decisions.md, "Webhooks"
  test('sends the events of the range again, and says how many', async () => {
    const { ids, replay, run, timesPosted } = await world(5);

    const answer = await replay({ from: iso(START_AT + 1), to: iso(START_AT + 4) });

    expect(answer).toEqual({ events: 3, deliveries: 3, nextCursor: undefined });
    expect((await run()).sort()).toEqual(ids.slice(1, 4).sort());
    expect(timesPosted()).toBe(5 + 3);
  });

  test('sends one type', async () => {
    const { put, deliver, replay } = await world(2);
    const { id } = await put({ id: 'kyc1', type: 'kyc.approved' });
    await deliver([id]);

    expect(await replay({ type: 'kyc.approved' })).toMatchObject({ events: 1, deliveries: 1 });
  });

  test('finds no events before 1970', async () => {
    const { replay } = await world(1);

    const answer = await replay({ from: '1969-12-31T23:59:58Z', to: '1969-12-31T23:59:59Z' });

    expect(answer).toMatchObject({ events: 0, deliveries: 0 });
  });

  test('sends what the endpoint has missed, if asked for that alone', async () => {
    const { ports, putSome, deliver, replay, run } = await world(2);
    ports.webhookSender.answers.set('https://acme.example/one', async () => 410);
    const missed = await putSome(2);
    ports.clock.advance(4 * 24 * 60 * MINUTE_MS);
    await deliver(missed);

    expect(await replay({ missedOnly: true })).toMatchObject({ events: 4, deliveries: 2 });
    expect((await run()).sort()).toEqual([...missed].sort());
  });

  test('begins at most 200 in a call, and the rest with the cursor', async () => {
    const { replay } = await world(203);

    const first = await replay();
    const second = await replay({ cursor: first.nextCursor });

    expect(first).toEqual({ events: 200, deliveries: 200, nextCursor: expect.any(String) });
    expect(second).toEqual({ events: 3, deliveries: 3, nextCursor: undefined });
  });

  test('begins nothing twice: neither by the same request nor while it is on its way', async () => {
    const { replay, run, timesPosted } = await world(3);
    await replay({}, 'one request');
    expect(await replay()).toMatchObject({ events: 3, deliveries: 0 });
    await run();

    expect(await replay({}, 'one request')).toMatchObject({ events: 3, deliveries: 0 });
    expect(timesPosted()).toBe(6);
  });

  // docs/decisions.md, "Webhooks"
  test('queues 200 a minute, behind each retry of a first delivery', async () => {
    const { ports, ids, putSome, deliver, replay, run } = await world(203);
    ports.webhookSender.answers.set('https://acme.example/one', async () => 500);
    const [retried = ''] = await putSome(1);
    await replay();
    await replay({ from: iso(START_AT + 200) });
    await deliver([retried]);
    ports.webhookSender.answers.clear();
    ports.clock.advance(MINUTE_MS);

    const first = await run();
    const second = await run();

    expect(first).toHaveLength(201);
    expect(first[0]).toBe(retried);
    expect([...first.slice(1), ...second].sort()).toEqual([...ids].sort());
  });

  test('leaves a slow endpoint free for first deliveries between two replays', async () => {
    const { ports, partner, put, deliver, replay, run } = await world(2);
    const pace = { isSlow: true, unanswered: 0, triedUntil: 0, restsUntil: 0, version: 1 };
    await ports.deliveries.savePace(partner.id, 'https://acme.example/one', pace);
    ports.webhookSender.answers.set('https://acme.example/one', async () => {
      ports.clock.advance(3_000);
      return 200;
    });
    await replay();
    await run();
    const before = ports.webhookSender.posted.length;

    const { id } = await put();
    await deliver([id]);

    expect(before).toBe(2 + 1);
    expect(ports.webhookSender.posted.at(-1)?.id).toBe(id);
  });
});

describe('400', () => {
  const daysLater = (days: number) => iso(START_AT + days * 24 * 60 * MINUTE_MS);

  test.each<[string, object, string, RegExp]>([
    ['that is upside down', { from: RANGE.to, to: RANGE.from }, 'to', /after `from`/],
    ['that is empty', { from: RANGE.from, to: RANGE.from }, 'to', /after `from`/],
    ['of more than 31 days', { from: RANGE.from, to: daysLater(31.01) }, 'to', /31 days/],
    ['without an end', { from: RANGE.from }, 'to', /required/],
    ['from a day without a time', { ...RANGE, from: '2099-01-01' }, 'from', /a time with its offset/],
    ['from an object', { ...RANGE, from: { toString: 1 } }, 'from', /string/],
    ['to a list', { ...RANGE, to: [{ valueOf: 1, toString: 1 }] }, 'to', /string/],
    ['of an unknown type', { ...RANGE, type: 'no.type' }, 'type', /one of/],
    ['with a misspelled field', { ...RANGE, endpoint: 'one' }, 'endpoint', /not a known field/],
  ])('refuses a range %s', (_, body, path, message) => {
    expect(issuesBy(handler, body)).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test('takes a range of 31 days, also with an offset', () => {
    expect(issuesBy(handler, { from: RANGE.from, to: daysLater(31) })).toEqual([]);
    expect(issuesBy(handler, { from: '2099-01-01T00:00:00-03:00', to: '2099-01-02T00:00:00-03:00' })).toEqual(
      [],
    );
  });

  test('refuses a forged cursor and one of another range', async () => {
    const { replay } = await world(201);
    const { nextCursor: cursor } = await replay();

    for (const asked of [{ cursor: 'forged' }, { cursor, to: iso(START_AT + 2 * MINUTE_MS) }])
      await expect(replay(asked)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('404', () => {
  test('refuses an endpoint that the partner does not have', async () => {
    const { replay } = await world(0);

    await expect(replay({ endpointId: 'stranger' })).rejects.toMatchObject({
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
  });
});
