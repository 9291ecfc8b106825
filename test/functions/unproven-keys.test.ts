import { createHash } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { live } from '../../functions/adapters/live.ts';
import { minuteOf, RATE_LIMITS } from '../../functions/domain/partners/rate-limit.ts';
import { endpoint, GET_NEEDS } from '../../functions/entry/endpoint.ts';
import { aPartner } from '../support/builders.ts';
import { openPorts, START_AT } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';
import { writtenLines } from '../support/written-lines.ts';

const TRUE_KEY = `sk_sandbox_demo_key1_${'0'.repeat(16)}`;
const WRONG_KEY = `sk_sandbox_demo_key1_${'1'.repeat(16)}`;

/** Calls an endpoint for partners with this key. `read` is the first read of its operation. */
async function answerTo(apiKey: string, method: 'GET' | 'POST', read = async () => undefined) {
  const handler = endpoint(
    { method, path: '/v1/laas/any', function: 'Any', scope: method === 'GET' ? 'all' : 'kyc' },
    { request: z.object({}), answer: () => z.object({}), errors: [], needs: GET_NEEDS, read },
    async () => ({}),
  );
  const headers = { 'X-Service-API-Key': apiKey };
  const event = {
    headers,
    httpMethod: method,
    body: '{}',
    requestContext: { requestId: 'r1', identity: {} },
  };
  return handler(event as unknown as Parameters<typeof handler>[0], {} as Context);
}

describe('a request with the id of a key and a wrong secret', () => {
  writtenLines();
  let rateLimiter: ReturnType<typeof openPorts>['rateLimiter'];
  beforeEach(async () => {
    for (const name of ['PARTNERS_TABLE', 'REQUESTS_TABLE']) vi.stubEnv(name, 'none');
    const used = await live(GET_NEEDS);
    const own = openPorts(memoryTables());
    ({ rateLimiter } = own);
    vi.spyOn(used.clock, 'now').mockReturnValue(START_AT);
    vi.spyOn(used.partners, 'findCaller').mockImplementation(own.partners.findCaller);
    vi.spyOn(used.rateLimiter, 'count').mockImplementation(rateLimiter.count);
    const limiter = used.rateLimiter as typeof rateLimiter;
    vi.spyOn(limiter, 'findCounts').mockImplementation(rateLimiter.findCounts);

    const partner = aPartner({ keyIds: [] });
    const sha256 = createHash('sha256').update(TRUE_KEY).digest('hex');
    const made = { scopes: ['read' as const], status: 'ACTIVE' as const, createdAt: START_AT };
    await own.register.create(partner);
    await own.register.createKey(partner, { partnerId: 'demo', keyId: 'key1', sha256, ...made });
  });

  // Otherwise whoever reads the id of a key in a log could lock its partner out.
  test.each(['GET', 'POST'] as const)('by %s counts in no limit of the key', async (method) => {
    for (let count = 0; count <= RATE_LIMITS.all; count++)
      expect((await answerTo(WRONG_KEY, method)).statusCode).toBe(401);

    expect(await rateLimiter.findCounts('demo#key1', minuteOf(START_AT))).toEqual({});
    expect(await answerTo(TRUE_KEY, 'GET')).toMatchObject({
      statusCode: 200,
      headers: { 'RateLimit-Remaining': RATE_LIMITS.all - 1 },
    });
  });
});

describe('a request', () => {
  writtenLines();

  // Otherwise whoever has no key could make the service ask its providers.
  test.each([
    ['without a key', ''],
    ['whose key is a word', 'secret'],
    ['whose key is of another stage', `sk_production_demo_key1_${'0'.repeat(16)}`],
  ])('%s begins no read', async (_, apiKey) => {
    for (const name of ['PARTNERS_TABLE', 'REQUESTS_TABLE']) vi.stubEnv(name, 'none');
    const used = await live(GET_NEEDS);
    const findCaller = vi.spyOn(used.partners, 'findCaller').mockResolvedValue({});
    const read = vi.fn(async () => undefined);

    expect((await answerTo(apiKey, 'GET', read)).statusCode).toBe(401);
    // A key of the right form does begin them.
    expect((await answerTo(WRONG_KEY, 'GET', read)).statusCode).toBe(401);

    expect([findCaller, read].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });
});
