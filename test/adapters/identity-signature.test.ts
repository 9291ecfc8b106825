import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isIdentitySigned } from '../../functions/adapters/identity/callback.ts';
import { signatureHeaders } from '../../functions/adapters/identity/session.ts';

/**
 * The string to sign is the documentation's own, with its time: https://docs.sumsub.com/reference/authentication. Key
 * and token are those of the official examples: https://github.com/SumSubstance/AppTokenUsageExamples,
 * JS/AppTokenJsExample.js. Neither publishes the digest. It is `openssl dgst -sha256 -hmac` of the two.
 */
const DOCUMENTED = {
  string:
    '1607551635POST/resources/accessTokens?userId=cfd20712-24a2-4c7d-9ab0-146f3c142335&levelName=basic-kyc-level&ttlInSecs=600',
  secretKey: 'Hej2ch71kG2kTd1iIUDZFNsO5C1lh5Gq',
  appToken: 'sbx:uY0CgwELmgUAEyl4hNWxLngb.0WSeQeiYny4WEqmAALEAiK2qTC96fBad',
  digest: '1e1856be1c1e1ff113e5664acac6b423ffefe04ad42ff36567622ef56f62c4b1',
};

describe('a request', () => {
  test('is signed as the documentation shows', () => {
    const [path = ''] = /\/.*$/.exec(DOCUMENTED.string) ?? [];
    const headers = signatureHeaders({ method: 'POST', path, text: '' }, DOCUMENTED, 1_607_551_635_999);
    expect(headers).toEqual({
      'X-App-Token': DOCUMENTED.appToken,
      'X-App-Access-Ts': '1607551635',
      'X-App-Access-Sig': DOCUMENTED.digest,
    });
  });

  test('is signed with a body as in the official example', () => {
    // AppTokenJsExample.js, createSignature: two updates, of ts + method + url and of the body as it is sent.
    const body = JSON.stringify({ userId: 'José', levelName: 'basic-kyc-level', ttlInSecs: 600 });
    const signature = createHmac('sha256', DOCUMENTED.secretKey);
    signature.update(`${1607551635}POST/resources/accessTokens/sdk`);
    signature.update(Buffer.from(body));

    const sent = { method: 'POST', path: '/resources/accessTokens/sdk', text: body };
    expect(signatureHeaders(sent, DOCUMENTED, 1_607_551_635_000)['X-App-Access-Sig']).toBe(
      signature.digest('hex'),
    );
  });

  test.each([
    ['method', { method: 'GET', path: '/a', text: '' }, 0],
    ['path', { method: 'POST', path: '/b', text: '' }, 0],
    ['body', { method: 'POST', path: '/a', text: '{}' }, 0],
    ['second', { method: 'POST', path: '/a', text: '' }, 1000],
  ])('has another signature for another %s', (_, sent, now) => {
    const one = signatureHeaders({ method: 'POST', path: '/a', text: '' }, DOCUMENTED, 0);
    expect(signatureHeaders(sent, DOCUMENTED, now)['X-App-Access-Sig']).not.toBe(one['X-App-Access-Sig']);
  });
});

/**
 * The documentation's example of a webhook's digest, "Verify webhook sender" of
 * https://docs.sumsub.com/docs/webhooks. Libraries check it, too (https://github.com/andyle182810/gosumsub,
 * webhook_unit_test.go). It is published for SHA-1. The other two are `openssl dgst` of the same key and text.
 */
const WEBHOOK_SECRET = 'SoMe_SeCrEt_KeY';
const TEXT = 'someText';
const DIGESTS = {
  HMAC_SHA1_HEX: 'f6e92ffe371718694d46e28436f76589312df8db',
  HMAC_SHA256_HEX: '7f3beedce7529616a9d6bba59dc1b054a7247cef67f6acff2600864399f47fe0',
  HMAC_SHA512_HEX:
    '3aae08986027051ca0656d87c4c95f1f15d3ecaf23cf239e5a43fd03a8af2822' +
    '3a06be1f97624caefd55475c84673773dc10e895a1ab885a3548c58bd7af9ebf',
};
const signed = (alg: string | undefined, digest: string | undefined, body = TEXT, secret = WEBHOOK_SECRET) =>
  isIdentitySigned(body, { 'x-payload-digest-alg': alg, 'x-payload-digest': digest }, secret);

describe('a webhook', () => {
  test('carries the digest of the documentation', () => {
    expect(createHmac('sha1', WEBHOOK_SECRET).update(TEXT).digest('hex')).toBe(DIGESTS.HMAC_SHA1_HEX);
  });

  test.each(['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'] as const)('is signed under %s', (alg) => {
    expect(signed(alg, DIGESTS[alg])).toBe(true);
  });

  test('is not accepted under the old SHA-1, even with the right digest', () => {
    expect(signed('HMAC_SHA1_HEX', DIGESTS.HMAC_SHA1_HEX)).toBe(false);
  });

  const RIGHT = DIGESTS.HMAC_SHA256_HEX;
  test.each<[string, boolean]>([
    ['of another body', signed('HMAC_SHA256_HEX', RIGHT, 'someText ')],
    ['under another secret', signed('HMAC_SHA256_HEX', RIGHT, TEXT, 'SoMe_SeCrEt_Key')],
    ['without an algorithm', signed(undefined, RIGHT)],
    ['with an algorithm that is a name of every object', signed('constructor', RIGHT)],
    ['with the digest of another algorithm', signed('HMAC_SHA512_HEX', RIGHT)],
    ['without a digest', signed('HMAC_SHA256_HEX', undefined)],
    ['with an empty digest', signed('HMAC_SHA256_HEX', '')],
    ['with half a digest', signed('HMAC_SHA256_HEX', RIGHT.slice(0, 32))],
    ['with a longer digest', signed('HMAC_SHA256_HEX', `${RIGHT}00`)],
    ['with a digest in letters of two bytes', signed('HMAC_SHA256_HEX', 'é'.repeat(32))],
    ['without any header', isIdentitySigned(TEXT, {}, WEBHOOK_SECRET)],
  ])('%s is not accepted', (_, answer) => {
    expect(answer).toBe(false);
  });

  test('is never accepted under an empty secret', () => {
    const digest = createHmac('sha256', '').update(TEXT).digest('hex');
    expect(signed('HMAC_SHA256_HEX', digest, TEXT, '')).toBe(false);
  });

  test('is signed over its bytes, with any characters', () => {
    const body = '{"name":"João"}';
    const digest = createHmac('sha256', WEBHOOK_SECRET).update(Buffer.from(body)).digest('hex');
    expect(signed('HMAC_SHA256_HEX', digest, body)).toBe(true);
  });
});
