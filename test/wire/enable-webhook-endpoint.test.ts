import { describe, expect, test } from 'vitest';
import { call, expectRefusal } from '../support/partner-api.ts';
import { editEndpoint, enableEndpoint, endpointsOf, managed } from '../support/partner-endpoints.ts';

describe('200', () => {
  test('enables a disabled endpoint, and an enabled one again', async () => {
    const { apiKey } = await managed();
    const before = await endpointsOf(apiKey);
    await editEndpoint(apiKey, 'receiver', { enabled: false });

    for (let times = 0; times < 2; times++)
      expect(await enableEndpoint(apiKey, 'receiver')).toMatchObject({ status: 200, data: before[0]! });

    expect(await endpointsOf(apiKey)).toEqual(before);
  });

  test('names the calls that send what the endpoint missed, also if it is asked again', async () => {
    const { apiKey } = await managed(['read', 'write', 'manage']);
    const [{ createdAt: from } = { createdAt: '' }] = await endpointsOf(apiKey);
    expect((await enableEndpoint(apiKey, 'receiver')).data).not.toHaveProperty('replays');
    await editEndpoint(apiKey, 'receiver', { enabled: false });

    const first = await editEndpoint(apiKey, 'receiver', { enabled: true });
    const again = await enableEndpoint(apiKey, 'receiver');

    const body = { endpointId: 'receiver', missedOnly: true, from, to: expect.any(String) };
    const [replay] = first.data.replays as { call: string; body: object }[];
    expect(replay).toEqual({ call: 'POST /v1/laas/events/replay', body });
    expect(again.data).toEqual(first.data);
    const [method, path] = replay!.call.split(' ') as ['POST', string];
    expect(await call(method, path, { apiKey, body: replay!.body })).toMatchObject({ status: 200 });
  });
});

describe('403', () => {
  test('refuses a key that only reads', async () => {
    const { apiKey } = await managed(['read']);

    expectRefusal(await enableEndpoint(apiKey, 'receiver'), 'KEY_SCOPE_INSUFFICIENT');
  });
});

describe('404', () => {
  test('answers for an endpoint that does not exist', async () => {
    const { apiKey } = await managed();

    expectRefusal(await enableEndpoint(apiKey, 'unknown'), 'WEBHOOK_ENDPOINT_NOT_FOUND', {});
  });
});
