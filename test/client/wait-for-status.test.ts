import { describe, expect, expectTypeOf, it } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { terminalTransactionStatuses } from '../../client/statuses.ts';
import { apiKey, clientOf, ok, refusal, rejection, silence, startStub } from './stub-server.ts';

const has = (status: string) => ok({ transactionId: 'T1', status });

/** A client whose sleep moves its clock. */
function clientInItsOwnTime(url: string) {
  const clock = { ms: 0 };
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    clock.ms += ms;
  };
  return { ...clientOf(url, { sleep, now: () => clock.ms }), waits };
}

const otherEnds = terminalTransactionStatuses.filter((status) => status !== 'COMPLETED');

describe('waitForStatus', () => {
  it('returns at once if the transaction has the status already', async () => {
    const stub = await startStub(has('AWAITING_PIX'));
    const { client, waits } = clientInItsOwnTime(stub.url);

    const transaction = await client.waitForStatus('T1', ['AWAITING_PIX', 'PROCESSING']);

    expect(transaction.status).toBe('AWAITING_PIX');
    expectTypeOf(transaction.status).toEqualTypeOf<'AWAITING_PIX' | 'PROCESSING'>();
    expect(waits).toEqual([]);
  });

  it('reads at the interval until the status is one of those awaited', async () => {
    const stub = await startStub(has('AWAITING_PIX'), has('PROCESSING'), has('COMPLETED'));
    const { client, waits } = clientInItsOwnTime(stub.url);

    const { status } = await client.waitForStatus('T1', ['COMPLETED'], { intervalMs: 100 });

    expect(status).toBe('COMPLETED');
    expect(waits).toEqual([100, 100]);
    expect(stub.seen[2]?.path).toBe('/v1/laas/transactions/T1/status');
  });

  it.each(otherEnds)('ends at once when the transaction is %s instead', async (status) => {
    const stub = await startStub(has(status));

    const error = await rejection(clientInItsOwnTime(stub.url).client.waitForStatus('T1', ['COMPLETED']));

    expect(error).toMatchObject({ code: 'STATUS_UNREACHABLE', details: { status } });
    expect(stub.seen).toHaveLength(1);
  });

  it('ends at once when the transaction is beyond the status that is awaited', async () => {
    const stub = await startStub(has('PROCESSING'));

    const error = await rejection(clientInItsOwnTime(stub.url).client.waitForStatus('T1', ['AWAITING_PIX']));

    expect(error).toMatchObject({
      code: 'STATUS_UNREACHABLE',
      message: 'Transaction T1 is PROCESSING already',
      details: { status: 'PROCESSING' },
    });
    expect(stub.seen).toHaveLength(1);
  });

  it('continues if one of the awaited statuses may still come', async () => {
    const stub = await startStub(has('PROCESSING'), has('FAILED'));
    const { client } = clientInItsOwnTime(stub.url);

    const { status } = await client.waitForStatus('T1', ['AWAITING_PIX', 'FAILED']);

    expect(status).toBe('FAILED');
  });

  // docs/decisions.md, "Versions"
  it('continues at a status that a later version of the service has added', async () => {
    const stub = await startStub(has('ON_HOLD'), has('COMPLETED'));
    const { client, waits } = clientInItsOwnTime(stub.url);

    const { status } = await client.waitForStatus('T1', ['COMPLETED'], { intervalMs: 100 });

    expect([status, waits]).toEqual(['COMPLETED', [100]]);
  });

  it('gives the reason why the transaction is FAILED', async () => {
    const stub = await startStub(
      ok({ transactionId: 'T1', status: 'FAILED', failure: { reason: 'PAYER_MISMATCH' } }),
    );

    const error = await rejection(clientInItsOwnTime(stub.url).client.waitForStatus('T1', ['COMPLETED']));

    expect(error).toMatchObject({
      message: 'Transaction T1 ended as FAILED: PAYER_MISMATCH',
      details: { status: 'FAILED', reason: 'PAYER_MISMATCH' },
    });
  });

  it('returns a terminal status that is awaited', async () => {
    const stub = await startStub(has('FAILED'));

    const { status } = await clientInItsOwnTime(stub.url).client.waitForStatus('T1', ['COMPLETED', 'FAILED']);

    expect(status).toBe('FAILED');
  });

  it('reads a last time at the deadline, then names the status it saw', async () => {
    const stub = await startStub(has('AWAITING_PIX'));
    const { client, waits } = clientInItsOwnTime(stub.url);

    const wait = client.waitForStatus('T1', ['COMPLETED'], { timeoutMs: 1_000, intervalMs: 400 });

    expect(await rejection(wait)).toMatchObject({
      code: 'WAIT_TIMED_OUT',
      details: { status: 'AWAITING_PIX' },
    });
    expect(waits).toEqual([400, 400, 200]);
    expect(stub.seen).toHaveLength(4);
  });

  it('ends at the deadline even while a read hangs', async () => {
    const stub = await startStub(has('PROCESSING'), silence);
    const client = createOnrampClient({ apiKey, baseUrl: stub.url });

    const wait = client.waitForStatus('T1', ['COMPLETED'], { timeoutMs: 3_000, intervalMs: 10 });

    expect(await rejection(wait)).toMatchObject({
      code: 'WAIT_TIMED_OUT',
      details: { status: 'PROCESSING' },
    });
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: 2 ** 31 }, { intervalMs: 0 }, { intervalMs: Number.NaN }])(
    'refuses %o, because it would read without a pause or not at all',
    async (options) => {
      const stub = await startStub(has('PROCESSING'));

      const wait = clientInItsOwnTime(stub.url).client.waitForStatus('T1', ['COMPLETED'], options);

      await expect(wait).rejects.toThrow(TypeError);
      expect(stub.seen).toEqual([]);
    },
  );

  it('passes on a refusal', async () => {
    const stub = await startStub(has('PROCESSING'), refusal(404, 'TRANSACTION_NOT_FOUND'));

    const wait = clientInItsOwnTime(stub.url).client.waitForStatus('T1', ['COMPLETED']);

    expect(await rejection(wait)).toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });

  it('continues after a temporary failure', async () => {
    const stub = await startStub(refusal(500, 'INTERNAL_ERROR'), has('COMPLETED'));

    await expect(
      clientInItsOwnTime(stub.url).client.waitForStatus('T1', ['COMPLETED']),
    ).resolves.toBeDefined();
  });

  it.each([
    ['between two reads', has('PROCESSING')],
    ['during a read', silence],
  ])('ends when the caller stops it %s', async (_when, answer) => {
    const stub = await startStub(answer);
    const client = createOnrampClient({ apiKey, baseUrl: stub.url });
    const stop = new AbortController();

    const wait = client.waitForStatus('T1', ['COMPLETED'], { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('user left')), 100);

    await expect(wait).rejects.toThrow('user left');
  });
});

