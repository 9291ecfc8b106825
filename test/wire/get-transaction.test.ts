import { describe, expect, test } from 'vitest';
import { call, expectRefusal, getStatus, openPurchase } from '../support/partner-api.ts';
import { newPartner } from '../support/sandbox.ts';

const get = (apiKey: string, id: string) => call('GET', `/v1/laas/transactions/${id}`, { apiKey });

// docs/decisions.md, "Facts that partners learn"
describe('GET /v1/laas/transactions/{id}', () => {
  test('tells the story, with the fields of the status and the partner’s own', async () => {
    const fields = { externalId: 'order-1', metadata: { order: '17' } };
    const { apiKey, id } = await openPurchase(undefined, fields);

    const { status, data } = await get(apiKey, id);

    expect(status).toBe(200);
    const { data: shown } = await getStatus(apiKey, id);
    const { authChallenge, history, ...shared } = shown;
    expect(data).toMatchObject({ ...shared, ...fields });
    expect(data.story).toMatchObject({
      happened: [
        { what: 'OPENED', at: shown.createdAt, text: { pt: expect.any(String), en: expect.any(String) } },
      ],
      standing: { what: 'WAITS_FOR_CLIENT', since: shown.createdAt },
      next: { by: shown.expiresAt },
    });
  });

  test('does not find the purchase of another partner', async () => {
    const { id } = await openPurchase();
    const { apiKey } = await newPartner();

    expectRefusal(await get(apiKey, id), 'TRANSACTION_NOT_FOUND', {});
  });
});
