import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { FAMILIES, FIELD_OF } from '../../client/error-codes.ts';
import { ClientRefusedError, errorOf, isOnrampError, OnrampError } from '../../client/errors.ts';
import { ERRORS } from '../../functions/domain/errors.ts';
import {
  apiKey,
  breakOff,
  clientOf,
  hangUp,
  raw,
  refusal,
  rejection,
  type StubAnswer,
  silence,
  startStub,
} from './stub-server.ts';

async function failWith(answer: StubAnswer, timeoutMs = 5_000): Promise<OnrampError> {
  const stub = await startStub(answer);
  const { client } = clientOf(stub.url, { maxRetries: 0, timeoutMs });
  const error = await rejection(client.getKycStatus('kyc_1'));
  if (!isOnrampError(error)) throw error;
  return error;
}

describe('a refusal of the service', () => {
  it('carries code, message, status, details and request id', async () => {
    const headers = {
      'X-Request-Id': 'r-1',
      'RateLimit-Limit': '20',
      'RateLimit-Remaining': '3',
      'RateLimit-Reset': '9',
    };
    const error = await failWith(
      refusal(422, 'KYC_REJECTED', { details: { reason: 'SANCTIONS_HIT' }, headers }),
    );

    expect(error).toBeInstanceOf(OnrampError);
    expect(error).toMatchObject({
      name: 'ClientRefusedError',
      code: 'KYC_REJECTED',
      message: 'told to refuse with KYC_REJECTED',
      status: 422,
      details: { reason: 'SANCTIONS_HIT' },
      requestId: 'r-1',
      rateLimit: { limit: 20, remaining: 3, resetSeconds: 9 },
    });
  });

  it('carries the seconds of Retry-After', async () => {
    const error = await failWith(refusal(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'Retry-After': '42' } }));

    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 42 });
  });

  it('keeps a code that this version does not know', async () => {
    expect(await failWith(refusal(422, 'LIMIT_OF_TOMORROW'))).toMatchObject({ code: 'LIMIT_OF_TOMORROW' });
  });

  it('carries each field at fault, and names it in its message', async () => {
    const issues = [
      { path: 'cpf', message: 'is required' },
      { path: '', message: 'the body is not valid JSON' },
    ];

    const error = await failWith(refusal(400, 'INVALID_REQUEST', { details: { issues } }));

    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      issues,
      message: 'told to refuse with INVALID_REQUEST (cpf is required; the body is not valid JSON)',
    });
  });

  it.each([undefined, null, 'cpf', {}, [null, 'cpf', { path: 1, message: 'x' }, { path: 'cpf' }]])(
    'carries no field if the service names none: %j',
    async (issues) => {
      const error = await failWith(refusal(400, 'INVALID_REQUEST', { details: { issues } }));

      expect(error).toMatchObject({ issues: [], message: 'told to refuse with INVALID_REQUEST' });
    },
  );

  it('has empty details and its code as message when the service sends neither', async () => {
    const error = await failWith(raw(404, '{"success":false,"error":{"code":"NOT_FOUND"}}'));

    expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'NOT_FOUND', details: {}, issues: [] });
  });
});

