import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { live } from '../adapters/live.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Partner } from '../domain/partners/partner.ts';
import type { Route } from '../routes.ts';

/** The request, with its caller if the API key was proven. */
type RequestCall = Pick<APIGatewayProxyEvent, 'requestContext'> & { partner?: Partner; keyId?: string };

/**
 * Writes one log line for each answered request: who called which route, from where, and with which result.
 * The route has parameter names in place of values. The line has no body and nothing about a client. Each
 * refusal is also counted by its code.
 */
export async function writeRequestLine(
  { requestContext, partner, keyId }: RequestCall,
  { method, path }: Route,
  answer: APIGatewayProxyResult,
): Promise<void> {
  const { log } = await live(['log']);
  const code = codeOf(answer);
  log.info('request answered', {
    requestId: requestContext.requestId,
    ...(partner && { partnerId: partner.id }),
    ...(keyId && { keyId }),
    sourceAddress: requestContext.identity.sourceIp,
    route: `${method} ${path}`,
    status: answer.statusCode,
    ...(code && { code }),
  });
  if (code) log.measure('Refusals', 1, { code });
}

function codeOf({ statusCode, body }: APIGatewayProxyResult): ErrorCode | undefined {
  if (statusCode < 400) return undefined;
  return (JSON.parse(body) as { error: { code: ErrorCode } }).error.code;
}
