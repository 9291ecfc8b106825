import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/partner-api.ts';
import { addEndpoint, endpointsOf, removeEndpoint } from '../support/partner-endpoints.ts';
import { newPartner } from '../support/sandbox.ts';

describe('200', () => {
  test('keeps the other endpoints', async () => {
    const { apiKey } = await newPartner();
    const { data } = await addEndpoint(apiKey, 'https://partner.example/');

    const answer = await removeEndpoint(apiKey, 'receiver');

    expect(answer).toMatchObject({ status: 200, data: { id: 'receiver' } });
    expect((await endpointsOf(apiKey)).map(({ id }) => id)).toEqual([data.id]);
  });

  test('is repeated under the same Idempotency-Key, like every POST', async () => {
    const { apiKey } = await newPartner();
    const headers = { 'Idempotency-Key': 'remove' };

    const first = await removeEndpoint(apiKey, 'receiver', { headers });
    const second = await removeEndpoint(apiKey, 'receiver', { headers });

    expect(second).toMatchObject({ status: 200, data: first.data });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expectRefusal(await removeEndpoint(apiKey, 'receiver'), 'WEBHOOK_ENDPOINT_NOT_FOUND');
  });
});

describe('401', () => {
  test('refuses a call without a key', async () => {
    expectRefusal(await removeEndpoint('', 'receiver'), 'INVALID_API_KEY');
  });
});

describe('404', () => {
  test('answers for an endpoint that does not exist, or is another partner’s', async () => {
    const [{ apiKey }, other] = [await newPartner(), await newPartner()];
    const { data } = await addEndpoint(other.apiKey, 'https://partner.example/');

    for (const id of ['unknown', String(data.id)]) {
      expectRefusal(await removeEndpoint(apiKey, id), 'WEBHOOK_ENDPOINT_NOT_FOUND', {});
    }
    expect(await endpointsOf(other.apiKey)).toHaveLength(2);
  });
});
