import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Details, ERRORS, Refusal, Unavailable } from '../domain/errors.ts';
import type { StoredAnswer } from '../domain/partners/idempotency-ports.ts';

/** The envelope of every answer: spec, "Resources" and "Errors". */
export function success(data: Details): StoredAnswer {
  return { statusCode: 200, body: JSON.stringify({ success: true, data }) };
}

/** Reads the `data` of a success that was stored for repeated requests. */
export function dataOf({ body }: StoredAnswer): Details {
  return (JSON.parse(body) as { data: Details }).data;
}

export function failure({ code, message, details }: Refusal): StoredAnswer {
  const body = JSON.stringify({ success: false, error: { code, message, details } });
  return { statusCode: ERRORS[code].status, body };
}

/**
 * The refusal that the caller sees. An error that is no `Refusal` becomes INTERNAL_ERROR, which reveals
 * nothing of the cause.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal('INTERNAL_ERROR');
}

/** After how many seconds the same request may succeed. Undefined if that is not known. */
export function retryAfterOf(error: unknown, refusal: Refusal): number | undefined {
  if (error instanceof Unavailable) return error.retryAfterSeconds;
  const { retryAfterSeconds } = refusal.details;
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
}

export function withHeaders(
  answer: StoredAnswer,
  headers: Record<string, string | number | undefined>,
): APIGatewayProxyResult {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return {
    ...answer,
    headers: { 'Content-Type': 'application/json', ...(Object.fromEntries(given) as Record<string, string>) },
  };
}
