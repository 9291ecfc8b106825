import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { type PartnerKycTokenInput, signPartnerKycToken } from '../../client/partner-kyc-token.ts';
import { partnerTokens } from '../../functions/adapters/partner-tokens.ts';
import {
  judgeClaims,
  type PublicJwk,
  TOKEN_ALGORITHMS,
} from '../../functions/domain/partners/partner-token.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const registered = { issuer: 'https://vendor.test', audience: 'onramp' };

async function vendor(alg: string, modulusLength = 2048) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, modulusLength });
  const jwk = { ...((await exportJWK(publicKey)) as PublicJwk), kid: 'k1' };
  return { jwk, key: privateKey as CryptoKey, privateJwk: { ...(await exportJWK(privateKey)), alg } };
}

function tokenOf(privateKey: CryptoKey | JsonWebKey, more: Partial<PartnerKycTokenInput> = {}) {
  const input = { cpf: '529.982.247-25', ...registered, keyId: 'k1', privateKey, now: () => now };
  return signPartnerKycToken({ ...input, ...more });
}

/** The service's own judgement. */
async function judged(token: string, jwk: PublicJwk) {
  const opened = await partnerTokens().open(token, [jwk]);
  return 'fault' in opened ? opened : judgeClaims(opened.claims, { ...registered, cpf: '52998224725', now });
}

describe('a token that the library signs', () => {
  it.each(Object.keys(TOKEN_ALGORITHMS))('is one that the service accepts: %s', async (alg) => {
    const { jwk, key, privateJwk } = await vendor(alg);

    for (const privateKey of [key, privateJwk]) {
      expect(await judged(await tokenOf(privateKey, { tokenId: 'case-1' }), jwk)).toEqual({ id: 'case-1' });
    }
  });

  it.each(['ES256', 'EdDSA', 'RS256'])(
    'is accepted with a JWK that does not say its algorithm: %s',
    async (alg) => {
      const { jwk, privateJwk } = await vendor(alg);

      expect(await judged(await tokenOf({ ...privateJwk, alg: undefined, use: 'sig' }), jwk)).toHaveProperty(
        'id',
      );
    },
  );

  it('has another id each time, and ends after ten minutes or as told', async () => {
    const { key } = await vendor('ES256');

    const [first, second] = [
      decodeJwt(await tokenOf(key)),
      decodeJwt(await tokenOf(key, { lifeSeconds: 60 })),
    ];

    expect(first.jti).not.toBe(second.jti);
    expect(first).toMatchObject({ iat: now / 1000, exp: now / 1000 + 600, sub: '52998224725' });
    expect(second.exp).toBe(now / 1000 + 60);
  });

  it('is of the machine’s time by default', async () => {
    const { key } = await vendor('ES256');

    const { iat = 0 } = decodeJwt(await tokenOf(key, { now: undefined }));

    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(600);
  });
});

describe('a wrong argument', () => {
  it.each(['ES384', 'RS512'])('is a key of %s, which the service would refuse', async (alg) => {
    const { key } = await vendor(alg);

    await expect(tokenOf(key)).rejects.toThrow(TypeError);
  });

  it('is a public key', async () => {
    const { jwk } = await vendor('ES256');

    await expect(tokenOf(jwk as JsonWebKey)).rejects.toThrow(TypeError);
  });

  it('is a secret that both sides know', async () => {
    await expect(tokenOf({ kty: 'oct', k: 'c2VjcmV0' })).rejects.toThrow(TypeError);
  });

  it.each(['', '529.982.247', '52998224725x'])('is the CPF %j', async (cpf) => {
    const { key } = await vendor('ES256');

    await expect(tokenOf(key, { cpf })).rejects.toThrow(new TypeError('cpf must have 11 digits'));
  });
});
