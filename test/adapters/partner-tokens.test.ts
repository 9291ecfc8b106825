import { createHmac, createPublicKey, generateKeyPairSync, sign as signRaw } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { partnerTokens } from '../../functions/adapters/partner-tokens.ts';
import type { PublicJwk } from '../../functions/domain/partners/partner-token.ts';
import { forged, newSigner, type Signer } from '../support/token-signer.ts';

const { open } = partnerTokens();
const CLAIMS = { iss: 'https://vendor.example', sub: '52998224725', jti: 'one' };

let vendor: Signer;
let stranger: Signer;
beforeAll(async () => {
  [vendor, stranger] = await Promise.all([newSigner(), newSigner()]);
});

describe('a token that a registered key signed', () => {
  test.each(['ES256', 'EdDSA', 'RS256', 'PS256'])('opens: %s', async (alg) => {
    const signer = await newSigner(alg);

    expect(await open(await signer.sign(CLAIMS), [signer.jwk])).toEqual({ claims: CLAIMS, kid: 'k1' });
  });

  test('opens by the key that it names, one of several', async () => {
    const other = await newSigner('EdDSA', 'k2');

    expect(await open(await vendor.sign(CLAIMS), [other.jwk, vendor.jwk])).toEqual({
      claims: CLAIMS,
      kid: 'k1',
    });
  });

  test('opens even if a private key was registered by mistake, which is not used', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...(privateKey.export({ format: 'jwk' }) as PublicJwk), kid: 'k1' };
    const input = forged({ alg: 'ES256', kid: 'k1' }, CLAIMS).slice(0, -1);
    const signature = signRaw('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });

    expect(await open(`${input}.${signature.toString('base64url')}`, [jwk])).toEqual({
      claims: CLAIMS,
      kid: 'k1',
    });
  });
});

describe('a forged token is refused', () => {
  test.each(['none', 'None', 'NONE', 'nOnE'])('without a signature: alg %s', async (alg) => {
    expect(await open(forged({ alg, kid: 'k1' }, CLAIMS), [vendor.jwk])).toEqual({ fault: 'ALGORITHM' });
  });

  test('with the public key as the secret of an HMAC', async () => {
    const signer = await newSigner('RS256');
    const pem = createPublicKey({ key: signer.jwk as never, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const input = forged({ alg: 'HS256', kid: 'k1' }, CLAIMS).slice(0, -1);
    for (const secret of [pem, JSON.stringify(signer.jwk), String(signer.jwk.n)]) {
      const signature = createHmac('sha256', secret).update(input).digest('base64url');

      expect(await open(`${input}.${signature}`, [signer.jwk])).toEqual({ fault: 'ALGORITHM' });
    }
  });

  // Spec, Authentication: "validated by the service, including their signature"
  // docs/decisions.md, "Partner KYC tokens (Model 2)"
  test('by another key under the name of a registered one', async () => {
    expect(await open(await stranger.sign(CLAIMS), [vendor.jwk])).toEqual({ fault: 'SIGNATURE' });
  });

  test.each(['jwk', 'jku', 'x5u', 'x5c'])('with a key that it contains: %s', async (member) => {
    const own = member === 'jwk' ? stranger.jwk : member === 'x5c' ? ['AAAA'] : 'http://127.0.0.1:9/keys';

    expect(await open(await stranger.sign(CLAIMS, { [member]: own }), [vendor.jwk])).toEqual({
      fault: 'SIGNATURE',
    });
  });

  test('with other claims under a good signature, or with another header', async () => {
    const [header, , signature] = (await vendor.sign(CLAIMS)).split('.');
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, sub: '11144477735' })).toString('base64url');
    const other = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k1', typ: 'JWT' })).toString('base64url');
    const [, payload] = (await vendor.sign(CLAIMS)).split('.');

    expect(await open(`${header}.${claims}.${signature}`, [vendor.jwk])).toEqual({ fault: 'SIGNATURE' });
    expect(await open(`${other}.${payload}.${signature}`, [vendor.jwk])).toEqual({ fault: 'SIGNATURE' });
  });

  test('with an empty signature or one of zeros', async () => {
    const [header, payload] = (await vendor.sign(CLAIMS)).split('.');
    for (const signature of [
      '',
      Buffer.alloc(64).toString('base64url'),
      Buffer.alloc(63).toString('base64url'),
    ]) {
      expect(await open(`${header}.${payload}.${signature}`, [vendor.jwk])).toEqual({ fault: 'SIGNATURE' });
    }
  });

  test.each([
    ['crit and b64', { crit: ['b64'], b64: false }],
    ['crit alone', { crit: ['exp'], exp: 1 }],
    ['b64 without crit', { b64: false }],
  ])('with %s in its header', async (_, members) => {
    const [, , signature] = (await vendor.sign(CLAIMS)).split('.');

    expect(
      await open(forged({ alg: 'ES256', kid: 'k1', ...members }, CLAIMS, signature), [vendor.jwk]),
    ).toEqual({
      fault: 'MALFORMED',
    });
  });

  test('if its header has two key names, of which only the last one counts', async () => {
    const header = '{"alg":"ES256","kid":"k1","kid":"k2"}';
    const [, , signature] = (await vendor.sign(CLAIMS)).split('.');
    const k2 = { ...stranger.jwk, kid: 'k2' };

    expect(await open(forged(header, CLAIMS, signature), [vendor.jwk])).toEqual({ fault: 'UNKNOWN_KEY' });
    expect(await open(forged(header, CLAIMS, signature), [vendor.jwk, k2])).toEqual({ fault: 'SIGNATURE' });
  });

  test('if no key is registered', async () => {
    expect(await open(await vendor.sign(CLAIMS), [])).toEqual({ fault: 'UNKNOWN_KEY' });
  });
});

