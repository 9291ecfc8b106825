import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { live } from '../adapters/live.ts';
import { type Details, refuse } from '../domain/errors.ts';
import type { Need, Needs } from '../domain/ports.ts';
import { failure, refusalOf, success, withHeaders } from './answer.ts';

/** Wraps what providers call. They have no API key: the operation verifies the caller itself. */
export function callback<const List extends readonly Need[]>(
  { needs }: { needs: List },
  operation: (event: APIGatewayProxyEvent, ports: Needs<List>) => Promise<Details>,
) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const headers = { 'X-Request-Id': event.requestContext.requestId };
    try {
      return withHeaders(success(await operation(event, await live(needs))), headers);
    } catch (error) {
      const refusal = refusalOf(error);
      const { log } = await live(['log']);
      if (refusal.code === 'INTERNAL_ERROR') log.error('callback failed', error, headers);
      return withHeaders(failure(refusal), headers);
    }
  };
}

const MAX_BODY_BYTES = 64 * 1024;

/** The body as it was sent: a signature is over these very bytes. */
export function textOf({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  return isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
}

/** Asked once the provider is known, for a stranger learns nothing here. */
export function requireSmall(text: string): void {
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) refuse('REQUEST_TOO_LARGE');
}

/** To a stranger this address looks like an unknown one: nothing tells that it is there. */
export function requireProvider(isProvider: boolean): void {
  if (!isProvider) refuse('NOT_FOUND');
}
