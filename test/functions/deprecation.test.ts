import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { endpoint, GET_NEEDS } from '../../functions/entry/endpoint.ts';
import { endHeaders, type PartnerRoute } from '../../functions/routes.ts';

const ROUTE: PartnerRoute = { method: 'GET', path: '/v1/laas/old', function: 'GetOld', scope: 'all' };
const ENDS = { deprecated: '2027-01-01', sunset: '2027-07-01' } as const;
const HEADERS = { Deprecation: '@1798761600', Sunset: 'Thu, 01 Jul 2027 00:00:00 GMT' };

beforeAll(() => {
  const settings = {
    STAGE: 'sandbox',
    PARTNERS_TABLE: 'none',
    REQUESTS_TABLE: 'none',
    AWS_REGION: 'sa-east-1',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterAll(() => void vi.unstubAllEnvs());

type Handler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<{ statusCode: number; headers: object }>;

/** The answer to a call of the route without a key. Such a call is refused before anything is read. */
function answerOf(route: PartnerRoute) {
  const handler = endpoint(
    route,
    { request: z.object({}), answer: () => z.object({}), errors: [], needs: GET_NEEDS },
    async () => ({}),
  );
  const event = {
    headers: {},
    requestContext: { requestId: 'r1', identity: {} },
  } as unknown as APIGatewayProxyEvent;
  return (handler as unknown as Handler)(event, {} as Context);
}

// docs/decisions.md, "Versions"
describe('an endpoint that ends', () => {
  it('has its days in the headers of RFC 9745 and RFC 8594', () => {
    expect(endHeaders(ENDS)).toEqual(HEADERS);
    expect(endHeaders({ deprecated: ENDS.deprecated })).toEqual({ Deprecation: HEADERS.Deprecation });
  });

  it('says so in every answer, also in a refusal', async () => {
    const { statusCode, headers } = await answerOf({ ...ROUTE, ...ENDS });

    expect(statusCode).toBe(401);
    expect(headers).toMatchObject({ ...HEADERS, 'X-Request-Id': 'r1' });
  });
});

describe('any other endpoint', () => {
  it('has none of these headers', async () => {
    const { headers } = await answerOf(ROUTE);

    expect(headers).not.toHaveProperty('Deprecation');
    expect(headers).not.toHaveProperty('Sunset');
  });
});