describe('the family of an error', () => {
  const codes = Object.entries(FAMILIES).flatMap(([family, codes]) =>
    codes.map((code) => [code, family] as const),
  );

  it('is one for each code of the service', () => {
    expect(codes.map(([code]) => code).sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it.each(codes)('of %s is the class %s', async (code, family) => {
    const error = await failWith(refusal(422, code));

    expect(Object.getPrototypeOf(error)).not.toBe(OnrampError.prototype);
    expect(error).toBeInstanceOf(OnrampError);
    expect(error).toMatchObject({ name: family, code });
  });

  it('is none for a code that this version does not know', () => {
    const error = errorOf('LIMIT_OF_TOMORROW', 'refused', {});

    expect(Object.getPrototypeOf(error)).toBe(OnrampError.prototype);
    expect(error.name).toBe('OnrampError');
  });

  it('narrows the code', () => {
    const error: unknown = errorOf('KYC_REJECTED', 'refused', {});
    if (!(error instanceof ClientRefusedError)) throw error;

    expectTypeOf(error.code).extract<'KYC_REJECTED'>().toEqualTypeOf<'KYC_REJECTED'>();
    expectTypeOf(error.code).extract<'INVALID_REQUEST'>().toBeNever();
  });
});

describe('the field of an error', () => {
  it('is the first wrong one of the request', async () => {
    const issues = [
      { path: 'metadata.order', message: 'is too long' },
      { path: 'cpf', message: 'is required' },
    ];

    expect(await failWith(refusal(400, 'INVALID_REQUEST', { details: { issues } }))).toMatchObject({
      field: 'metadata.order',
    });
  });

  it.each(Object.entries(FIELD_OF))('of %s is %s', async (code, field) => {
    expect(await failWith(refusal(422, code))).toMatchObject({ field });
  });

  it.each([
    ['KYC_REJECTED', {}],
    ['INVALID_REQUEST', { issues: [{ path: '', message: 'is not JSON' }] }],
  ])('is absent from %s, which is about the whole', async (code, details) => {
    expect((await failWith(refusal(400, code, { details }))).field).toBeUndefined();
  });
});

describe('a failure of the network', () => {
  it.each([
    ['the connection breaks', hangUp],
    ['the answer breaks off', breakOff],
  ])('is NETWORK_ERROR with its cause when %s', async (_name, answer) => {
    const error = await failWith(answer);

    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: undefined });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('is TIMEOUT when no answer comes in time', async () => {
    expect(await failWith(silence, 50)).toMatchObject({ code: 'TIMEOUT', status: undefined });
  });
});

describe('an answer that is not the envelope', () => {
  it.each([
    ['a page with status 200', raw(200, '<html>Sign in to the hotel WLAN</html>')],
    ['an empty answer', raw(204, '')],
    ['a success without data', raw(200, '{"success":true}')],
    ['data that is no object', raw(200, '{"success":true,"data":"x"}')],
    ['data that is a list', raw(200, '{"success":true,"data":[]}')],
    ['a failure with status 200', raw(200, '{"success":false,"data":{},"error":{"code":"X"}}')],
    ['a success with status 400', raw(400, '{"success":true,"data":{},"error":{"code":"X"}}')],
    ['an error without a code', raw(400, '{"success":false,"error":{}}')],
    ["a gateway's own error", raw(403, '{"message":"Missing Authentication Token"}')],
    ['null', raw(500, 'null')],
  ])('is UNEXPECTED_RESPONSE: %s', async (_name, answer) => {
    const error = await failWith(answer);

    expect(error.code).toBe('UNEXPECTED_RESPONSE');
    expect(error.message).toBe(`The answer (HTTP ${error.status}) is not the service's envelope`);
  });

  it('is UNEXPECTED_RESPONSE for a redirect, which is not followed, so that the key goes nowhere else', async () => {
    const elsewhere = await startStub(raw(200, '{"success":true,"data":{}}'));

    const error = await failWith(raw(307, '', { location: elsewhere.url }));

    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 307 });
    expect(elsewhere.seen).toEqual([]);
  });
});

describe('the text of an error', () => {
  it.each([
    ['a refusal', refusal(401, 'INVALID_API_KEY')],
    ['a broken connection', hangUp],
    ['a page', raw(500, `echo ${apiKey}`)],
  ])('never contains the API key: %s', async (_name, answer) => {
    expect(inspect(await failWith(answer), { depth: 10, showHidden: true })).not.toContain(apiKey);
  });
});

describe('isOnrampError', () => {
  const error: unknown = new OnrampError('KYC_REJECTED', 'refused', { details: { reason: 'UNDERAGE' } });

  it('distinguishes our errors from others, and one code from another', () => {
    expect(isOnrampError(error)).toBe(true);
    expect(isOnrampError(error, 'KYC_REJECTED')).toBe(true);
    expect(isOnrampError(error, 'INTERNAL_ERROR')).toBe(false);
    expect(isOnrampError(new Error('KYC_REJECTED'))).toBe(false);
    expect(isOnrampError(undefined)).toBe(false);
  });

  it('narrows the details to those of the code', () => {
    if (isOnrampError(error)) expectTypeOf(error.details).toEqualTypeOf<Record<string, unknown>>();
    if (isOnrampError(error, 'AMOUNT_OUT_OF_RANGE')) {
      expectTypeOf(error.details.minimum).toEqualTypeOf<number | undefined>();
    }
    if (isOnrampError(error, 'MFA_ATTEMPTS_EXCEEDED')) {
      expectTypeOf(error.details.retryAfterSeconds).toEqualTypeOf<number | undefined>();
    }
    if (!isOnrampError(error, 'MFA_INVALID_CODE')) return;
    expectTypeOf(error.details.attemptsRemaining).toEqualTypeOf<number | undefined>();
  });
});
