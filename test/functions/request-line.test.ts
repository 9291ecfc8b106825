import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { live } from '../../functions/adapters/live.ts';
import { Refusal } from '../../functions/domain/errors.ts';
import type { ApiKey } from '../../functions/domain/partners/api-key.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { failure, refusalOf, success, withHeaders } from '../../functions/entry/answer.ts';
import { endpoint, GET_NEEDS } from '../../functions/entry/endpoint.ts';
import { writeRequestLine } from '../../functions/entry/request-line.ts';
import { routeOf } from '../../functions/routes.ts';
import { pointsIn } from '../support/embedded-metrics.ts';
import { writtenLines } from '../support/written-lines.ts';

type Call = Parameters<typeof writeRequestLine>[0];

describe('the line of a request', () => {
  const route = routeOf('GetTransactionStatus');
  const requestContext = {
    requestId: 'r1',
    path: '/v1/laas/transactions/01JD/status',
    identity: { sourceIp: '203.0.113.9', userAgent: 'curl' },
  } as Call['requestContext'];
  const proven = { requestContext, partner: { id: 'acme', name: 'Acme' } as Partner, keyId: 'key1' };
  const refused = withHeaders(failure(refusalOf(new Refusal('INVALID_API_KEY'))), {});

  const lines = writtenLines();

  async function linesOf(call: Call, answer: APIGatewayProxyResult) {
    await writeRequestLine(call, route, answer);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  test('says who called what, and nothing of the path, the body or the client', async () => {
    const [line, ...others] = await linesOf(proven, withHeaders(success({ status: 'COMPLETED' }), {}));

    expect(others).toEqual([]);
    const { level, message, service, timestamp, sampling_rate, ...fields } = line!;
    expect({ level, message }).toEqual({ level: 'INFO', message: 'request answered' });
    expect(fields).toEqual({
      requestId: 'r1',
      partnerId: 'acme',
      keyId: 'key1',
      sourceAddress: '203.0.113.9',
      route: 'GET /v1/laas/transactions/{id}/status',
      status: 200,
    });
  });

  test('names no caller whose key is not proven', async () => {
    const [line] = await linesOf({ requestContext }, refused);

    expect(line).toMatchObject({ sourceAddress: '203.0.113.9', status: 401, code: 'INVALID_API_KEY' });
    expect(line).not.toHaveProperty('partnerId');
    expect(line).not.toHaveProperty('keyId');
  });

  test('is followed by one point of the refusal’s code', async () => {
    await linesOf({ requestContext }, refused);

    expect(pointsIn(lines)).toMatchObject([
      { name: 'Refusals', dimensions: { code: 'INVALID_API_KEY' }, value: 1 },
    ]);
  });

  const SECRET = 'sk_sandbox_acme_key1_0000000000000000';
  const key: ApiKey = {
    partnerId: 'acme',
    keyId: 'key1',
    sha256: createHash('sha256').update(SECRET).digest('hex'),
    scopes: ['write'],
    status: 'ACTIVE',
    createdAt: 1,
  };

  /** The line of a request with this key, which the endpoint refuses. */
  async function lineOfRefused(status: Partner['status'], apiKey: string, isAllowed = true) {
    for (const name of ['PARTNERS_TABLE', 'REQUESTS_TABLE']) vi.stubEnv(name, 'none');
    const { partners, rateLimiter } = await live(GET_NEEDS);
    const partner = { id: 'acme', status } as Partner;
    vi.spyOn(partners, 'findCaller').mockResolvedValue({ key, partner });
    vi.spyOn(rateLimiter, 'count').mockResolvedValue({ isAllowed, counts: { all: 1 } });
    const form = { request: z.object({}), answer: () => z.object({}), errors: [], needs: GET_NEEDS };
    const handler = endpoint(route, form, async () => ({}));
    const event = { headers: { 'X-Service-API-Key': apiKey }, requestContext };
    await handler(event as unknown as APIGatewayProxyEvent as never, {} as Context);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)[0]!;
  }

  test.each([
    ['of a suspended partner', 'SUSPENDED', 'PARTNER_SUSPENDED'],
    ['of a key that may not read', 'ACTIVE', 'KEY_SCOPE_INSUFFICIENT'],
  ] as const)('%s names the partner and the key', async (_, status, code) => {
    expect(await lineOfRefused(status, SECRET)).toMatchObject({ partnerId: 'acme', keyId: 'key1', code });
  });

  // Spec, Limits: "Per API key: 100 requests per minute"
  test('of a suspended partner is counted, and refused beyond the limit of its key', async () => {
    expect(await lineOfRefused('SUSPENDED', SECRET, false)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  test('of another secret names neither', async () => {
    const line = await lineOfRefused('SUSPENDED', `${SECRET.slice(0, -1)}1`);

    expect(line).toMatchObject({ code: 'INVALID_API_KEY' });
    expect(line).not.toHaveProperty('partnerId');
    expect(line).not.toHaveProperty('keyId');
  });
});
