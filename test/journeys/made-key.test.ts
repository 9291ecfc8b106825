import { expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { editRow } from '../support/partner-api.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import { eventually, newPartner, rowOf, sandbox } from '../support/sandbox.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes the partner's endpoints a day older, so that they must hear of a new key. */
async function age(partnerId: string): Promise<void> {
  const id = `PARTNER#${partnerId}`;
  const { webhookEndpoints } = (await rowOf('TablesPartners', id)) as {
    webhookEndpoints: { createdAt: number }[];
  };
  const aged = webhookEndpoints.map((each) => ({ ...each, createdAt: each.createdAt - DAY_MS }));
  await editRow('TablesPartners', id, { webhookEndpoints: aged });
}

// docs/decisions.md, "API keys"
test('a key that a partner makes is accepted an hour after each of its servers has heard of it', async () => {
  const [prompt, late] = [await startReceiver(), await startReceiver({ status: 503 })];
  const { partnerId } = await newPartner({ webhookEndpoints: [] });
  const clientOf = (apiKey: string) => createOnrampClient({ apiKey, baseUrl: sandbox().url });
  const { partner } = clientOf(await newKey(partnerId, 'manager', ['read', 'write', 'manage']));
  const { secret } = await partner.addWebhookEndpoint({ url: prompt.url });
  await partner.addWebhookEndpoint({ url: late.url });
  await age(partnerId);

  const { id, apiKey, status } = await partner.makeApiKey({ scopes: ['read'], expiresInDays: 1 });
  const shown = async () => (await partner.keys()).keys.find((each) => each.id === id)!;

  expect(status).toBe('WAITING');
  await expect(clientOf(apiKey).partner.get()).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  await eventually(
    async () => late.received.length,
    (count) => count > 0,
    SLOW_MS,
  );
  await eventually(
    async () => prompt.received.length,
    (count) => count > 0,
    SLOW_MS,
  );
  const [news] = prompt.received;
  expect(await isSignedBy(secret, news!)).toBe(true);
  expect(JSON.parse(news!.payload)).toMatchObject({
    type: 'api_key.created',
    data: { keyId: id, scopes: ['read'], madeBy: 'manager' },
  });
  expect(await shown()).not.toHaveProperty('worksFrom');

  late.answerWith({ status: 204 });
  const { worksFrom } = await eventually(shown, (key) => key.worksFrom !== undefined, SLOW_MS);
  await eventually(shown, (key) => key.status === 'ACTIVE', SLOW_MS);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(worksFrom!));
  const account = await clientOf(apiKey).partner.get();

  expect(account.keys.map((key) => [key.id, key.status])).toContainEqual([id, 'ACTIVE']);
  await expect(clientOf(apiKey).partner.revokeApiKey('manager')).rejects.toMatchObject({
    code: 'KEY_SCOPE_INSUFFICIENT',
  });
  await clientOf(await newKey(partnerId, 'owner', ['manage'])).partner.revokeApiKey('manager');
  await expect(clientOf(apiKey).partner.get()).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
});
