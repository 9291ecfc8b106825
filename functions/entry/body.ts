import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { refuse } from '../domain/errors.ts';
import { parsedJson } from '../domain/json.ts';
import { requireForm } from './request-form.ts';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Checks the request against the schema. The fields come from the path, and from the body of a POST or the
 * query of any other method. A path parameter replaces a field of the same name. Refuses with
 * REQUEST_TOO_LARGE or INVALID_REQUEST.
 */
export function requireRequest<Schema extends z.core.$ZodType>(
  schema: Schema,
  event: APIGatewayProxyEvent,
): z.output<Schema> {
  const fields = event.httpMethod === 'POST' ? bodyOf(event) : queryFields(event);
  return requireForm(schema, { ...fields, ...event.pathParameters });
}

/** A query parameter that appears twice becomes a list. Each schema expects a single value, so the list is refused. */
function queryFields({ multiValueQueryStringParameters }: APIGatewayProxyEvent): object {
  const given = Object.entries(multiValueQueryStringParameters ?? {});
  return Object.fromEntries(given.map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}

/** The body as the caller sent it, because a signature covers exactly these bytes. */
export function bodyText({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  return isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
}

/**
 * Refuses a body that is too large. Endpoints check the API key before this, so that a stranger does not learn the
 * limit.
 */
export function requireSmall(text: string, mostBytes = MAX_BODY_BYTES): void {
  if (Buffer.byteLength(text) > mostBytes) refuse('REQUEST_TOO_LARGE');
}

function bodyOf(event: APIGatewayProxyEvent): object {
  const text = bodyText(event);
  requireSmall(text);
  // No body is the same as no fields, so that a call without fields needs none.
  const body = text === '' ? {} : requireJson(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  return refuseBody('the body must be a JSON object');
}

function requireJson(text: string): unknown {
  const body = parsedJson(text);
  return body === undefined ? refuseBody('the body is not valid JSON') : body;
}

function refuseBody(message: string): never {
  refuse('INVALID_REQUEST', { issues: [{ path: '', message }] });
}
