import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { BACKOFF_MINUTES } from '../../functions/domain/partners/deliveries.ts';
import { withNewSecret } from '../../functions/domain/partners/webhook-endpoint.ts';
import { ttlOf } from '../../functions/domain/retention.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { announced, secretOf, urlOf } from '../support/announcements.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts, START_AT } from '../support/ports.ts';
import { eventually } from '../support/sandbox.ts';
import { memoryTables, rowIn } from '../support/tables.ts';

// Its own tables, because the shared sandbox would deliver these events itself.
const tables = memoryTables();

async function world(endpoints?: string[]) {
  const ports = openPorts(tables);
  return { ports, ...(await announced(tables, ports, endpoints)) };
}

const isSwept = async (eventId: string) => (await rowIn(tables, 'events', eventId))?.sweep !== undefined;

describe('an event', () => {
  // Spec, Events: "HTTP POST to the partner"
  // docs/decisions.md, "Webhooks"
  test('is posted under its id, signed with the endpoint’s secret', async () => {
    const { ports, partnerId, eventId, deliver } = await world();

    await deliver();

    const [post, ...others] = ports.webhookSender.posted;
    expect(others).toEqual([]);
    expect(post).toMatchObject({ id: eventId, url: urlOf(partnerId, 'one'), secrets: [secretOf('one')] });
    expect(JSON.parse(post!.body)).toMatchObject({
      type: 'transaction.completed',
      timestamp: '2099-01-01T00:00:00.000Z',
      data: { transactionId: eventId.split('.')[0], status: 'COMPLETED', sequence: 1, txHash: '0xaa' },
    });
  });

  test('is delivered once, however often its message comes', async () => {
    const { partnerId, eventId, deliver, delivery, posts } = await world();

    for (let times = 0; times < 3; times++) await deliver();

    expect(posts()).toEqual(['one']);
    expect(await delivery()).toEqual({
      id: `${eventId}#one`,
      eventId,
      partnerId,
      endpointId: 'one',
      status: 'DELIVERED',
      attempts: 1,
      openedAt: START_AT,
      lastStatusCode: 200,
      tried: [{ at: START_AT, statusCode: 200, tookMs: 0 }],
      ttl: ttlOf('deliveries', START_AT),
    });
  });

  test('leaves the sweep once it has a delivery', async () => {
    const { eventId, deliver, answer } = await world();
    answer('one', 500);
    expect(await isSwept(eventId)).toBe(true);

    await deliver();

    expect(await isSwept(eventId)).toBe(false);
  });

  test('causes no error if it does not exist', async () => {
    const { ports } = await world();

    await deliverWebhook({ eventId: 'unknown.1' }, ports);

    expect(await rowIn(tables, 'events', 'unknown.1')).toBeUndefined();
    expect(ports.webhookSender.posted).toEqual([]);
  });

  test('is done if no endpoint wants it', async () => {
    const { ports, eventId, deliver } = await world([]);

    await deliver();

    expect(ports.webhookSender.posted).toEqual([]);
    expect(await isSwept(eventId)).toBe(false);
  });
});

describe('an endpoint that fails', () => {
  test.each([500, 404, 302, undefined])('is tried again at its time after %s', async (status) => {
    const { ports, deliver, delivery, answer, posts } = await world();
    answer('one', status);
    await deliver();
    const failed = await delivery();
    const due = START_AT + BACKOFF_MINUTES[0] * MINUTE_MS;
    expect(failed).toMatchObject({ status: 'PENDING', attempts: 1, nextAttemptAt: due });
    expect(failed?.lastStatusCode).toBe(status);

    ports.clock.advance(due - START_AT - 1);
    await deliver();
    expect(posts()).toEqual(['one']);

    answer('one', 200);
    ports.clock.advance(1);
    await deliver();
    expect(posts()).toEqual(['one', 'one']);
    expect(await delivery()).toMatchObject({ status: 'DELIVERED', attempts: 2, lastStatusCode: 200 });
    expect(await delivery()).not.toHaveProperty('nextAttemptAt');
  });

  // docs/decisions.md, "Webhooks"
  test('has its delivery parked after the last try, three days later', async () => {
    const { ports, partnerId, eventId, deliver, delivery, answer, posts } = await world();
    answer('one', 500);
    const waits: number[] = [];

    await deliver();
    for (let next = await delivery(); next?.nextAttemptAt; next = await delivery()) {
      waits.push(next.nextAttemptAt - ports.clock.now());
      ports.clock.advance(waits.at(-1)!);
      await deliver();
    }

    expect(waits).toEqual(BACKOFF_MINUTES.map((minutes) => minutes * MINUTE_MS));
    const tries = BACKOFF_MINUTES.length + 1;
    expect(await delivery()).toMatchObject({ status: 'PARKED', attempts: tries, lastStatusCode: 500 });
    ports.clock.advance(365 * 24 * 60 * MINUTE_MS);
    await deliver();
    expect(posts()).toHaveLength(tries);
    expect(await ports.deliveries.listDue(partnerId, ports.clock.now(), 100)).not.toContain(`${eventId}#one`);
  });

  test('gets the same event under the same id each time', async () => {
    const { ports, deliver, answer } = await world();
    answer('one', 500);

    await deliver();
    ports.clock.advance(MINUTE_MS);
    await deliver();

    const posted = ports.webhookSender.posted.map(({ body, ...rest }) => ({ ...rest, ...JSON.parse(body) }));
    expect(posted).toEqual([posted[0], posted[0]]);
  });
});

