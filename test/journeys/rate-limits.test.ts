import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { minuteOf, RATE_LIMITS, type RateScope } from '../../functions/domain/partners/rate-limit.ts';
import {
  type Answer,
  approvedClient,
  expectRefusal,
  getStatus,
  initiate,
  rowsWhere,
  submitKyc,
} from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner } from '../support/sandbox.ts';

const UNKNOWN_ID = '0'.repeat(26);

const manyOf = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** A burst across the change of a minute proves nothing, so it is repeated. */
async function inOneMinute<T>(burst: () => Promise<T>): Promise<T> {
  for (;;) {
    const minute = minuteOf(Date.now());
    const made = await burst();
    if (minuteOf(Date.now()) === minute) return made;
  }
}

const isLimited = ({ status }: Answer) => status === 429;
const passedOf = (answers: Answer[]) => answers.filter((answer) => !isLimited(answer));

/** Expects that each refusal names the seconds until the next minute. */
function expectLimited(answers: Answer[], scope: RateScope): void {
  for (const answer of answers.filter(isLimited)) {
    const seconds = Number(answer.headers.get('retry-after'));
    expectRefusal(answer, 'RATE_LIMIT_EXCEEDED', { retryAfterSeconds: seconds });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(answer.headers.get('ratelimit-limit')).toBe(String(RATE_LIMITS[scope]));
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    expect(answer.headers.get('ratelimit-reset')).toBe(String(seconds));
  }
}

/** Expects that only calls that passed took effect. On a busy machine a slow provider causes some answers of 500. */
async function expectMade(table: string, partnerId: string, answers: Answer[]): Promise<void> {
  const rows = await rowsWhere(table, (row) => row.partnerId === partnerId);
  const answered = answers.filter(({ status }) => status === 200);
  expect(answered.length).toBeGreaterThan(0);
  expect(rows.length).toBeGreaterThanOrEqual(answered.length);
  expect(rows.length).toBeLessThanOrEqual(passedOf(answers).length);
}

const countsOf = (partnerId: string) =>
  rowsWhere('TablesRequests', ({ id }) => String(id).startsWith(`RATE#${partnerId}#`));

describe('a minute of the limits', () => {
  // Spec, Limits: "Per API key: 100 requests per minute"
  test('lets exactly 100 of 300 requests of a key at once pass, whatever another key does', async () => {
    const { reads, others } = await inOneMinute(async () => {
      const [reader, other] = await manyOf(2, () => newPartner());
      const made = await manyOf(300, () => getStatus(reader!.apiKey, UNKNOWN_ID));
      return { reads: made, others: await getStatus(other!.apiKey, UNKNOWN_ID) };
    });

    expect(passedOf(reads)).toHaveLength(100);
    expectLimited(reads, 'all');
    const remaining = passedOf(reads).map(({ headers }) => Number(headers.get('ratelimit-remaining')));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(others.headers.get('ratelimit-remaining')).toBe('99');
  });

  // Spec, Limits: "KYC submissions: 20 per minute per key"
  test('lets exactly 20 of 40 submissions at once pass, and only those take effect', async () => {
    const { submissions, partnerId } = await inOneMinute(async () => {
      const partner = await newPartner();
      const made = await manyOf(40, () => submitKyc(partner.apiKey, aSubmission()));
      return { submissions: made, ...partner };
    });

    expect(passedOf(submissions)).toHaveLength(20);
    expectLimited(submissions, 'kyc');
    await expectMade('TablesKycRecords', partnerId, submissions);
  });

  // Spec, Limits: "Transaction initiations: 50 per minute per key"
  test('lets exactly 50 of 80 initiations at once pass; they count among the 100, the 30 count nowhere', async () => {
    const { initiations, reads, partnerId } = await inOneMinute(async () => {
      const { apiKey, kycToken, ...partner } = await approvedClient();
      const made = await manyOf(80, () => initiate(apiKey, aPurchase(kycToken)));
      return { ...partner, initiations: made, reads: await manyOf(60, () => getStatus(apiKey, UNKNOWN_ID)) };
    });

    expect(passedOf(initiations)).toHaveLength(50);
    expectLimited(initiations, 'initiate');
    await expectMade('TablesTransactions', partnerId, initiations);
    // The client's submission and its fifty purchases leave forty-nine.
    expect(passedOf(reads)).toHaveLength(49);
    expect(await countsOf(partnerId)).toMatchObject([{ all: 100, kyc: 1, initiate: 50 }]);
  });

  // Spec, Errors: "RATE_LIMIT_EXCEEDED 429: a Retry-After header is sent"
  // docs/decisions.md, "Limits of a partner"
  test('ends for a key when its answers say so', async () => {
    const { apiKey } = await newPartner();
    const answers = await inOneMinute(() => manyOf(25, () => submitKyc(apiKey, 'null')));
    expectLimited(answers, 'kyc');
    await wait(Number(answers.find(isLimited)!.headers.get('retry-after')) * 1000);

    const next = await submitKyc(apiKey, 'null');

    expect(isLimited(next)).toBe(false);
    expect(next.headers.get('ratelimit-remaining')).toBe('19');
  });
});
