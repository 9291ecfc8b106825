import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeClaims, keyFor, type PublicJwk } from '../../functions/domain/partners/partner-token.ts';
import { NOW } from '../support/builders.ts';

const SECONDS = NOW / 1000;
const HOUR = 60 * 60;
const expected = { issuer: 'https://vendor.example', audience: 'onramp', cpf: '52998224725', now: NOW };
const claims = {
  iss: expected.issuer,
  aud: 'onramp',
  sub: expected.cpf,
  jti: 'token-1',
  iat: SECONDS - 10,
  exp: SECONDS + HOUR,
};
const judge = (changes: Record<string, unknown>) => judgeClaims({ ...claims, ...changes }, expected);

describe('the claims of a token', () => {
  it.each([
    ['as they are', {}],
    ['with several audiences', { aud: ['other', 'onramp'] }],
    ['issued a day and the skew ago', { iat: SECONDS - 24 * HOUR - 60 }],
    ['issued by a clock that is a minute ahead', { iat: SECONDS + 60, nbf: SECONDS + 60 }],
    ['over since less than the skew', { exp: SECONDS - 59 }],
    ['with times of fractions', { iat: SECONDS - 0.5, exp: SECONDS + 0.5 }],
    ['with claims that nobody asked for', { name: 'x', nested: { iss: 'y' } }],
  ])('are accepted %s, and give the token’s id', (_, changes) => {
    expect(judge(changes)).toEqual({ id: 'token-1' });
  });

  // Spec, Authentication: "validated by the service, including their signature"
  // docs/decisions.md, "Partner KYC tokens (Model 2)"
  it.each([
    ['ISSUER', { iss: 'https://other.example' }],
    ['ISSUER', { iss: undefined }],
    ['ISSUER', { iss: [expected.issuer] }],
    ['AUDIENCE', { aud: 'other' }],
    ['AUDIENCE', { aud: [] }],
    ['AUDIENCE', { aud: [['onramp']] }],
    ['AUDIENCE', { aud: undefined }],
    ['AUDIENCE', { aud: { onramp: true } }],
    ['SUBJECT', { sub: '11144477735' }],
    ['SUBJECT', { sub: '529.982.247-25' }],
    ['SUBJECT', { sub: 52998224725 }],
    ['SUBJECT', { sub: undefined }],
    ['TIME', { exp: SECONDS - 60 }],
    ['TIME', { exp: undefined }],
    ['TIME', { exp: String(SECONDS + HOUR) }],
    ['TIME', { exp: Number.POSITIVE_INFINITY }],
    ['TIME', { iat: SECONDS + 61 }],
    ['TIME', { iat: SECONDS - 24 * HOUR - 61 }],
    ['TIME', { iat: undefined }],
    ['TIME', { iat: null }],
    ['TIME', { nbf: SECONDS + 61 }],
    ['TIME', { nbf: 'now' }],
    ['TOKEN_ID', { jti: undefined }],
    ['TOKEN_ID', { jti: '' }],
    ['TOKEN_ID', { jti: 7 }],
    ['TOKEN_ID', { jti: 'x'.repeat(257) }],
  ])('are refused for their %s: %o', (fault, changes) => {
    expect(judge(changes)).toEqual({ fault });
  });

  it.each([null, undefined, 'text', 7, true, [], [claims]])('are refused if they are %o', (value) => {
    expect(judgeClaims(value, expected)).toEqual({ fault: 'MALFORMED' });
  });

  it('are accepted only with the partner’s issuer, audience and CPF, and never cause an error', () => {
    const anything = fc.anything();
    const near = fc.record(
      {
        iss: fc.oneof(fc.constant(claims.iss), anything),
        aud: fc.oneof(fc.constant(claims.aud), anything),
        sub: fc.oneof(fc.constant(claims.sub), anything),
        jti: fc.oneof(fc.constant(claims.jti), anything),
        iat: fc.oneof(fc.constant(claims.iat), anything),
        exp: fc.oneof(fc.constant(claims.exp), anything),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(near, anything), (value) => {
        const judged = judgeClaims(value, expected);
        if ('fault' in judged) return;
        expect(value).toMatchObject({ iss: claims.iss, sub: claims.sub, jti: judged.id });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the key of a token', () => {
  const ec: PublicJwk = { kty: 'EC', crv: 'P-256', kid: 'ec', x: 'x', y: 'y' };
  const ed: PublicJwk = { kty: 'OKP', crv: 'Ed25519', kid: 'ed', x: 'x' };
  const rsa: PublicJwk = { kty: 'RSA', kid: 'rsa', n: 'n', e: 'AQAB' };
  const keys = [ec, ed, rsa];

  it.each([
    ['ES256', ec],
    ['EdDSA', ed],
    ['RS256', rsa],
    ['PS256', rsa],
  ])('is the one that the header names, for %s', (alg, key) => {
    expect(keyFor({ alg, kid: key.kid }, keys)).toEqual({ key });
  });

  it.each([
    'none',
    'None',
    'HS256',
    'HS512',
    'ES384',
    'ES256K',
    'RS1',
    'RS512',
    'dir',
    'constructor',
    '__proto__',
    '',
    undefined,
    5,
  ])('is not found for the algorithm %s', (alg) => {
    for (const { kid } of keys) expect(keyFor({ alg, kid }, keys)).toEqual({ fault: 'ALGORITHM' });
  });

  it.each([
    ['ES256', 'ed'],
    ['ES256', 'rsa'],
    ['EdDSA', 'ec'],
    ['RS256', 'ec'],
    ['PS256', 'ed'],
  ])('is not used for another kind of signature: %s with %s', (alg, kid) => {
    expect(keyFor({ alg, kid }, keys)).toEqual({ fault: 'ALGORITHM' });
  });

  it.each(['unknown', '', undefined, null, ['ec'], 0])('is not guessed for the key id %o', (kid) => {
    expect(keyFor({ alg: 'ES256', kid }, keys)).toEqual({ fault: 'UNKNOWN_KEY' });
  });

  it('is not chosen if two keys have the same name', () => {
    expect(keyFor({ alg: 'ES256', kid: 'ec' }, [...keys, { ...ec, x: 'other' }])).toEqual({
      fault: 'AMBIGUOUS_KEY',
    });
    expect(keyFor({ alg: 'ES256', kid: 'ec' }, [ec, { ...rsa, kid: 'ec' }])).toEqual({
      fault: 'AMBIGUOUS_KEY',
    });
  });

  it.each([
    ['another algorithm', { ...rsa, alg: 'PS256' }],
    ['encryption', { ...rsa, use: 'enc' }],
  ])('is not used if it is registered for %s', (_, key) => {
    expect(keyFor({ alg: 'RS256', kid: 'rsa' }, [key])).toEqual({ fault: 'ALGORITHM' });
  });

  it('is never a symmetric key', () => {
    const oct = { kty: 'oct', kid: 'k', k: 'c2VjcmV0' } as PublicJwk;

    for (const alg of ['HS256', 'ES256', 'RS256']) {
      expect(keyFor({ alg, kid: 'k' }, [oct])).toEqual({ fault: 'ALGORITHM' });
    }
  });
});
