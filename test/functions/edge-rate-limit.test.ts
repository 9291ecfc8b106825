import { describe, expect, test } from 'vitest';
import {
  type Answer,
  aPurchase,
  aSubmission,
  expectRefusal,
  getStatus,
  holdingsOf,
  initiate,
  NOTHING,
  rowsWhere,
  submitKyc,
  untilWindowHas,
} from '../support/partner-api.ts';
import { newPartner } from '../support/sandbox.ts';

const UNKNOWN_ID = '0'.repeat(26);
/** A burst has to fall into one minute of the wall clock, on a slow machine too. */
const BURST_SECONDS = 20;
const TIMEOUT_MS = 90_000;

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const isLimited = ({ status }: Answer) => status === 429;

function expectTold(answer: Answer, limit: number): void {
  expectRefusal(answer, 'RATE_LIMIT_EXCEEDED', { retryAfterSeconds: expect.any(Number) });
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(answer.error.details).toEqual({ retryAfterSeconds: seconds });
  expect(answer.headers.get('ratelimit-limit')).toBe(String(limit));
  expect(answer.headers.get('ratelimit-remaining')).toBe('0');
  expect(answer.headers.get('ratelimit-reset')).toBe(String(seconds));
}

describe('the limit of an API key', { timeout: TIMEOUT_MS }, () => {
  test('lets exactly 100 of 130 parallel requests of a minute pass', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    const answers = await times(130, () => getStatus(apiKey, UNKNOWN_ID));

    expect(answers.filter(isLimited)).toHaveLength(30);
    const passed = answers.filter((answer) => !isLimited(answer));
    for (const answer of passed) expectRefusal(answer, 'TRANSACTION_NOT_FOUND');
    for (const answer of answers.filter(isLimited)) expectTold(answer, 100);
    const remaining = passed.map(({ headers }) => Number(headers.get('ratelimit-remaining')));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test('counts in the table what passed, and no more', async () => {
    const { partnerId, apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    await times(110, () => getStatus(apiKey, UNKNOWN_ID));

    const rows = await rowsWhere('TablesRequests', ({ id }) => String(id).includes(`#${partnerId}#`));
    expect(rows).toHaveLength(0);
    const counts = await rowsWhere('TablesRequests', ({ id }) => String(id).startsWith(`RATE#${partnerId}#`));
    expect(counts).toMatchObject([{ all: 100 }]);
  });

  test("leaves other partners' keys alone", async () => {
    const [busy, quiet] = [await newPartner(), await newPartner()];
    await untilWindowHas(BURST_SECONDS, 60);

    await times(105, () => getStatus(busy.apiKey, UNKNOWN_ID));

    expect((await getStatus(busy.apiKey, UNKNOWN_ID)).status).toBe(429);
    expect((await getStatus(quiet.apiKey, UNKNOWN_ID)).status).toBe(404);
  });
});

describe('the limit of KYC submissions', { timeout: TIMEOUT_MS }, () => {
  test('lets exactly 20 of 25 parallel submissions of a minute pass, and leaves the rest without effect', async () => {
    const { partnerId, apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    const answers = await times(25, () => submitKyc(apiKey, aSubmission()));

    expect(answers.filter(isLimited)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    for (const answer of answers.filter(isLimited)) expectTold(answer, 20);
    expect(await holdingsOf(partnerId)).toEqual({ ...NOTHING, TablesKycRecords: 20, TablesClients: 20 });
  });

  test('does not limit other endpoints, and what it refused counts nowhere', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    await times(25, () => submitKyc(apiKey, 'null'));
    const read = await getStatus(apiKey, UNKNOWN_ID);

    expect(read.status).toBe(404);
    expect(read.headers.get('ratelimit-remaining')).toBe('79');
  });
});

describe('the limit of initiations', { timeout: TIMEOUT_MS }, () => {
  test('lets exactly 50 of 60 parallel initiations of a minute pass', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    const answers = await times(60, () => initiate(apiKey, aPurchase('kyc_x')));

    expect(answers.filter(isLimited)).toHaveLength(10);
    for (const answer of answers.filter(isLimited)) expectTold(answer, 50);
    for (const answer of answers.filter((each) => !isLimited(each))) {
      expectRefusal(answer, 'KYC_TOKEN_NOT_FOUND');
    }
  });
});

describe('a limited request', { timeout: TIMEOUT_MS }, () => {
  test('is not remembered under its Idempotency-Key, and passes after the time that it was told', async () => {
    const { apiKey } = await newPartner();
    const headers = { 'Idempotency-Key': 'patient' };
    const body = aSubmission();
    await untilWindowHas(BURST_SECONDS, 60);
    await times(20, () => submitKyc(apiKey, 'null'));

    const limited = await submitKyc(apiKey, body, { headers });
    const waitMs = Number(limited.headers.get('retry-after')) * 1000;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const passed = await submitKyc(apiKey, body, { headers });

    expectTold(limited, 20);
    expect(passed.status).toBe(200);
    expect(passed.headers.has('idempotent-replayed')).toBe(false);
  });
});
