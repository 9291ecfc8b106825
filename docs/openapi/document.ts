/**
 * The OpenAPI document of the service. It is made from the routes, from the schemas that check requests and
 * describe answers, from the codes, and from the events. Nothing in it is secret: everyone may read it.
 */

import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import type { ErrorCode } from '../../functions/domain/errors.ts';
import { EVENT_TYPES } from '../../functions/domain/partners/events.ts';
import { keyScopeOf } from '../../functions/routes.ts';
import { endOf } from './ends.ts';
import { errorSchemas, json, type Response, reference, refusalsOf } from './errors.ts';
import { withExamples } from './examples.ts';
import { headersOf, PARAMETERS, RATE_HEADERS, usedHeaders } from './headers.ts';
import { noteOf, TAGS } from './operation-notes.ts';
import type { Operation } from './operations.ts';
import { requestParts } from './requests.ts';
import {
  type Document,
  REFUSES_OTHERS,
  refusesOthers,
  type Schema,
  type SchemaBook,
  schemaBook,
} from './schemas.ts';
import { webhooksOf } from './webhooks.ts';

const INTRODUCTION = [
  `Sells ${ASSET_NAMES.join(' and ')} to Brazilian clients who pay by Pix.`,
  '',
  'An answer is `{"success":true,"data":{…}}` or `{"success":false,"error":{"code","message","details"}}`. ' +
    'Answers may grow: ignore a field that you do not know.',
  '',
  'Times are ISO 8601 in UTC. Receipts and reports have the time of Brasília instead, with its offset ' +
    '`-03:00`. Reais are numbers with at most two decimals. Amounts of an asset are decimal texts.',
].join('\n');

/**
 * @param server the base URL of the API. By default it is relative to the URL from which the document was
 * read.
 */
export function openApiDocument(operations: readonly Operation[], server = '.'): Document {
  const book = schemaBook();
  const paths: Document['paths'] = {};
  for (const operation of operations) {
    const { path, method } = operation.route;
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = operationOf(operation, book);
  }
  const webhooks = webhooksOf(EVENT_TYPES, book);
  const codes = new Set<ErrorCode>(operations.flatMap(({ errors }) => errors));
  const errors = errorSchemas(codes, book);
  return withExamples({
    openapi: '3.1.0',
    info: { title: 'Stablecoin on-ramp', version: '1', description: INTRODUCTION },
    servers: [{ url: server }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: API_KEY },
      headers: usedHeaders(JSON.stringify(paths)),
      parameters: PARAMETERS,
      schemas: { ...sorted(book.parts), ...errors },
    },
  });
}

const API_KEY = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Service-API-Key',
  description:
    'Your key of this stage. Each operation names the scope that the key needs: `read`, `write` or ' +
    '`manage`. Keep the key on your servers.',
};

function operationOf(operation: Operation, book: SchemaBook): Schema {
  const { route, request, answer, errors, documentType } = operation;
  const { summary, description, tag } = noteOf(route);
  const isChange = route.method !== 'GET';
  const asked = book.of(request, 'input');
  const { parameters, requestBody } = requestParts(route, asked);
  const { marks, headers } = endOf(route);
  const success = successOf(book.of(answer, 'output'), isChange);
  // In OpenAPI 3.1 bytes have no schema: the media type says all.
  const content = { ...success.content, ...(documentType && { [documentType]: {} }) };
  const responses = { 200: { ...success, content }, ...refusalsOf(errors) };
  return {
    operationId: route.function.charAt(0).toLowerCase() + route.function.slice(1),
    tags: [tag],
    summary,
    description: refusesOthers(asked) ? `${description} A field that is not listed is refused.` : description,
    ...(refusesOthers(asked) && { [REFUSES_OTHERS]: true }),
    ...marks,
    security: [{ apiKey: [keyScopeOf(route)] }],
    parameters: [...parameters, ...(isChange ? [reference('parameters', 'IdempotencyKey')] : [])],
    requestBody,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, each]) => [
        status,
        { ...each, headers: { ...each.headers, ...headers } },
      ]),
    ),
  };
}

function successOf(data: Schema, isChange: boolean): Response {
  const properties = { success: { const: true }, data };
  return {
    description: 'The call succeeded.',
    headers: headersOf([
      'X-Request-Id',
      ...RATE_HEADERS,
      ...(isChange ? ['Idempotent-Replayed' as const] : []),
    ]),
    content: json({ type: 'object', properties, required: ['success', 'data'] }),
  };
}

const sorted = <Value>(parts: Record<string, Value>) =>
  Object.fromEntries(Object.entries(parts).sort(([one], [other]) => one.localeCompare(other)));
