import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/partner-api.ts';
import { addEndpoint, managed, testEndpoint } from '../support/partner-endpoints.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import { rowOf } from '../support/sandbox.ts';

describe('200', () => {
  // docs/decisions.md, "Accounts of partners"
  test('sends a signed event to a disabled endpoint, and to no other', async () => {
    const [tested, other] = [await startReceiver(), await startReceiver()];
    const { apiKey } = await managed();
    await addEndpoint(apiKey, other.url);
    const { data: added } = await addEndpoint(apiKey, tested.url, { fields: { enabled: false } });

    const { status, data } = await testEndpoint(apiKey, String(added.id));

    expect(status).toBe(200);
    await expect.poll(() => tested.ids()).toContain(data.eventId);
    const [got] = tested.received;
    expect(JSON.parse(got!.payload)).toMatchObject({
      type: 'webhook_endpoint.test',
      data: { endpointId: added.id, sequence: 1 },
    });
    expect(await isSignedBy(String(added.secret), got!)).toBe(true);
    const { endpointIds } = (await rowOf('TablesEvents', String(data.eventId)))!;
    expect(endpointIds).toEqual([added.id]);
    expect(other.received).toEqual([]);
  });

  test('sends one event for a repetition with the same Idempotency-Key', async () => {
    const { apiKey } = await managed();
    const headers = { 'Idempotency-Key': 'test' };

    const first = await testEndpoint(apiKey, 'receiver', { headers });
    const second = await testEndpoint(apiKey, 'receiver', { headers });

    expect(second.data).toEqual(first.data);
    expect((await testEndpoint(apiKey, 'receiver')).data).not.toEqual(first.data);
  });
});

describe('403', () => {
  test('refuses a key that only reads', async () => {
    const { apiKey } = await managed(['read']);

    expectRefusal(await testEndpoint(apiKey, 'receiver'), 'KEY_SCOPE_INSUFFICIENT');
  });
});

describe('404', () => {
  test('answers for an endpoint that does not exist', async () => {
    const { apiKey } = await managed();

    expectRefusal(await testEndpoint(apiKey, 'unknown'), 'WEBHOOK_ENDPOINT_NOT_FOUND', {});
  });
});
