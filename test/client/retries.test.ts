import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OnrampError } from '../../client/errors.ts';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { parseRetryAfter, retryDelayMs } from '../../client/retry.ts';
import { createTransport } from '../../client/transport.ts';
import {
  apiKey,
  breakOff,
  clientOf,
  hangUp,
  ok,
  raw,
  refusal,
  rejection,
  type StubAnswer,
  silence,
  silenceAfterHeaders,
  startStub,
} from './stub-server.ts';

const person = { cpf: '529.982.247-25', biometricHash: 'sha256:00' };

const transient: [string, StubAnswer][] = [
  ['the connection breaks', hangUp],
  ['the answer breaks off', breakOff],
  ['the service is at its limit', refusal(429, 'RATE_LIMIT_EXCEEDED')],
  ['the service fails', refusal(500, 'INTERNAL_ERROR')],
  ['a gateway fails with a page of its own', raw(502, '<html>Bad Gateway</html>')],
  ['the first request is still in progress', refusal(409, 'IDEMPOTENCY_IN_PROGRESS')],
];

const final: [number, string][] = [
  [400, 'INVALID_REQUEST'],
  [401, 'INVALID_API_KEY'],
  [403, 'PARTNER_SUSPENDED'],
  [404, 'TRANSACTION_NOT_FOUND'],
  [409, 'IDEMPOTENCY_KEY_REUSED'],
  [409, 'INVALID_TRANSACTION_STATE'],
  [413, 'REQUEST_TOO_LARGE'],
  [422, 'MFA_INVALID_CODE'],
];

describe('a transient failure', () => {
  it.each(transient)('is retried once when %s and then succeeds', async (_name, answer) => {
    const stub = await startStub(answer, ok({ token: 'kyc_1' }));
    const { client, waits } = clientOf(stub.url);

    await expect(client.submitKyc(person)).resolves.toEqual({ token: 'kyc_1' });

    expect(waits).toEqual([375]);
    expect(stub.seen).toHaveLength(2);
    expect(stub.seen[1]?.body).toBe(stub.seen[0]?.body);
    expect(stub.seen[1]?.headers['idempotency-key']).toBe(stub.seen[0]?.headers['idempotency-key']);
  });

  it('is retried with the first try’s body, even if the caller changes it in the meantime', async () => {
    const stub = await startStub(hangUp, ok({}));
    const mine = { ...person };
    const sleep = async () => {
      mine.cpf = 'changed';
    };

    await clientOf(stub.url, { sleep }).client.submitKyc(mine);

    expect(stub.seen.map(({ body }) => JSON.parse(body))).toEqual([person, person]);
  });

  it('is retried with its key for a DELETE, too', async () => {
    const stub = await startStub(hangUp, ok({}));
    const sleep = async () => {};
    const transport = createTransport({ apiKey, baseUrl: stub.url, sleep, randomId: () => 'id-1' });

    await transport.send(transport.remove('/laas/partner/webhook-endpoints/e1'));

    const seen = stub.seen.map(({ method, headers, body }) => [method, headers['idempotency-key'], body]);
    expect(seen).toEqual(Array(2).fill(['DELETE', 'id-1', '']));
  });

  it.each([
    ['the service is silent', silence],
    ['the body does not come', silenceAfterHeaders],
  ] as [string, StubAnswer][])('is retried when %s for longer than the time-out', async (_name, answer) => {
    const stub = await startStub(answer, ok({ token: 'kyc_1' }));

    const record = await clientOf(stub.url, { timeoutMs: 1_000 }).client.getKycStatus('kyc_1');

    expect(record).toEqual({ token: 'kyc_1' });
  });

  it('is retried three times, with longer pauses each time, before the caller gets it', async () => {
    const stub = await startStub(refusal(500, 'INTERNAL_ERROR'));
    const { client, waits } = clientOf(stub.url);

    const error = await rejection(client.submitKyc(person));

    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
    expect(waits).toEqual([375, 750, 1500]);
    expect(stub.seen).toHaveLength(4);
  });

  it('is never retried when maxRetries is 0', async () => {
    const stub = await startStub(hangUp);

    await rejection(clientOf(stub.url, { maxRetries: 0 }).client.getKycStatus('k'));

    expect(stub.seen).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each(final)('is not retried: %i %s', async (status, code) => {
    const stub = await startStub(refusal(status, code));
    const { client, waits } = clientOf(stub.url);

    expect(await rejection(client.submitKyc(person))).toMatchObject({ code, status });

    expect(stub.seen).toHaveLength(1);
    expect(waits).toEqual([]);
  });
});

describe('Retry-After', () => {
  const now = () => Date.UTC(2026, 10, 20, 12, 0, 0);

  it.each([
    ['seconds', '7'],
    ['an HTTP date', 'Fri, 20 Nov 2026 12:00:07 GMT'],
    ['an obsolete HTTP date', 'Friday, 20-Nov-26 12:00:07 GMT'],
  ])('is waited for, plus jitter, given as %s', async (_form, header) => {
    const stub = await startStub(
      refusal(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'Retry-After': header } }),
      ok({}),
    );
    const { client, waits } = clientOf(stub.url, { now });

    await client.getKycStatus('k');

    expect(waits).toEqual([7_125]);
  });

  it('is left to the caller if it is longer than a minute', async () => {
    const stub = await startStub(refusal(500, 'INTERNAL_ERROR', { headers: { 'Retry-After': '61' } }));
    const { client, waits } = clientOf(stub.url);

    const error = await rejection(client.getKycStatus('k'));

    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', retryAfterSeconds: 61 });
    expect(waits).toEqual([]);
  });

  it.each([null, '', '-5', '1.5', 'soon', 'never GMT'])('is ignored if it is %j', (header) => {
    expect(parseRetryAfter(header, now())).toBeUndefined();
  });

  it('needs no wait if the date has passed', () => {
    expect(parseRetryAfter('Fri, 20 Nov 2026 11:00:00 GMT', now())).toBe(0);
  });
});

