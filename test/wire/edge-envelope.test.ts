import { describe, expect, test } from 'vitest';
import {
  approvedClient,
  call,
  clientPath,
  expectRefusal,
  getStatus,
  INITIATE_PATH,
  initiate,
  KYC_PATH,
  mfaPath,
  statusPath,
  submitKyc,
  untilWindowHas,
} from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner } from '../support/sandbox.ts';

const UNKNOWN_ID = '0'.repeat(26);
const LIMIT_BYTES = 64 * 1024;

/** A JSON object of exactly this number of bytes. */
function bodyOf(length: number, fields: object): string {
  const bare = JSON.stringify({ ...fields, padding: '' });
  return bare.replace(/""}$/, `"${'x'.repeat(length - bare.length)}"}`);
}

describe('every answer', () => {
  // Spec, Response envelope: "true on every 2xx response"
  test('has for a success the envelope and nothing else', async () => {
    const { apiKey } = await newPartner();

    const answer = await submitKyc(apiKey, aSubmission());

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ success: true, data: expect.any(Object) });
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  test('has its own X-Request-Id', async () => {
    const { apiKey } = await newPartner();

    const answers = [
      await submitKyc(apiKey, aSubmission()),
      await submitKyc(apiKey, 'null'),
      await getStatus(apiKey, UNKNOWN_ID),
      await getStatus('unknown', UNKNOWN_ID),
      await call('GET', '/nowhere', {}),
    ];

    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(answers.length);
  });

  test('counts down the minute of a known key, failures included', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(10, 60);

    const answers = [await getStatus(apiKey, UNKNOWN_ID), await submitKyc(apiKey, 'null')];

    const told = answers.map(({ headers }) => [
      headers.get('ratelimit-limit'),
      headers.get('ratelimit-remaining'),
    ]);
    expect(told).toEqual([
      ['100', '99'],
      ['20', '19'],
    ]);
    for (const { headers } of answers) {
      const reset = Number(headers.get('ratelimit-reset'));
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(60);
    }
  });

  test('names no limit to an unknown key', async () => {
    const { headers } = await getStatus('unknown', UNKNOWN_ID);

    expect(headers.has('ratelimit-limit')).toBe(false);
  });
});

describe('404 NOT_FOUND', () => {
  // Spec, Versioning: "All LaaS endpoints are under /v1/laas/"
  // docs/decisions.md, "Versions"
  // docs/decisions.md, "API keys"
  test.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/laas/kyc'],
    ['POST', '/v1/laas/kyc/submit/more'],
    ['POST', '/v2/laas/kyc/submit'],
    ['POST', '/V1/LAAS/KYC/SUBMIT'],
    ['GET', '/v1/laas/clients/'],
    ['GET', '/v1/laas/transactions//status'],
    ['GET', '/laas/partner/nothing'],
    ['GET', '/v1/laas/kyc/submit'],
    ['PUT', KYC_PATH],
    ['DELETE', statusPath(UNKNOWN_ID)],
    ['PATCH', INITIATE_PATH],
    ['POST', statusPath(UNKNOWN_ID)],
    ['GET', mfaPath(UNKNOWN_ID)],
    ['POST', clientPath('kyc_x')],
    ['OPTIONS', KYC_PATH],
  ])('answers %s %s in the envelope, with or without a key', async (method, path) => {
    const { apiKey } = await newPartner();

    const answers = [await call(method, path, {}), await call(method, path, { apiKey })];

    for (const answer of answers) expectRefusal(answer, 'NOT_FOUND', {});
  });
});

describe('413 REQUEST_TOO_LARGE', () => {
  test.each([
    ['kyc submit', KYC_PATH],
    ['transaction initiate', INITIATE_PATH],
    ['mfa', mfaPath(UNKNOWN_ID)],
  ])('answers %s when the body is a byte over 64 kB', async (_, path) => {
    const { apiKey } = await newPartner();
    const body = bodyOf(LIMIT_BYTES + 1, { ...aSubmission(), ...aPurchase('kyc_x'), totpCode: '123456' });

    const answer = await call('POST', path, { apiKey, body });

    expectRefusal(answer, 'REQUEST_TOO_LARGE', {});
  });

  test('counts bytes, not characters', async () => {
    const { apiKey } = await newPartner();
    const body = { ...aSubmission(), padding: 'é'.repeat(LIMIT_BYTES / 2) };

    expectRefusal(await submitKyc(apiKey, body), 'REQUEST_TOO_LARGE', {});
  });

  test('takes a body of exactly 64 kB', async () => {
    const { apiKey } = await newPartner();

    const answer = await submitKyc(apiKey, bodyOf(LIMIT_BYTES, aSubmission()));

    expect(answer.status).toBe(200);
  });

  // Spec, Errors: "Every failure uses this envelope"
  // docs/decisions.md, "Precedence of refusals"
  test('is not in the envelope for a body over 10 MB, which API Gateway itself refuses', async () => {
    const { apiKey } = await newPartner();

    const answer = await submitKyc(apiKey, bodyOf(10 * 1024 * 1024 + 1, aSubmission()));

    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toEqual({ message: 'Request Too Long' });
  });
});

describe('of two refusals the first of the catalogue is answered:', () => {
  const tooLarge = bodyOf(LIMIT_BYTES + 1, aSubmission());

  test('the key comes before the size and the form', async () => {
    expectRefusal(await submitKyc('unknown', tooLarge), 'INVALID_API_KEY', {});
    expectRefusal(await submitKyc('unknown', 'null'), 'INVALID_API_KEY', {});
  });

  test('the size comes before the form', async () => {
    const { apiKey } = await newPartner();

    expectRefusal(await submitKyc(apiKey, `${tooLarge}}`), 'REQUEST_TOO_LARGE', {});
  });

  test('the form comes before the amount, the amount before the rest', async () => {
    const { apiKey } = await approvedClient();
    const worst = { amountBrl: 1, asset: 'BTC', walletAddress: 'x' };

    expectRefusal(await initiate(apiKey, aPurchase(undefined, worst)), 'INVALID_REQUEST');
    expectRefusal(await initiate(apiKey, aPurchase('kyc_x', worst)), 'AMOUNT_OUT_OF_RANGE');
  });
});
