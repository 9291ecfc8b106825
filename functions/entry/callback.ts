import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { live } from '../adapters/live.ts';
import { type Details, refuse } from '../domain/errors.ts';
import type { Need, Needs } from '../domain/ports.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { failure, refusalOf, success, withHeaders } from './answer.ts';

/**
 * Wraps the handler of a provider's callback. Providers have no API key, so the operation itself verifies the caller.
 */
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
      if (refusal.code === 'INTERNAL_ERROR') raiseOrWarn(log, 'CallbackFailed', { error, fields: headers });
      return withHeaders(failure(refusal), headers);
    }
  };
}

/** Refuses a stranger with the same answer as an unknown URL gets, so that the stranger learns nothing. */
export function requireProvider(isProvider: boolean): void {
  if (!isProvider) refuse('NOT_FOUND');
}
