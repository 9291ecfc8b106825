import { expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { announce } from '../support/events.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import { eventually, newPartner, rowOf, sandbox } from '../support/sandbox.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The next event of the partner as its receiver gets it. */
async function nextAt(receiver: Receiver, partnerId: string) {
  const [id] = await announce(partnerId, 1);
  const find = async () => receiver.received.find((each) => each.id === id);
  return (await eventually(find, (found) => found !== undefined, SLOW_MS))!;
}

// docs/decisions.md, "Accounts of partners"
test('a partner moves its webhooks to another address without losing an event', async () => {
  const [former, next] = [await startReceiver(), await startReceiver()];
  const { partnerId, client } = await newPartner({ webhookEndpoints: [] });
  const { id, secret } = await client.partner.addWebhookEndpoint({ url: former.url });
  expect(await isSignedBy(secret, await nextAt(former, partnerId))).toBe(true);

  const added = await client.partner.addWebhookEndpoint({ url: next.url });
  const both = await nextAt(next, partnerId);
  await eventually(
    async () => former.ids(),
    (ids) => ids.has(both.id),
    SLOW_MS,
  );
  expect(await isSignedBy(added.secret, both)).toBe(true);
  expect(await isSignedBy(secret, both)).toBe(false);
  await client.partner.removeWebhookEndpoint(id);

  const after = await nextAt(next, partnerId);
  expect(former.ids()).not.toContain(after.id);
  const { webhookEndpoints } = await client.partner.get();
  expect(webhookEndpoints).toMatchObject([{ id: added.id, url: next.url, status: 'ENABLED' }]);
});

// docs/decisions.md, "Accounts of partners"
test('a partner tries an endpoint before it goes live, and then takes some events alone', async () => {
  const receiver = await startReceiver();
  const { partnerId } = await newPartner({ webhookEndpoints: [] });
  const apiKey = await newKey(partnerId, 'manager', ['manage']);
  const { partner } = createOnrampClient({ apiKey, baseUrl: sandbox().url });
  const asked = { url: receiver.url, enabled: false, eventTypes: ['kyc.approved'] };
  const { id, secret, status } = await partner.addWebhookEndpoint(asked);
  expect(status).toBe('DISABLED');

  const { eventId } = await partner.testWebhookEndpoint(id);
  await eventually(
    async () => receiver.ids(),
    (ids) => ids.has(eventId),
    SLOW_MS,
  );
  expect(await isSignedBy(secret, receiver.received[0]!)).toBe(true);
  await partner.enableWebhookEndpoint(id);
  const [unwanted] = await announce(partnerId, 1);
  await eventually(
    () => rowOf('TablesEvents', unwanted!),
    (row) => row?.endpointIds !== undefined,
    SLOW_MS,
  );
  const edited = await partner.editWebhookEndpoint(id, { description: 'The ledger', eventTypes: [] });

  expect(edited).toMatchObject({ id, status: 'ENABLED', description: 'The ledger' });
  expect(edited.eventTypes).toBeUndefined();
  const wanted = await nextAt(receiver, partnerId);
  expect(receiver.ids()).toEqual(new Set([eventId, wanted.id]));
});

// docs/decisions.md, "Webhooks"
test('a partner rotates a secret while events go on, and both secrets sign each event', async () => {
  const receiver = await startReceiver();
  const { partnerId, client } = await newPartner({ webhookEndpoints: [] });
  const { id, secret: former } = await client.partner.addWebhookEndpoint({ url: receiver.url });

  const { secret, formerSecretUntil } = await client.partner.rotateWebhookSecret(id);

  const event = await nextAt(receiver, partnerId);
  expect(secret).not.toBe(former);
  expect(await isSignedBy(secret, event)).toBe(true);
  expect(await isSignedBy(former, event)).toBe(true);
  expect(event.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  expect((await client.partner.get()).webhookEndpoints).toMatchObject([{ id, formerSecretUntil }]);
});

test('a partner revokes a leaked key, and keeps the key of its calls', async () => {
  const { partnerId, client } = await newPartner();
  const leaked = createOnrampClient({ apiKey: await newKey(partnerId, 'leaked'), baseUrl: sandbox().url });
  expect((await leaked.partner.get()).id).toBe(partnerId);

  expect(await client.partner.revokeApiKey('leaked')).toEqual({ id: 'leaked', status: 'REVOKED' });

  await expect(leaked.partner.get()).rejects.toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
  await expect(client.partner.revokeApiKey('key1')).rejects.toMatchObject({ code: 'API_KEY_IN_USE' });
  const { keys } = await client.partner.get();
  expect(keys.map(({ id, status }) => [id, status])).toEqual([
    ['key1', 'ACTIVE'],
    ['leaked', 'REVOKED'],
  ]);
});
