/**
 * The refusals in the OpenAPI document. Each error code has a schema of its own, with its cause and its
 * remedy.
 */
import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../../functions/domain/errors.ts';
import { ERROR_NOTES } from '../error-notes.ts';
import { ERROR_DETAILS } from './error-details.ts';
import { headersOf, RATE_HEADERS } from './headers.ts';
import type { Schema, SchemaBook } from './schemas.ts';

export type Response = { description: string; headers?: Schema; content?: Schema };

export const reference = (kind: 'schemas' | 'headers' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

export const json = (schema: Schema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** Makes one response for each HTTP status of the given codes. Several codes can share a status. */
export function refusalsOf(codes: readonly ErrorCode[]): Record<string, Response> {
  const byStatus = [...Map.groupBy(codes, (code) => ERRORS[code].status)].sort(([a], [b]) => a - b);
  return Object.fromEntries(byStatus.map(([status, some]) => [String(status), refusalOf(some)]));
}

function refusalOf(codes: ErrorCode[]): Response {
  const schemas = codes.map((code) => reference('schemas', nameOf(code)));
  const [first] = schemas;
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERRORS[code].message}`).join('\n'),
    headers: headersOf([
      'X-Request-Id',
      ...(codes.some(isCounted) ? RATE_HEADERS : []),
      ...(codes.some((code) => ERROR_NOTES[code].mayPass) ? ['Retry-After' as const] : []),
    ]),
    content: json(first && schemas.length === 1 ? first : { oneOf: schemas }),
  };
}

/** Whether the request counts in the limits of its key: one without a known key does not. */
const isCounted = (code: ErrorCode) => code !== 'INVALID_API_KEY';

const NOTHING = () => z.object({});

const nameOf = (code: ErrorCode) => `Error.${code}`;

export const errorSchemas = (codes: Iterable<ErrorCode>, book: SchemaBook): Record<string, Schema> =>
  Object.fromEntries([...codes].map((code) => [nameOf(code), schemaOf(code, book)]));

function schemaOf(code: ErrorCode, book: SchemaBook): Schema {
  const { cause, reasons = {}, remedy } = ERROR_NOTES[code];
  const listed = Object.entries(reasons).map(([reason, meaning]) => `- \`${reason}\`: ${meaning}.`);
  const error = {
    type: 'object',
    properties: {
      code: { const: code },
      message: { type: 'string', examples: [ERRORS[code].message] },
      details: book.of((ERROR_DETAILS[code] ?? NOTHING)(), 'output'),
    },
    required: ['code', 'message', 'details'],
  };
  return {
    title: code,
    description: [`**Cause.** ${cause}`, ...listed, '', `**Remedy.** ${remedy}`].join('\n'),
    type: 'object',
    properties: { success: { const: false }, error },
    required: ['success', 'error'],
  };
}
