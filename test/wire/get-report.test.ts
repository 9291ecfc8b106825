import { describe, expect, test } from 'vitest';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { call, expectRefusal, openPurchase } from '../support/partner-api.ts';
import { newPartner, sandbox } from '../support/sandbox.ts';

const pathOf = (period: string) => `/laas/partner/reports/${period}`;
const today = () => dayInBrasilia(Date.now());

// docs/decisions.md, "Receipts and reports"
describe('GET /laas/partner/reports/{period}', () => {
  test('is JSON, or through the gateway a CSV', async () => {
    const { apiKey, id } = await openPurchase();
    const path = pathOf(today());

    const json = await call('GET', path, { apiKey });
    const csv = await fetch(`${sandbox().url}${path}`, {
      headers: { 'X-Service-API-Key': apiKey, accept: 'text/csv' },
    });

    expect(json.data).toMatchObject({
      period: today(),
      status: 'RUNNING',
      counts: { opened: 1, paid: 0 },
      purchases: [{ transactionId: id, status: 'AWAITING_MFA', receivedBrl: '0.00' }],
    });
    expect(csv.status).toBe(200);
    expect(csv.headers.get('content-type')).toBe('text/csv');
    expect(csv.headers.get('ratelimit-limit')).toBe('6');
    const lines = (await csv.text()).split('\r\n');
    expect(lines[0]).toMatch(/^line,transactionId,/);
    expect(lines[1]).toMatch(new RegExp(`^PURCHASE,${id},`));
    expect(lines.at(-2)).toMatch(/^TOTAL,,,RUNNING,/);
  });

  test('is refused in the envelope for a period that has not begun, even if a CSV is asked for', async () => {
    const { apiKey } = await newPartner();

    const answer = await call('GET', pathOf('2999-01'), { apiKey, headers: { accept: 'text/csv' } });

    expectRefusal(answer, 'INVALID_REQUEST', {
      issues: [{ path: 'period', message: `must have begun: today is ${today()} in Brasília` }],
    });
  });

  test('is made at most six times a minute', async () => {
    const { apiKey } = await newPartner();
    const ask = () => call('GET', pathOf(today()), { apiKey });

    // A minute may change during the calls, so there are more calls than two minutes allow.
    const answers = await Promise.all(Array.from({ length: 13 }, ask));

    const limited = answers.find(({ status }) => status === 429)!;
    expectRefusal(limited, 'RATE_LIMIT_EXCEEDED');
    expect(limited.headers.get('ratelimit-limit')).toBe('6');
  });
});
