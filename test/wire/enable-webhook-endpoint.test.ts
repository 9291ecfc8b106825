import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/partner-api.ts';
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