describe('waitForKyc', () => {
  const record = (status: string) => ok({ token: 'kyc_1', status });

  it('reads the record, every ten seconds by default, until it is decided', async () => {
    const stub = await startStub(record('PENDING'), record('PENDING'), record('APPROVED'));
    const { client, waits } = clientInItsOwnTime(stub.url);

    const approved = await client.waitForKyc('kyc_1', ['APPROVED']);

    expect(approved).toEqual({ token: 'kyc_1', status: 'APPROVED' });
    expectTypeOf(approved.status).toEqualTypeOf<'APPROVED'>();
    expect(waits).toEqual([10_000, 10_000]);
    expect(stub.seen[2]?.path).toBe('/v1/laas/clients/kyc_1');
  });

  it('gives the reason why the record is REJECTED', async () => {
    const stub = await startStub(
      ok({ token: 'kyc_1', status: 'PENDING' }),
      ok({ token: 'kyc_1', status: 'REJECTED', reason: 'DOCUMENT_REJECTED' }),
    );

    const error = await rejection(clientInItsOwnTime(stub.url).client.waitForKyc('kyc_1', ['APPROVED']));

    expect(error).toMatchObject({
      code: 'STATUS_UNREACHABLE',
      message: 'The KYC record ended as REJECTED: DOCUMENT_REJECTED',
      details: { status: 'REJECTED', reason: 'DOCUMENT_REJECTED' },
    });
  });

  it('ends at once if the record stays PENDING until another submission', async () => {
    const stub = await startStub(ok({ token: 'kyc_1', status: 'PENDING', reason: 'CNPJ_REQUIRED' }));

    const error = await rejection(clientInItsOwnTime(stub.url).client.waitForKyc('kyc_1', ['APPROVED']));

    expect(error).toMatchObject({
      code: 'STATUS_UNREACHABLE',
      message: 'The KYC record stays PENDING: CNPJ_REQUIRED',
      details: { status: 'PENDING', reason: 'CNPJ_REQUIRED' },
    });
    expect(stub.seen).toHaveLength(1);
  });

  it.each(['REJECTED', 'EXPIRED'])('ends at once when the record is %s instead', async (status) => {
    const stub = await startStub(record('PENDING'), record(status));

    const error = await rejection(clientInItsOwnTime(stub.url).client.waitForKyc('kyc_1', ['APPROVED']));

    expect(error).toMatchObject({ code: 'STATUS_UNREACHABLE', details: { status } });
    expect(stub.seen).toHaveLength(2);
  });

  it('ends at once if the record is approved while a rejection is awaited', async () => {
    const stub = await startStub(record('APPROVED'));

    const error = await rejection(clientInItsOwnTime(stub.url).client.waitForKyc('kyc_1', ['REJECTED']));

    expect(error).toMatchObject({ code: 'STATUS_UNREACHABLE', details: { status: 'APPROVED' } });
  });

  it('ends at the deadline, without the token in the message', async () => {
    const stub = await startStub(record('PENDING'));
    const options = { timeoutMs: 1_000, intervalMs: 400 };

    const error = await rejection(
      clientInItsOwnTime(stub.url).client.waitForKyc('kyc_1', ['APPROVED'], options),
    );

    expect(error).toMatchObject({
      code: 'WAIT_TIMED_OUT',
      message: 'The KYC record is still PENDING',
      details: { status: 'PENDING' },
    });
    expect(stub.seen).toHaveLength(4);
  });

  it('ends when the caller stops it', async () => {
    const stub = await startStub(record('PENDING'));
    const stop = new AbortController();

    const wait = createOnrampClient({ apiKey, baseUrl: stub.url }).waitForKyc('kyc_1', ['APPROVED'], {
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(new Error('user left')), 100);

    await expect(wait).rejects.toThrow('user left');
  });
});
