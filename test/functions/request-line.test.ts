import type { APIGatewayProxyResult } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../functions/domain/errors.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { failure, refusalOf, success, withHeaders } from '../../functions/entry/answer.ts';
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
});