describe('several endpoints', () => {
  test('are served independently', async () => {
    const { ports, deliver, delivery, answer, posts } = await world(['good', 'bad']);
    answer('bad', 500);

    await deliver();
    ports.clock.advance(MINUTE_MS);
    await deliver();

    expect(posts().sort()).toEqual(['bad', 'bad', 'good']);
    expect(await delivery('good')).toMatchObject({ status: 'DELIVERED', attempts: 1 });
    expect(await delivery('bad')).toMatchObject({ status: 'PENDING', attempts: 2 });
    const secrets = ports.webhookSender.posted.map(({ url, secrets }) => [url.split('/').at(-1), secrets[0]]);
    expect(new Map(secrets as [string, string][])).toEqual(
      new Map([
        ['good', secretOf('good')],
        ['bad', secretOf('bad')],
      ]),
    );
  });

  test('do not wait for a slow one', async () => {
    const { ports, url, deliver, delivery } = await world(['slow', 'quick']);
    let answerSlow = (_: number) => {};
    const slow = new Promise<number>((resolve) => {
      answerSlow = resolve;
    });
    ports.webhookSender.answers.set(url('slow'), () => slow);

    const delivering = deliver();

    await eventually(
      () => delivery('quick'),
      (found) => found?.status === 'DELIVERED',
    );
    expect(await delivery('slow')).toBeUndefined();
    answerSlow(200);
    await delivering;
    expect(await delivery('slow')).toMatchObject({ status: 'DELIVERED' });
  });

  test('have their results written before one failure fails the message', async () => {
    const { ports, partnerId, eventId, deliver, delivery, url } = await world(['sound']);
    const sound = (await ports.partners.findPartner(partnerId))!;
    const foreign = await ports.webhookSealer.encrypt('whsec_foreign', 'another partner');
    const broken = { id: 'broken', url: url('broken'), secretCipher: foreign, createdAt: START_AT };
    const webhookEndpoints = [broken, ...sound.webhookEndpoints];
    const Item = { ...sound, id: partnerRowId(partnerId), webhookEndpoints };
    await tables.client.send(new PutCommand({ TableName: tables.names.partners, Item }));
    let answerSound = (_: number) => {};
    const answered = new Promise<number>((resolve) => {
      answerSound = resolve;
    });
    ports.webhookSender.answers.set(url('sound'), () => answered);

    const delivering = expect(deliver()).rejects.toThrow('the ciphertext was changed or belongs elsewhere');
    await expect.poll(() => ports.webhookSender.posted).toHaveLength(1);
    answerSound(200);
    await delivering;

    expect(await delivery('sound')).toMatchObject({ status: 'DELIVERED' });
    expect(await isSwept(eventId)).toBe(true);
    await expect(deliver()).rejects.toThrow();
    expect(ports.webhookSender.posted.map(({ url }) => url)).toEqual([url('sound')]);
  });
});

describe('an endpoint that was removed', () => {
  test('ends its waiting deliveries: they are parked, and not due any more', async () => {
    const { ports, partnerId, eventId, deliver, delivery, answer, posts } = await world(['kept', 'removed']);
    answer('removed', 500);
    await deliver();
    expect(await delivery('removed')).toMatchObject({ status: 'PENDING', attempts: 1 });
    const partner = (await ports.partners.findPartner(partnerId))!;
    const webhookEndpoints = partner.webhookEndpoints.filter(({ id }) => id === 'kept');
    expect(await ports.partners.save(partner, { webhookEndpoints })).toBe(true);

    ports.clock.advance(MINUTE_MS);
    await deliver();

    expect(posts().sort()).toEqual(['kept', 'removed']);
    expect(await delivery('removed')).toMatchObject({ status: 'PARKED', attempts: 1, lastStatusCode: 500 });
    expect(await ports.deliveries.listDue(partnerId, ports.clock.now(), 100)).not.toContain(
      `${eventId}#removed`,
    );
    expect(await ports.deliveries.listParked(partnerId)).toMatchObject([{ id: `${eventId}#removed` }]);
  });

  test('gets nothing if it was removed before the first attempt, and nothing stays open', async () => {
    const { ports, eventId, deliver, delivery } = await world(['one']);
    await ports.events.assign(eventId, ['one', 'gone']);

    await deliver();

    expect(await delivery('gone')).toMatchObject({ status: 'PARKED', attempts: 0 });
    expect(await isSwept(eventId)).toBe(false);
  });
});

describe('an endpoint that was added later', () => {
  test('does not get earlier events, even if others get them again', async () => {
    const { ports, partnerId, deliver, delivery, answer, posts } = await world(['old']);
    answer('old', 500);
    await deliver();
    const partner = (await ports.partners.findPartner(partnerId))!;
    const added = { ...partner.webhookEndpoints[0]!, id: 'new', url: urlOf(partnerId, 'new') };
    await ports.partners.save(partner, { webhookEndpoints: [...partner.webhookEndpoints, added] });

    ports.clock.advance(MINUTE_MS);
    await deliver();

    expect(posts()).toEqual(['old', 'old']);
    expect(await delivery('new')).toBeUndefined();
  });
});

describe('a secret that was rotated', () => {
  test('signs beside the new one for a day', async () => {
    const { ports, partnerId, deliver, answer } = await world();
    const partner = (await ports.partners.findPartner(partnerId))!;
    const secretCipher = await ports.webhookSealer.encrypt('whsec_new', partnerId);
    const rotation = { id: 'one', secretCipher, by: 'request', now: ports.clock.now() };
    const webhookEndpoints = withNewSecret(partner.webhookEndpoints, rotation);
    await ports.partners.save(partner, { webhookEndpoints });
    answer('one', 500);

    await deliver();
    ports.clock.advance(24 * 60 * MINUTE_MS);
    await deliver();

    const secrets = ports.webhookSender.posted.map((post) => post.secrets);
    expect(secrets).toEqual([['whsec_new', secretOf('one')], ['whsec_new']]);
  });
});
