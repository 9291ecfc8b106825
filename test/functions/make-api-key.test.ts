import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { keyRowId, partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { editWebhookEndpoint } from '../../functions/api/partner/edit-webhook-endpoint.ts';
import { listApiKeys } from '../../functions/api/partner/list-api-keys.ts';
import { handler, makeApiKey } from '../../functions/api/partner/make-api-key.ts';
import { removeWebhookEndpoint } from '../../functions/api/partner/remove-webhook-endpoint.ts';
import type { KeyScope } from '../../functions/domain/partners/api-key.ts';
import { MOST_MADE_KEYS } from '../../functions/domain/partners/made-key.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { newId, openPorts, START_AT } from '../support/ports.ts';
import { issuesBy, neverFits, pathsOf } from '../support/requests.ts';
import { memoryTables } from '../support/tables.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A partner with a `manage` key and with endpoints that are old enough to be witnesses. */
async function openWorld(scopes: KeyScope[] = ['read', 'write', 'manage'], endpoints = ['one', 'two']) {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const id = `p${newId().slice(-12).toLowerCase()}`;
  const secretCipher = await ports.webhookSealer.encrypt('whsec_secret', id);
  const createdAt = START_AT - 2 * DAY_MS;
  const urlOf = (name: string) => `https://partner.example/${name}`;
  const webhookEndpoints = endpoints.map((name) => ({ id: name, url: urlOf(name), secretCipher, createdAt }));
  const partner = aPartner({ id, webhookEndpoints });
  const key = { partnerId: id, keyId: 'key1', sha256: 'aa', scopes, status: 'ACTIVE', createdAt };
  for (const Item of [
    { ...partner, id: partnerRowId(id) },
    { ...key, id: keyRowId(id, 'key1') },
  ])
    await tables.client.send(new PutCommand({ TableName: tables.names.partners, Item }));
  const ids = () => reservedIds(newReservation(START_AT, ports.random));
  const caller = async (request = ids()) => ({
    partner: (await ports.partners.findPartner(id))!,
    keyId: 'key1',
    ids: request,
  });
  const read = { scopes: ['read' as const], expiresInDays: 1 };
  return {
    ports,
    ids,
    caller,
    answer: (name: string, status: number) =>
      ports.webhookSender.answers.set(urlOf(name), async () => status),
    make: async (wanted: Partial<Parameters<typeof makeApiKey>[0]> = {}, request = ids()) =>
      makeApiKey({ ...read, ...wanted }, await caller(request), ports),
    deliver: (keyId: string) => deliverWebhook({ eventId: `${keyId}.1` }, ports),
    find: async (keyId: string) => {
      const { keys } = await listApiKeys({}, await caller(), ports);
      return keys.find((each) => each.id === keyId)!;
    },
  };
}

const refused = (code: string) => expect.objectContaining({ code });

describe('200', () => {
  // docs/decisions.md, "API keys"
  test('makes a key that is accepted an hour after every endpoint has heard of it', async () => {
    const { make, deliver, find, ports, answer } = await openWorld();
    answer('two', 500);

    const { id, apiKey, ...made } = await make();
    await deliver(id);

    expect(made).toMatchObject({ status: 'WAITING', scopes: ['read'], madeBy: 'key1' });
    expect(apiKey).toMatch(new RegExp(`^sk_sandbox_p\\w+_${id}_[0-9a-f]{48}$`));
    expect(await find(id)).toEqual({ id, ...made });
    answer('two', 204);
    ports.clock.advance(MINUTE_MS);
    await deliver(id);
    const worksFrom = new Date(ports.clock.now() + HOUR_MS).toISOString();
    expect(await find(id)).toMatchObject({ status: 'WAITING', worksFrom });
    ports.clock.advance(HOUR_MS);
    expect(await find(id)).toMatchObject({ status: 'ACTIVE' });
    ports.clock.advance(DAY_MS);
    expect(await find(id)).toMatchObject({ status: 'EXPIRED' });
  });

  test('tells each endpoint of the key, and never its secret', async () => {
    const { make, deliver, ports } = await openWorld();

    const { id, apiKey, ...made } = await make({ scopes: ['read', 'write'] });
    await deliver(id);

    const bodies = ports.webhookSender.posted.map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(JSON.parse(bodies[0]!)).toMatchObject({
      type: 'api_key.created',
      data: { keyId: id, scopes: ['read', 'write'], madeBy: 'key1', sequence: 1 },
    });
    expect(made).toMatchObject({ expiresAt: JSON.parse(bodies[0]!).data.expiresAt });
    expect(bodies.join()).not.toContain(apiKey.split('_').at(-1));
  });

  test('ends with its maker', async () => {
    const { make, find, ports, caller } = await openWorld();
    const { id } = await make();
    const { partner } = await caller();
    await ports.register.approveKey(partner.id, id, ports.clock.now());
    expect(await find(id)).toMatchObject({ status: 'ACTIVE' });

    await ports.partners.revokeKey(partner.id, 'key1');

    expect(await find(id)).toMatchObject({ status: 'REVOKED' });
    expect(await ports.partners.findCaller(partner.id, id)).toMatchObject({ maker: { status: 'REVOKED' } });
  });

  test('waits for an operator if an address was removed or replaced before, or before it was heard', async () => {
    const removed = await openWorld();
    await removeWebhookEndpoint({ endpointId: 'two' }, await removed.caller(), removed.ports);
    const replaced = await openWorld();
    const first = await replaced.make();
    const edit = { endpointId: 'one', url: 'https://thief.example/' };
    replaced.ports.clock.advance(1);
    await editWebhookEndpoint(edit, await replaced.caller(), replaced.ports);

    for (const [world, { id }] of [
      [removed, await removed.make()],
      [replaced, first],
      [replaced, await replaced.make()],
    ] as const) {
      await world.deliver(id);
      world.ports.clock.advance(HOUR_MS);
      expect(await world.find(id)).toMatchObject({ status: 'WAITING' });
      expect(await world.find(id)).not.toHaveProperty('worksFrom');
    }
  });

  test('waits for an operator if there is no endpoint', async () => {
    const { make, deliver, find, ports, caller } = await openWorld(['read', 'manage'], []);
    const { id } = await make();
    await deliver(id);
    ports.clock.advance(2 * HOUR_MS);
    expect(await find(id)).toMatchObject({ status: 'WAITING' });

    expect(await ports.register.approveKey((await caller()).partner.id, id, ports.clock.now())).toBe(true);

    expect(await find(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('gives the key of a repeated request another secret, and makes no second', async () => {
    const { make, ids, caller, ports } = await openWorld();
    const request = ids();

    const [first, second] = [await make({}, request), await make({}, request)];

    const { apiKey: _, ...same } = first;
    expect(second).toMatchObject(same);
    expect(second.apiKey).not.toBe(first.apiKey);
    const { partner } = await caller();
    expect(partner.keyIds).toEqual(['key1', first.id]);
    expect(await ports.partners.findKey(partner.id, first.id)).toMatchObject({ heard: {} });
  });

  test('makes both of two keys that are asked for at once', async () => {
    const { make, caller } = await openWorld();

    const made = await Promise.all([make(), make()]);

    expect((await caller()).partner.keyIds.toSorted()).toEqual(
      ['key1', ...made.map(({ id }) => id)].toSorted(),
    );
  });
});

describe('400', () => {
  const good = { scopes: ['read'], expiresInDays: 1 };

  test.each([
    ...neverFits('expiresInDays'),
    ['nothing', 'expiresInDays', undefined],
    ['no day', 'expiresInDays', 0],
    ['half a day', 'expiresInDays', 0.5],
    ['nothing', 'scopes', undefined],
    ['no scope', 'scopes', []],
    ['manage', 'scopes.0', ['manage']],
    ['manage beside read', 'scopes.1', ['read', 'manage']],
  ])('refuses %s as %s', (_, path, value) => {
    const [field = ''] = path.split('.');

    expect(pathsOf(issuesBy(handler, { ...good, [field]: value }))).toEqual([path]);
  });

  test('refuses more days than the setting has', async () => {
    const { make } = await openWorld();

    await expect(make({ expiresInDays: 91 })).rejects.toThrow(refused('INVALID_REQUEST'));
    expect(await make({ expiresInDays: 90 })).toMatchObject({ status: 'WAITING' });
  });
});

describe('409', () => {
  test('refuses the key after the fiftieth', async () => {
    const { make } = await openWorld();
    for (let count = 0; count < MOST_MADE_KEYS; count++) await make();

    await expect(make()).rejects.toMatchObject({
      code: 'API_KEY_LIMIT',
      details: { maximum: MOST_MADE_KEYS },
    });
  });
});

describe('403', () => {
  // docs/decisions.md, "API keys"
  test('refuses to make a key that is wider than its maker', async () => {
    const { make, caller } = await openWorld(['read', 'manage']);

    await expect(make({ scopes: ['read', 'write'] })).rejects.toThrow(refused('KEY_SCOPE_INSUFFICIENT'));

    expect((await caller()).partner.keyIds).toEqual(['key1']);
  });
});
