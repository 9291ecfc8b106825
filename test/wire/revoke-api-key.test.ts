import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/partner-api.ts';
import { getPartner, newKey, revokeKey } from '../support/partner-endpoints.ts';
import { newPartner } from '../support/sandbox.ts';

describe('200', () => {
  test('refuses the revoked key from its next request on', async () => {
    const { partnerId, apiKey } = await newPartner();
    const leaked = await newKey(partnerId, 'leaked');
    expect((await getPartner(leaked)).status).toBe(200);

    const answer = await revokeKey(apiKey, 'leaked');

    expect(answer).toMatchObject({ status: 200, data: { id: 'leaked', status: 'REVOKED' } });
    expectRefusal(await getPartner(leaked), 'INVALID_API_KEY');
    expect((await getPartner(apiKey)).status).toBe(200);
  });

  test('gives the same answer for a key that was revoked before', async () => {
    const { partnerId, apiKey } = await newPartner();
    await newKey(partnerId, 'leaked');
    await revokeKey(apiKey, 'leaked');

    expect(await revokeKey(apiKey, 'leaked')).toMatchObject({ status: 200, data: { status: 'REVOKED' } });
  });
});

describe('400', () => {
  test.each(['Key1', 'a_b', 'x'.repeat(33)])('refuses %s, which cannot be a key’s id', async (keyId) => {
    const { apiKey } = await newPartner();

    const { error } = await revokeKey(apiKey, keyId);

    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { issues: [{ path: 'keyId' }] } });
  });
});

describe('401', () => {
  test('answers one of two keys that revoke each other at once, and the other stays', async () => {
    const { partnerId, apiKey } = await newPartner();
    const other = await newKey(partnerId, 'other');

    await Promise.all([revokeKey(apiKey, 'other'), revokeKey(other, 'key1')]);

    const statuses = [await getPartner(apiKey), await getPartner(other)].map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401]);
  });

  test('answers a key that was revoked itself', async () => {
    const { partnerId, apiKey } = await newPartner();
    const leaked = await newKey(partnerId, 'leaked');
    await revokeKey(apiKey, 'leaked');

    expectRefusal(await revokeKey(leaked, 'key1'), 'INVALID_API_KEY');
  });
});

describe('404', () => {
  test('answers for a key that does not exist, or is another partner’s', async () => {
    const [{ apiKey }, other] = [await newPartner(), await newPartner()];
    const theirs = await newKey(other.partnerId, 'theirs');

    for (const keyId of ['unknown', 'theirs']) {
      expectRefusal(await revokeKey(apiKey, keyId), 'API_KEY_NOT_FOUND', {});
    }
    expect((await getPartner(theirs)).status).toBe(200);
  });
});

describe('409', () => {
  test('answers a key that would revoke itself', async () => {
    const { apiKey } = await newPartner();

    expectRefusal(await revokeKey(apiKey, 'key1'), 'API_KEY_IN_USE', {});

    expect((await getPartner(apiKey)).status).toBe(200);
  });
});
