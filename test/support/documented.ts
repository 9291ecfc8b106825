import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document } from '../../docs/openapi/schemas.ts';

/** One request with its answer, as they were on the wire. */
export type Exchange = { method: string; path: string; status: number; text: string; type?: string };

type Json = { [name: string]: unknown };
type Media = { 'application/json': { schema: Json & { oneOf?: { $ref: string }[]; $ref?: string } } };
type Operation = { responses: Record<string, { content: Media }> };

/** API Gateway's own answer to a body of more than 10 MB, before any of our words: see `REQUEST_TOO_LARGE`. */
const TOO_LONG = '{"message":"Request Too Long"}';

let last: { text: string; documented: ReturnType<typeof documentedBy> } | undefined;

/** Does as `documentedBy`, for the text of a document. Files that read the same text share the compiled schemas. */
export function documentedByText(text: string) {
  if (last?.text !== text) last = { text, documented: documentedBy(JSON.parse(text) as Document) };
  return last.documented;
}

/** Tells how answers and webhooks differ from the document. Here a field that it does not name is a difference. */
export function documentedBy(document: Document) {
  const validatorOf = validators(document);
  const routes = Object.keys(document.paths).map((path) => ({
    path,
    form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
  }));

  function operationOf({ method, path }: Exchange): Operation | undefined {
    const found = routes.filter(({ form }) => form.test(path));
    const exact = found.find((route) => !route.path.includes('{')) ?? found[0];
    const operation = exact && document.paths[exact.path]![method.toLowerCase()];
    return operation as unknown as Operation | undefined;
  }

  function differencesOf(exchange: Exchange): string[] {
    const { method, path, status, text, type } = exchange;
    const operation = operationOf(exchange);
    if (!operation || text === TOO_LONG) return [];
    const response = operation.responses[String(status)];
    if (!response) return [`${method} ${path}: the status ${status} is not documented`];
    if (isOtherForm(type)) {
      return type in response.content ? [] : [`${method} ${path}: ${type} is not documented`];
    }
    const body = jsonOf(text);
    const { schema } = response.content['application/json'];
    const code = (body as { error?: { code?: string } })?.error?.code;
    const refused = code === undefined ? undefined : `#/components/schemas/Error.${code}`;
    if (refused && ![schema, ...(schema.oneOf ?? [])].some(({ $ref }) => $ref === refused))
      return [`${method} ${path}: the code ${code} is not documented at ${status}`];
    const wrong = errorsOf(validatorOf(refused ? { $ref: refused } : schema), body);
    const inside = path.startsWith('/v1/laas/sandbox/webhooks')
      ? webhooksIn(body).flatMap(differencesIn)
      : [];
    return [...wrong.map((each) => `${method} ${path} ${status}${each}`), ...inside];
  }

  /** The differences of a webhook's body. */
  function differencesIn(body: unknown): string[] {
    const type = String((body as { type?: unknown })?.type);
    const webhook = document.webhooks[type] as { post: { requestBody: { content: Media } } } | undefined;
    if (!webhook) return [`the event ${type} is not documented`];
    const { schema } = webhook.post.requestBody.content['application/json'];
    return errorsOf(validatorOf(schema), body).map((each) => `the event ${type}${each}`);
  }

  return { differencesOf, differencesIn };
}

function validators(document: Document): (schema: object) => ValidateFunction {
  // OpenAPI's own words are no words of JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const components = closed(document.components);
  const made = new Map<string, ValidateFunction>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const validate = made.get(key) ?? ajv.compile({ ...(closed(schema) as object), components });
    made.set(key, validate);
    return validate;
  };
}

/** The same schema, where an object has no other fields than the named ones. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]));
  const isObject = inner.type === 'object' && typeof inner.properties === 'object';
  return isObject ? { additionalProperties: false, ...inner } : inner;
}

function errorsOf(validate: ValidateFunction, body: unknown): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => ` ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const webhooksIn = (body: unknown) =>
  ((body as { data?: { webhooks?: { event: unknown }[] } })?.data?.webhooks ?? []).map(({ event }) => event);

const isOtherForm = (type: string | undefined): type is string =>
  type !== undefined && !type.startsWith('application/json');

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
