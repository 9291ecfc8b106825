import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  editRow,
  expectRefusal,
  getStatus,
  holdingsOf,
  initiate,
  NOTHING,
  rowsWhere,
  submitKyc,
  untilWindowHas,
} from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner } from '../support/sandbox.ts';

const UNKNOWN_ID = '0'.repeat(26);
/** A burst must fit into one minute of the wall clock, even on a slow machine. */
const BURST_SECONDS = 20;

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

const countsOf = (partnerId: string) =>
  rowsWhere('TablesRequests', ({ id }) => String(id).startsWith(`RATE#${partnerId}#`));

/** The number of answers of each status. */
function tally(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Starts as many instances of each function as a burst uses, so that the burst is short. */
beforeAll(async () => {
  const { apiKey } = await newPartner();
  await times(10, () => getStatus(apiKey, UNKNOWN_ID));
  await times(10, () => submitKyc(apiKey, 'null'));
  await times(10, () => initiate(apiKey, aPurchase('kyc_x')));
});

describe('the limit of an API key', () => {
  // Spec, Errors: "RATE_LIMIT_EXCEEDED 429: a Retry-After header is sent"
  test('lets exactly 100 of 130 parallel requests of a minute pass', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    const answers = await times(130, () => getStatus(apiKey, UNKNOWN_ID));

    expect(tally(answers)).toEqual({ 404: 100, 429: 30 });
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

    expect(await countsOf(partnerId)).toMatchObject([{ all: 100 }]);
  });

  test('does not affect keys of other partners', async () => {
    const [busy, quiet] = [await newPartner(), await newPartner()];
    await untilWindowHas(BURST_SECONDS, 60);

    await times(105, () => getStatus(busy.apiKey, UNKNOWN_ID));

    expect((await getStatus(busy.apiKey, UNKNOWN_ID)).status).toBe(429);
    expect((await getStatus(quiet.apiKey, UNKNOWN_ID)).status).toBe(404);
  });
});

describe('the limit of KYC submissions', () => {
  // Spec, Limits: "KYC submissions: 20 per minute per key"
  test('lets exactly 20 of 25 parallel submissions of a minute pass', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    const answers = await times(25, () => submitKyc(apiKey, 'null'));

    expect(tally(answers)).toEqual({ 400: 20, 429: 5 });
    for (const answer of answers.filter(isLimited)) expectTold(answer, 20);
  });

  test('leaves a refused submission without effect', async () => {
    const { partnerId, apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);
    await times(20, () => submitKyc(apiKey, 'null'));

    expectTold(await submitKyc(apiKey, aSubmission()), 20);
    expect(await holdingsOf(partnerId)).toEqual(NOTHING);
  });

  test('does not limit other endpoints, and counts no refused call', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    await times(25, () => submitKyc(apiKey, 'null'));
    const read = await getStatus(apiKey, UNKNOWN_ID);

    expect(read.status).toBe(404);
    expect(read.headers.get('ratelimit-remaining')).toBe('79');
  });
});

describe('the limit of initiations', () => {
  // Spec, Limits: "Transaction initiations: 50 per minute per key"
  test('lets exactly 50 of 60 parallel initiations of a minute pass', async () => {
    const { apiKey } = await newPartner();
    await untilWindowHas(BURST_SECONDS, 60);

    const answers = await times(60, () => initiate(apiKey, aPurchase('kyc_x')));

    expect(tally(answers)).toEqual({ 404: 50, 429: 10 });
    for (const answer of answers.filter(isLimited)) expectTold(answer, 50);
    for (const answer of answers.filter((each) => !isLimited(each))) {
      expectRefusal(answer, 'KYC_TOKEN_NOT_FOUND');
    }
  });
});

describe('a limited request', () => {
  test('is not remembered under its Idempotency-Key, so that it passes in a later minute', async () => {
    const { partnerId, apiKey } = await newPartner();
    const headers = { 'Idempotency-Key': 'patient' };
    const body = aSubmission();
    await untilWindowHas(BURST_SECONDS, 60);
    await times(20, () => submitKyc(apiKey, 'null'));

    const limited = await submitKyc(apiKey, body, { headers });
    // A count of zero has the effect of the next minute, without the wait for it.
    for (const { id } of await countsOf(partnerId)) await editRow('TablesRequests', String(id), { kyc: 0 });
    const passed = await submitKyc(apiKey, body, { headers });

    expectTold(limited, 20);
    expect(passed.status).toBe(200);
    expect(passed.headers.has('idempotent-replayed')).toBe(false);
  });

  // docs/decisions.md, "Limits of a partner"
  // Far from the limit, a request claims its idempotency key while it is still being counted.
  test('of a burst gives its Idempotency-Key back', async () => {
    const { partnerId, apiKey } = await newPartner();
    const ask = (key: number) =>
      initiate(apiKey, aPurchase('kyc_x'), { headers: { 'Idempotency-Key': `key ${key}` } });
    await untilWindowHas(BURST_SECONDS, 60);

    const answers = await times(60, ask);
    for (const { id } of await countsOf(partnerId)) {
      await editRow('TablesRequests', String(id), { all: 0, initiate: 0 });
    }
    const again = await Promise.all(answers.flatMap((each, key) => (isLimited(each) ? [ask(key)] : [])));

    expect(again).toHaveLength(10);
    for (const answer of again) expectRefusal(answer, 'KYC_TOKEN_NOT_FOUND');
  });
});
