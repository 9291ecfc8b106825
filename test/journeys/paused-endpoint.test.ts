import { expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { failingRowId } from '../../functions/adapters/dynamodb/failing-endpoints.ts';
import { PAUSE_AFTER_MINUTES } from '../../functions/domain/partners/failing.ts';
import { announce } from '../support/events.ts';
import { hurriedMinutes } from '../support/hurried.ts';
import { editRow } from '../support/partner-api.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import { eventually, newPartner, rowOf, sandbox } from '../support/sandbox.ts';

const PAUSED = 'webhook_endpoint.paused';

// docs/decisions.md, "Webhooks"
test('a partner whose server was down for days hears of the pause elsewhere, and gets all that it missed', async () => {
  const [down, sound] = [await startReceiver({ status: 503 }), await startReceiver()];
  const { partnerId } = await newPartner({ webhookEndpoints: [] });
  const apiKey = await newKey(partnerId, 'manager', ['read', 'write', 'manage']);
  const { partner, events } = createOnrampClient({ apiKey, baseUrl: sandbox().url });
  const { id: endpointId, secret } = await partner.addWebhookEndpoint({ url: down.url });
  const other = await partner.addWebhookEndpoint({ url: sound.url });
  const deliveryOf = async (eventId: string) =>
    (await events.get(eventId)).deliveries.find((each) => each.endpointId === endpointId);

  const [first] = await announce(partnerId, 1);
  const failing = failingRowId({ partnerId, endpointId, url: down.url });
  await eventually(
    () => rowOf('TablesDeliveries', failing),
    (row) => row?.since !== undefined,
    SLOW_MS,
  );
  // The row now looks as after five days of failed attempts.
  await editRow('TablesDeliveries', failing, { since: Date.now() - hurriedMinutes(PAUSE_AFTER_MINUTES) });
  const [second] = await announce(partnerId, 1);

  const told = await eventually(
    async () => sound.received.find(({ payload }) => JSON.parse(payload).type === PAUSED),
    (found) => found !== undefined,
    SLOW_MS,
  );
  expect(await isSignedBy(other.secret, told!)).toBe(true);
  const { webhookEndpoints } = await partner.get();
  expect(webhookEndpoints.map(({ status }) => status)).toEqual(['PAUSED', 'ENABLED']);
  const [listed, ...more] = await eventually(
    async () => (await events.list({ type: PAUSED })).events,
    (found) => found.length > 0,
    SLOW_MS,
  );
  expect(more).toEqual([]);
  expect(listed).toMatchObject({ id: told!.id, data: { endpointId } });

  await eventually(
    () => Promise.all([first!, second!].map(deliveryOf)),
    (all) => all.every((delivery) => delivery?.status === 'FAILED'),
    SLOW_MS,
  );
  const [third] = await announce(partnerId, 1);
  await eventually(
    async () => sound.ids(),
    (ids) => ids.has(third!),
    SLOW_MS,
  );
  expect(down.ids()).toEqual(new Set([first, second]));

  down.answerWith({ status: 204 });
  const before = down.received.length;
  const { status, replays = [] } = await partner.enableWebhookEndpoint(endpointId);
  expect(status).toBe('ENABLED');
  for (const { body } of replays) await events.replayRange(body);

  const again = () => down.received.slice(before);
  await eventually(
    async () => again().length,
    (count) => count >= 3,
    SLOW_MS,
  );
  expect(new Set(again().map(({ id }) => id))).toEqual(new Set([first, second, third]));
  for (const each of again()) expect(await isSignedBy(secret, each)).toBe(true);
});