describe('the back-off', () => {
  it('is never shorter than Retry-After, nor than half of its step, and never longer than both', () => {
    const cases = fc.record({
      attempt: fc.integer({ min: 1, max: 40 }),
      retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
      dice: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });

    fc.assert(
      fc.property(cases, ({ attempt, retryAfterSeconds, dice }) => {
        const error = new OnrampError('INTERNAL_ERROR', '', { status: 500, retryAfterSeconds });
        const delayMs = retryDelayMs(error, attempt, { maxRetries: 40, random: () => dice });

        const stepMs = Math.min(8_000, 500 * 2 ** (attempt - 1));
        const askedMs = (retryAfterSeconds ?? 0) * 1000;
        expect(delayMs).toBeGreaterThanOrEqual(Math.max(askedMs, stepMs / 2));
        expect(delayMs).toBeLessThanOrEqual(askedMs + stepMs);
      }),
    );
  });

  it('does not apply to errors of the caller', () => {
    expect(retryDelayMs(new TypeError(), 1, { maxRetries: 3, random: () => 0 })).toBeUndefined();
  });
});

/** A moment after the request arrived. Its answer is there by then, if it has one. */
async function leaveOnceSeen(stub: { seen: unknown[] }, stop: AbortController): Promise<void> {
  await expect.poll(() => stub.seen.length).toBe(1);
  setTimeout(() => stop.abort(new Error('user left')), 50);
}

describe('the signal of the caller', () => {
  it('ends a request that hangs, without a retry', async () => {
    const stub = await startStub(silence);
    const stop = new AbortController();

    const call = clientOf(stub.url).client.getKycStatus('k', { signal: stop.signal });
    void leaveOnceSeen(stub, stop);

    await expect(call).rejects.toThrow('user left');
    expect(stub.seen).toHaveLength(1);
  });

  it('ends the wait before a retry', async () => {
    const stub = await startStub(refusal(429, 'RATE_LIMIT_EXCEEDED', { headers: { 'Retry-After': '30' } }));
    const client = createOnrampClient({ apiKey, baseUrl: stub.url });
    const stop = new AbortController();

    const call = client.submitKyc(person, { signal: stop.signal });
    void leaveOnceSeen(stub, stop);

    await expect(call).rejects.toThrow('user left');
    expect(stub.seen).toHaveLength(1);
  });

  it('sends nothing if it was aborted before the start', async () => {
    const stub = await startStub(ok({}));

    const call = clientOf(stub.url).client.getKycStatus('k', {
      signal: AbortSignal.abort(new Error('late')),
    });

    await expect(call).rejects.toThrow('late');
    expect(stub.seen).toEqual([]);
  });
});

describe('a client without injected parts', () => {
  it('really waits between two attempts', async () => {
    const stub = await startStub(refusal(500, 'INTERNAL_ERROR'), ok({}));
    const startedAt = performance.now();

    await createOnrampClient({ apiKey, baseUrl: stub.url }).getKycStatus('k');

    expect(performance.now() - startedAt).toBeGreaterThan(240);
  });
});
