import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/api/partner/propose-vendor-key.ts';
import type { VendorJwk } from '../../functions/domain/partners/partner-token.ts';
import { refusalBy } from '../support/requests.ts';
import { allRowsIn } from '../support/tables.ts';
import { vendorSigner, vendorWorld } from '../support/vendor-key-world.ts';

// docs/decisions.md, "Partner KYC tokens (Model 2)"
describe('a proposed key', () => {
  test.each(['ES256', 'EdDSA', 'RS256', 'PS256'])(
    'counts once an operator has approved it: %s',
    async (alg) => {
      const { former, propose, list, approve, judge } = await vendorWorld();
      const next = await vendorSigner(alg);

      const answer = await propose(next.jwk);

      expect(handler.answer().parse(answer)).toEqual(answer);
      expect(answer).toMatchObject({ kid: 'k2', alg, status: 'PENDING' });
      expect(await judge(next)).toBe('KYC_REJECTED');
      expect(await judge(former)).toBe('ACCEPTED');
      await approve('k2');
      expect([await judge(next), await judge(former)]).toEqual(['ACCEPTED', 'ACCEPTED']);
      expect((await list()).map(({ kid, status }) => [kid, status])).toEqual([
        ['k1', 'ACTIVE'],
        ['k2', 'ACTIVE'],
      ]);
    },
  );

  test('is announced to each endpoint in the same write, and once for a repeated request', async () => {
    const { ports, propose, list } = await vendorWorld();
    const { jwk } = await vendorSigner();

    const answers = [await propose(jwk, 'REQUEST'), await propose(jwk, 'REQUEST')];

    expect(answers[0]).toEqual(answers[1]);
    expect(await list()).toHaveLength(2);
    expect(await ports.events.findEvent('REQUEST.1')).toMatchObject({
      type: 'vendor_key.changed',
      endpointIds: ['hook'],
      data: { kid: 'k2', status: 'PENDING', thumbprint: answers[0]!.thumbprint, changedBy: 'manager' },
    });
  });

  test('of twenty at once is one of at most five', async () => {
    const { propose, list } = await vendorWorld();
    const { jwk } = await vendorSigner();

    const all = Array.from({ length: 20 }, (_, index) => propose({ ...jwk, kid: `n${index}` }));

    const ended = await Promise.allSettled(all);
    const made = ended.filter(({ status }) => status === 'fulfilled').length;
    expect(await list()).toHaveLength(1 + made);
    expect(made).toBeLessThanOrEqual(4);
    expect(made).toBeGreaterThan(0);
  });
});

describe('409', () => {
  test('refuses a sixth key', async () => {
    const { propose } = await vendorWorld();
    const { jwk } = await vendorSigner();
    for (const kid of ['a', 'b', 'c', 'd']) await propose({ ...jwk, kid });

    await expect(propose({ ...jwk, kid: 'e' })).rejects.toMatchObject({
      code: 'VENDOR_KEY_LIMIT',
      details: { maximum: 5 },
    });
  });
});

describe('400', () => {
  const rsa = (bits: number, publicExponent = 0x10001) => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits, publicExponent });
    return { ...publicKey.export({ format: 'jwk' }), kid: 'r', alg: 'RS256' } as VendorJwk;
  };

  test.each([
    ['an RSA key of 1024 bits', async () => rsa(1024)],
    ['an RSA key with the exponent 3', async () => rsa(2048, 3)],
    [
      'a point outside its curve',
      async () => ({ ...(await vendorSigner()).jwk, y: (await vendorSigner()).jwk.x! }),
    ],
    ['half a point', async () => ({ ...(await vendorSigner()).jwk, y: undefined })],
    ['a key of another kind', async () => ({ ...(await vendorSigner('EdDSA')).jwk, alg: 'ES256' })],
    ['the name of a key that counts', async () => ({ ...(await vendorSigner()).jwk, kid: 'k1' })],
  ])('refuses %s', async (_, make) => {
    const { propose, list } = await vendorWorld();

    await expect(propose(await make())).rejects.toMatchObject({ code: 'INVALID_REQUEST' });

    expect(await list()).toHaveLength(1);
  });

  test('refuses a private key with words of its own, and names and keeps nothing of it', async () => {
    const { tables, ports } = await vendorWorld();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'k2', alg: 'ES256' } as VendorJwk & {
      d: string;
    };

    const refusal = refusalBy(handler, { jwk })!;

    expect(refusal.code).toBe('INVALID_REQUEST');
    expect(JSON.stringify(refusal.details)).toContain('holds a private key');
    const traces = JSON.stringify(
      [refusal, refusal.details, ports.log, await allRowsIn(tables)],
      (_, value) => (value instanceof Set ? [...value] : value),
    );
    expect(traces).not.toContain(jwk.d);
  });

  test.each([
    ['an unknown algorithm', { alg: 'HS256' }],
    ['no algorithm', { alg: undefined }],
    ['another curve', { crv: 'secp256k1' }],
    ['a weak curve', { crv: 'P-192' }],
    ['an address of keys', { jku: 'https://vendor.example/jwks' }],
    ['an address of a certificate', { x5u: 'https://vendor.example/cert' }],
    ['a certificate', { x5c: ['AAAA'] }],
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a key for encryption', { use: 'enc' }],
    ['a kid with a slash', { kid: 'a/b' }],
    ['a kid of dots', { kid: '..' }],
    ['no kid', { kid: undefined }],
    ['a coordinate that is no base64url', { x: 'f83O=' }],
  ])('refuses %s', async (_, changes) => {
    const { jwk } = await vendorSigner();

    expect(refusalBy(handler, { jwk: { ...jwk, ...changes } })?.code).toBe('INVALID_REQUEST');
  });

  test.each([undefined, null, 'https://vendor.example/jwks', [], { keys: [] }])(
    'refuses the key %j',
    (jwk) => {
      expect(refusalBy(handler, { jwk })?.code).toBe('INVALID_REQUEST');
    },
  );
});
