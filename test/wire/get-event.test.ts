import { describe, expect, test } from 'vitest';
import { announce } from '../support/events.ts';
import { call, expectRefusal } from '../support/partner-api.ts';
import { eventually, newPartner } from '../support/sandbox.ts';

const read = (apiKey: string, id: string) => call('GET', `/v1/laas/events/${id}`, { apiKey });

describe('200', () => {
  // docs/decisions.md, "Webhooks"
  test('shows the event with the attempt that delivered it', async () => {
    const { partnerId, apiKey } = await newPartner();
    const [id = ''] = await announce(partnerId, 1);

    const isDelivered = (data: Record<string, unknown>) => JSON.stringify(data).includes('DELIVERED');
    const { data } = await eventually(
      () => read(apiKey, id),
      (answer) => isDelivered(answer.data),
    );

    expect(data).toMatchObject({ id, type: 'transaction.expired' });
    expect(data.deliveries).toMatchObject([
      {
        endpointId: 'receiver',
        attempts: [{ statusCode: expect.any(Number), durationMs: expect.any(Number) }],
      },
    ]);
  });
});

describe('404', () => {
  test('refuses another partner’s event like an unknown one', async () => {
    const [owner, stranger] = [await newPartner(), await newPartner()];
    const [id = ''] = await announce(owner.partnerId, 1);

    const answers = [await read(stranger.apiKey, id), await read(stranger.apiKey, 'unknown')];

    for (const answer of answers) expectRefusal(answer, 'EVENT_NOT_FOUND', {});
  });
});

describe('401', () => {
  test('refuses a call without a key', async () => {
    expectRefusal(await read('', 'any'), 'INVALID_API_KEY');
  });
});
