import { describe, expect, test } from 'vitest';
import { call, expectRefusal } from '../support/partner-api.ts';
import { getPartner, managed, newKey, PARTNER_PATH } from '../support/partner-endpoints.ts';
import { newPartner, rowOf } from '../support/sandbox.ts';

const KEYS_PATH = `${PARTNER_PATH}/keys`;
const wanted = { scopes: ['read'], expiresInDays: 1 };
const makeKey = (apiKey: string, body: object = wanted) => call('POST', KEYS_PATH, { apiKey, body });

describe('200', () => {
  // docs/decisions.md, "API keys"
  test('shows a made key, which is refused while it waits, and whose secret is stored nowhere', async () => {
    // Without an endpoint that is told of the key, the key waits for an operator, however slow the machine is.
    const { partnerId } = await newPartner({ webhookEndpoints: [] });
    const apiKey = await newKey(partnerId, 'manager', ['read', 'manage']);

    const { status, data } = await makeKey(apiKey);

    expect(status).toBe(200);
    const { apiKey: made, ...shown } = data;
    const listed = await call('GET', KEYS_PATH, { apiKey });
    expect(listed.data.keys).toMatchObject([{ id: 'key1' }, { id: 'manager' }, { id: data.id }]);
    expect(shown).toMatchObject({ status: 'WAITING', madeBy: 'manager' });
    expectRefusal(await getPartner(String(made)), 'INVALID_API_KEY');
    const row = JSON.stringify(await rowOf('TablesPartners', `KEY#${partnerId}#${data.id}`));
    expect(row).not.toContain(String(made).split('_').at(-1));
  });
});

describe('403', () => {
  test('answers a key without manage, and one that would make a wider key', async () => {
    const { apiKey: reader } = await managed(['read', 'write']);
    const { apiKey: manager } = await managed(['manage']);

    expectRefusal(await makeKey(reader), 'KEY_SCOPE_INSUFFICIENT', {
      needs: 'manage',
      has: ['read', 'write'],
    });
    expectRefusal(await makeKey(manager), 'KEY_SCOPE_INSUFFICIENT', { needs: 'read', has: ['manage'] });
  });
});
