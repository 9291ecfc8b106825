import { describe, expect, test } from 'vitest';
import { call, expectRefusal } from '../support/partner-api.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { newPartner, rowOf } from '../support/sandbox.ts';
import { newSigner } from '../support/token-signer.ts';

const PATH = '/laas/partner/vendor-keys';

async function manager() {
  const { partnerId } = await newPartner();
  return { partnerId, apiKey: await newKey(partnerId, 'manager', ['read', 'manage']) };
}

// docs/decisions.md, "Partner KYC tokens (Model 2)"
describe('/laas/partner/vendor-keys', () => {
  test('takes a public key, lists it and takes it back', async () => {
    const { apiKey } = await manager();
    const { jwk } = await newSigner('ES256', 'vendor-2');
    const body = { jwk: { ...jwk, alg: 'ES256' } };

    const proposed = await call('POST', PATH, { apiKey, body });

    expect(proposed.data).toMatchObject({ kid: 'vendor-2', status: 'PENDING', alg: 'ES256' });
    const { data } = await call('GET', PATH, { apiKey });
    expect(data.keys).toContainEqual(proposed.data);
    const withdrawn = await call('DELETE', `${PATH}/vendor-2`, { apiKey });
    expect(withdrawn.data).toEqual({ kid: 'vendor-2', status: 'WITHDRAWN' });
  });

  test('refuses a private key, and keeps nothing of it', async () => {
    const { partnerId, apiKey } = await manager();
    const { jwk } = await newSigner('ES256', 'vendor-2');
    const body = { jwk: { ...jwk, alg: 'ES256', d: 'secret-of-the-vendor' } };

    const answer = await call('POST', PATH, { apiKey, body });

    expectRefusal(answer, 'INVALID_REQUEST');
    expect(answer.text).toContain('holds a private key');
    expect(answer.text).not.toContain('secret-of-the-vendor');
    expect(await rowOf('TablesPartners', `PARTNER#${partnerId}`)).not.toHaveProperty('proposedKeys');
  });

  test('is changed by a manage key alone', async () => {
    const { partnerId } = await newPartner();
    const apiKey = await newKey(partnerId, 'buyer', ['read', 'write']);
    const { jwk } = await newSigner();

    expectRefusal(await call('POST', PATH, { apiKey, body: { jwk } }), 'KEY_SCOPE_INSUFFICIENT');
    expectRefusal(await call('DELETE', `${PATH}/k1`, { apiKey }), 'KEY_SCOPE_INSUFFICIENT');
  });
});