describe('an unusable key', () => {
  test('is RSA below 2048 bits', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const jwk = { ...((await exportJWK(publicKey)) as PublicJwk), kid: 'k1' };
    const input = forged({ alg: 'RS256', kid: 'k1' }, CLAIMS).slice(0, -1);
    const signature = signRaw('sha256', Buffer.from(input), privateKey).toString('base64url');

    expect(await open(`${input}.${signature}`, [jwk])).toEqual({ fault: 'UNUSABLE_KEY' });
  });

  test.each([
    { kty: 'EC', crv: 'P-256', kid: 'k1' },
    { kty: 'EC', crv: 'P-256', kid: 'k1', x: 'AA', y: 'AA' },
    { kty: 'EC', crv: 'P-256', kid: 'k1', x: {}, y: [] } as unknown as PublicJwk,
  ])('is a point outside of its curve: %o', async (jwk) => {
    expect(await open(await vendor.sign(CLAIMS), [jwk])).toEqual({ fault: 'UNUSABLE_KEY' });
  });
});

describe('a text that is no token', () => {
  test.each([
    '',
    '.',
    '..',
    '...',
    'x',
    'a.b.c',
    'eyJhbGciOiJub25lIn0',
    ' ',
    'null',
    '{"payload":"","signatures":[]}',
    'x'.repeat(8192),
    `${'e30.'.repeat(2048)}`,
    forged('null', {}),
    forged([], {}),
    forged('['.repeat(5000), {}),
    forged({ alg: 'ES256', kid: 'k1' }, {}).replaceAll('.', ' . '),
  ])('is refused, without an error: %.40s', async (text) => {
    expect(await open(text, [vendor.jwk])).toHaveProperty('fault');
  });

  test.each(['not JSON', '{', '\u0000', '['.repeat(6000)])(
    'is refused as signed claims, too: %.10j',
    async (text) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = { ...((await exportJWK(publicKey)) as PublicJwk), kid: 'k1' };
      const input = forged({ alg: 'ES256', kid: 'k1' }, text).slice(0, -1);
      const signature = signRaw('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });

      expect(await open(`${input}.${signature.toString('base64url')}`, [jwk])).toEqual({
        fault: 'MALFORMED',
      });
    },
  );

  test('is refused for any text, and never throws', async () => {
    const good = (await vendor.sign(CLAIMS)).split('.');
    const part = fc.oneof(fc.constantFrom(...good, ''), fc.base64String(), fc.string({ unit: 'binary' }));
    const compact = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
    const header = fc.json().map((json) => forged(json, CLAIMS, good[2]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(compact, header, fc.string({ unit: 'binary' })), async (text) => {
        fc.pre(text !== good.join('.'));
        expect(await open(text, [vendor.jwk])).toHaveProperty('fault');
      }),
      { numRuns: 1000 },
    );
  });
});
