import { describe, expect, test } from 'vitest';
import { SUSPENDED_API_KEY } from '../../sandbox/seed.ts';
import { expectRefusal } from '../support/partner-api.ts';
import { addEndpoint, getPartner, newKey, revokeKey, rotateSecret } from '../support/partner-endpoints.ts';
import { newPartner, sandbox } from '../support/sandbox.ts';

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('200', () => {
  // docs/decisions.md, "Accounts of partners"
  test('shows the caller’s account, its keys and its endpoints', async () => {
    const { partnerId, apiKey } = await newPartner();

    const { status, success, data } = await getPartner(apiKey);

    expect({ status, success }).toEqual({ status: 200, success: true });
    expect(data).toEqual({
      id: partnerId,
      name: 'Test Exchange',
      status: 'ACTIVE',
      spreadBasisPoints: 100,
      keys: [{ id: 'key1', status: 'ACTIVE', scopes: ['read', 'write', 'manage'], createdAt: INSTANT }],
      webhookEndpoints: [
        {
          id: 'receiver',
          url: `${sandbox().simulatorsUrl}/webhook-receiver/${partnerId}`,
          createdAt: INSTANT,
          status: 'ENABLED',
        },
      ],
    });
  });

  test('shows no secret', async () => {
    const { apiKey } = await newPartner();
    const added = await addEndpoint(apiKey, 'https://partner.example/hook');
    const rotated = await rotateSecret(apiKey, String(added.data.id));

    const { text } = await getPartner(apiKey);

    expect(text).not.toMatch(/cipher|sha256|whsec_|sk_sandbox|rotatedBy|"secret|"formerSecret"/i);
    for (const { data } of [added, rotated]) {
      expect(String(data.secret)).toMatch(/^whsec_/);
      expect(text).not.toContain(String(data.secret).slice('whsec_'.length));
    }
  });

  test('shows all keys in the order of their creation, and how long a former secret signs', async () => {
    const { partnerId, apiKey } = await newPartner();
    for (const keyId of ['second', 'another']) await newKey(partnerId, keyId);
    await revokeKey(apiKey, 'second');
    await rotateSecret(apiKey, 'receiver');

    const { data } = await getPartner(apiKey);

    expect((data.keys as { id: string; status: string }[]).map(({ id, status }) => [id, status])).toEqual([
      ['key1', 'ACTIVE'],
      ['second', 'REVOKED'],
      ['another', 'ACTIVE'],
    ]);
    expect(data.webhookEndpoints).toMatchObject([{ id: 'receiver', formerSecretUntil: INSTANT }]);
  });
});

describe('401', () => {
  test('refuses a call without a key', async () => {
    expectRefusal(await getPartner(''), 'INVALID_API_KEY');
  });
});

describe('403', () => {
  test('refuses a suspended partner', async () => {
    expectRefusal(await getPartner(SUSPENDED_API_KEY), 'PARTNER_SUSPENDED');
  });
});
