import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Details, ERRORS, Refusal, Unavailable } from '../domain/errors.ts';
import type { StoredAnswer } from '../domain/partners/idempotency-ports.ts';

/** The envelope of the specification, "Resources" and "Errors". */
export function success(data: Details): StoredAnswer {
  return { statusCode: 200, body: JSON.stringify({ success: true, data }) };
}

/** What a stored success says. */
export function dataOf({ body }: StoredAnswer): Details {
  return (JSON.parse(body) as { data: Details }).data;
}

export function failure({ code, message, details }: Refusal): StoredAnswer {
  const body = JSON.stringify({ success: false, error: { code, message, details } });
  return { statusCode: ERRORS[code].status, body };
}

/** Any error as the refusal that the partner sees: what is not a refusal says nothing of its cause. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal('INTERNAL_ERROR');
}

/** Seconds after which the same request may succeed, for the answers that say so. */
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
