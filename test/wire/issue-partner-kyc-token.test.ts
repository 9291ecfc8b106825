import { describe, expect, test } from 'vitest';
import { partnerTokens } from '../../functions/adapters/partner-tokens.ts';
import { sandboxVendor } from '../../sandbox/partner-keys.ts';
import { call, expectRefusal } from '../support/partner-api.ts';
import { newPartner, randomCpf } from '../support/sandbox.ts';

const PATH = '/v1/laas/sandbox/partner-kyc-token';

async function issue(body: unknown) {
  const { apiKey } = await newPartner();
  return call('POST', PATH, { apiKey, body });
}

describe('200', () => {
  test.each([
    ['digits', '52998224725'],
    ['punctuated', '529.982.247-25'],
  ])('gives a token for the CPF, %s, signed by the vendor of the seeded partners', async (_, cpf) => {
    const { status, data } = await issue({ cpf });

    expect(status).toBe(200);
    const { issuer, audience, jwks } = sandboxVendor;
    const opened = await partnerTokens().open(String(data.partnerKycToken), jwks.keys);
    expect(opened).toMatchObject({ claims: { iss: issuer, aud: audience, sub: '52998224725' } });
  });

  test('gives another token at each call', async () => {
    const cpf = randomCpf();

    const [one, other] = [await issue({ cpf }), await issue({ cpf })];

    expect(one.data.partnerKycToken).not.toBe(other.data.partnerKycToken);
  });

  test('does not show the private key', () => {
    expect(Object.keys(sandboxVendor.jwks.keys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'x']);
  });
});

describe('400 INVALID_REQUEST', () => {
  test.each([{}, { cpf: '52998224724' }, { cpf: 5 }])('refuses %o', async (body) => {
    expectRefusal(await issue(body), 'INVALID_REQUEST');
  });
});
