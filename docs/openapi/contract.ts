/**
 * The contract of the API as lines, with one fact in each. A `promise` binds the service, and a `demand`
 * binds the partner's requests. A `promise` that is gone, or a new `demand`, can break a partner. Other
 * changes are additions.
 */
import { type Document, REFUSES_OTHERS, type Schema } from './schemas.ts';

export type Fact = `promise ${string}` | `demand ${string}`;

export function factsOf(document: Document): Fact[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      factsOfOperation(`${method.toUpperCase()} ${path}`, operation, document),
    ),
  );
  const events = Object.entries(document.webhooks).flatMap(([type, webhook]) =>
    answerFacts(`event ${type}`, bodyOf((webhook.post as Schema).requestBody), document),
  );
  const codes = Object.entries(document.components.schemas)
    .filter(([name]) => name.startsWith('Error.'))
    .flatMap(([name, schema]) => answerFacts(`refusal ${name.slice('Error.'.length)}`, schema, document));
  return [...new Set([...operations, ...events, ...codes])].sort();
}

const bodyOf = (carrier: unknown): Schema => {
  const { content } = carrier as { content: { 'application/json': { schema: Schema } } };
  return content['application/json'].schema;
};

type Parameter = { name?: string; in?: string; required?: boolean; schema?: Schema };

function factsOfOperation(name: string, operation: Schema, document: Document): Fact[] {
  const { security, parameters, requestBody, responses } = operation as Schema & {
    security: { apiKey?: string[] }[];
    parameters: Parameter[];
    responses: Record<string, Schema>;
  };
  const named = parameters.filter((each) => each.name !== undefined);
  const asked: Schema = {
    type: 'object',
    properties: Object.fromEntries(named.map((each) => [each.name, each.schema ?? {}])),
    required: named.filter(({ required }) => required).map((each) => String(each.name)),
  };
  const refused = Object.entries(responses).filter(([status]) => status !== '200');
  return [
    `demand ${name} needs the scope ${security[0]?.apiKey?.join(', ')}`,
    ...(operation[REFUSES_OTHERS] ? [`demand ${name} needs requests without other fields` as const] : []),
    ...requestFacts(`${name} request`, asked, document),
    ...(requestBody ? requestFacts(`${name} request`, bodyOf(requestBody), document) : []),
    ...answerFacts(`${name} answer`, bodyOf(responses[200]), document),
    ...refused.flatMap(([status, response]) =>
      referencesIn(bodyOf(response)).map((code): Fact => `promise ${name} may refuse ${status} ${code}`),
    ),
  ];
}

const referencesIn = ({ $ref, oneOf }: Schema): string[] =>
  [{ $ref }, ...((oneOf ?? []) as Schema[])].flatMap((each) =>
    each.$ref ? [String(each.$ref).slice('#/components/schemas/Error.'.length)] : [],
  );

/**
 * A field of a message. `name` is its name in the lines of the contract. `schema` is its schema, with the
 * references (`$ref`) resolved.
 */
type Field = { name: string; schema: Schema; isRequired: boolean };

function requestFacts(name: string, schema: Schema, document: Document): Fact[] {
  return fieldsOf(name, resolved(schema, document), document).flatMap((field): Fact[] => [
    `promise ${field.name} is taken as ${typeOf(field.schema)}`,
    ...valuesOf(field.schema).map((value): Fact => `promise ${field.name} may be ${value}`),
    ...(field.isRequired ? [`demand ${field.name} is required` as const] : []),
    ...(valuesOf(field.schema).length > 0 ? [`demand ${field.name} has one of its values` as const] : []),
    ...limitsOf(field.schema).map((limit): Fact => `demand ${field.name} has ${limit}`),
  ]);
}

function answerFacts(name: string, schema: Schema, document: Document): Fact[] {
  return fieldsOf(name, resolved(schema, document), document).flatMap((field): Fact[] => [
    `promise ${field.name} is ${typeOf(field.schema)}`,
    ...valuesOf(field.schema).map((value): Fact => `promise ${field.name} may be ${value}`),
    ...(field.isRequired ? [`promise ${field.name} is always there` as const] : []),
    ...limitsOf(field.schema).map((limit): Fact => `promise ${field.name} has ${limit}`),
  ]);
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'maxItems', 'pattern'];

const limitsOf = (schema: Schema): string[] =>
  [...LIMITS, 'format'].flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${schema[name]}`]));

const valuesOf = ({ enum: all, const: one }: Schema): string[] =>
  [...((all as unknown[]) ?? []), ...(one === undefined ? [] : [one])].map((value) => JSON.stringify(value));

const typeOf = ({ type, oneOf, const: one }: Schema): string =>
  String(type ?? (oneOf ? 'object' : typeof one));

/** Returns all fields below a schema, in the order of the schema. */
function fieldsOf(name: string, schema: Schema, document: Document): Field[] {
  const { properties = {}, required = [], items, additionalProperties, oneOf } = schema;
  const below = (at: string, inner: Schema, isRequired: boolean) => {
    const found = resolved(inner, document);
    return [{ name: at, schema: found, isRequired }, ...fieldsOf(at, found, document)];
  };
  return [
    ...Object.entries(properties).flatMap(([field, inner]) =>
      below(`${name} ${field}`, inner, required.includes(field)),
    ),
    ...(isSchema(items) ? below(`${name} []`, items, false) : []),
    ...(isSchema(additionalProperties) ? below(`${name} {}`, additionalProperties, false) : []),
    ...((oneOf ?? []) as Schema[]).flatMap((each) => {
      const variant = resolved(each, document);
      return fieldsOf(`${name} ${labelOf(variant)}`, variant, document);
    }),
  ];
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Variants differ in their `type`. */
const labelOf = ({ properties }: Schema) => `(${String(properties?.type?.const ?? '?')})`;

function resolved(schema: Schema, document: Document): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  return document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {};
}
