import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { DELIVERIES_DUE } from '../../functions/tables/sharded.ts';
import { announce } from '../support/events.ts';
import { operations } from '../support/operations.ts';
import { editRow } from '../support/partner-api.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import { eventually, newPartner, rowOf } from '../support/sandbox.ts';

const { ops } = operations();

/** A partner whose events go to its own address only. */
async function listeningAt(url: string) {
  const partner = await newPartner({ webhookEndpoints: [] });
  const { id: endpointId, secret } = await partner.client.partner.addWebhookEndpoint({ url });
  return { ...partner, endpointId, secret };
}

/** The events of a burst. */
const BURST = 70;

describe('a partner that was down', () => {
  test('gets everything later if it hung under a burst', async () => {
    const receiver = await startReceiver({ status: 204, delayMs: 25_000 });
    const { partnerId, endpointId } = await listeningAt(receiver.url);
    const ids = await announce(partnerId, BURST);
    const pace = `PACE#${partnerId}#${createHash('sha256').update(receiver.url).digest('hex')}`;
    const isTried = async () => (await rowOf('TablesDeliveries', pace))?.isSlow;
    await eventually(isTried, (isSlow) => isSlow === true, SLOW_MS);

    receiver.answerWith({ status: 204 });

    const deliveries = () => Promise.all(ids.map((id) => rowOf('TablesDeliveries', `${id}#${endpointId}`)));
    const done = await eventually(
      deliveries,
      (rows) => rows.every((row) => row?.status === 'DELIVERED'),
      SLOW_MS,
    );
    expect(done).toHaveLength(BURST);
    expect(receiver.ids()).toEqual(new Set(ids));
  });

  test('gets parked events again on request after more than three days', async () => {
    const receiver = await startReceiver({ status: 503 });
    const { partnerId, endpointId, secret } = await listeningAt(receiver.url);
    const ids = await announce(partnerId, 3);
    const rows = () => Promise.all(ids.map((id) => rowOf('TablesDeliveries', `${id}#${endpointId}`)));
    await eventually(rows, (found) => found.every((row) => Number(row?.attempts) > 0), SLOW_MS);
    // The rows now look as after ten pauses, which take three days.
    const now = Date.now();
    const lookAt = `${partnerId}#${String(now).padStart(15, '0')}`;
    const last = { status: 'PENDING', attempts: 10, nextAttemptAt: now, lookAt };
    for (const id of ids.map((each) => `${each}#${endpointId}`))
      await editRow('TablesDeliveries', id, { ...last, due: keyIn(DELIVERIES_DUE, id, 'DELIVERY') });
    await eventually(rows, (found) => found.every((row) => row?.status === 'PARKED'), SLOW_MS);
    const listed = await ops(['deliveries', 'list', '--partner', partnerId]);
    for (const id of ids)
      expect(listed.out).toMatch(new RegExp(`${id}  ${endpointId}  PARKED  11 tries  HTTP 503`));

    receiver.answerWith({ status: 204 });
    const before = receiver.received.length;
    const redelivered = await ops(['deliveries', 'redeliver', '--partner', partnerId, '--parked', '--yes']);

    expect(redelivered).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 deliveries are queued within a minute.'),
    });
    await eventually(rows, (found) => found.every((row) => row?.status === 'DELIVERED'), SLOW_MS);
    const again = receiver.received.slice(before);
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set(ids));
    for (const each of again) expect(await isSignedBy(secret, each)).toBe(true);
    expect(await ops(['deliveries', 'list', '--partner', partnerId])).toMatchObject({
      code: 0,
      out: 'There are no such deliveries.\n',
    });
  });
});

describe('an endpoint that is removed', () => {
  test('ends its waiting deliveries: they are parked, and cannot be delivered again', async () => {
    const receiver = await startReceiver({ status: 500 });
    const { partnerId, endpointId, client } = await listeningAt(receiver.url);
    const [id] = await announce(partnerId, 1);
    const row = () => rowOf('TablesDeliveries', `${id}#${endpointId}`);
    await eventually(row, (found) => found?.status === 'PENDING', SLOW_MS);

    await client.partner.removeWebhookEndpoint(endpointId);

    await eventually(row, (found) => found?.status === 'PARKED', SLOW_MS);
    const refused = await ops(['deliveries', 'redeliver', '--event', id!, '--yes']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('nothing to deliver again') });
  });
});
