/**
 * Adds examples and meanings of fields to the finished OpenAPI document. Tests check each example against its
 * schema.
 */

import { FIELD_NOTES, RARE_FIELDS, REQUEST_EXAMPLES } from './field-notes.ts';
import type { Document, Schema } from './schemas.ts';

type Media = { schema: Schema; example?: unknown };
type Body = { content?: { 'application/json'?: Media } };
type Operation = {
  operationId: string;
  parameters: { name?: string; description?: string; example?: unknown; schema?: Schema }[];
  requestBody?: Body;
  responses: Record<string, Body>;
};

/**
 * The value of `status` in the example of each event. Events that are not listed take the example of the
 * field `status`.
 */
const STATUS_OF: Readonly<Record<string, string>> = {
  'transaction.processing': 'PROCESSING',
  'transaction.completed': 'COMPLETED',
  'transaction.failed': 'FAILED',
  'transaction.expired': 'EXPIRED',
  'transaction.canceled': 'CANCELED',
  'transaction.refunded': 'FAILED',
  'transaction.refund_delayed': 'FAILED',
  'transaction.refund_failed': 'FAILED',
  'transaction.pix_returned': 'COMPLETED',
  'transaction.med_opened': 'COMPLETED',
  'transaction.med_closed': 'COMPLETED',
  'kyc.rejected': 'REJECTED',
};

export function withExamples(document: Document): Document {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    addTo(operation as unknown as Operation, document);
  for (const [type, webhook] of Object.entries(document.webhooks))
    addExample((webhook.post as Operation).requestBody, {
      document,
      status: STATUS_OF[type],
      rare: type === 'kyc.rejected' ? ['reason'] : [],
    });
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (name.startsWith('Error.')) schema.examples = [exampleOf(schema, '', { document })];
  explain(document.paths);
  explain(document.webhooks);
  explain(document.components.schemas);
  return document;
}

function addTo({ operationId, parameters, requestBody, responses }: Operation, document: Document): void {
  const whole = REQUEST_EXAMPLES[operationId];
  if (requestBody?.content?.['application/json'] && whole)
    requestBody.content['application/json'].example = whole;
  for (const parameter of parameters) {
    const note = parameter.name === undefined ? undefined : FIELD_NOTES[parameter.name];
    if (!parameter.schema || !note) continue;
    parameter.description ??= ownWords(parameter.schema) ?? note.means;
    parameter.example ??= exampleOf(parameter.schema, parameter.name ?? '', { document });
  }
  addExample(requestBody, { document });
  addExample(responses[200], { document });
}

/** `rare` names fields of `RARE_FIELDS` that this example shows all the same. */
type Place = { document: Document; status?: string; rare?: readonly string[] };

function addExample(body: Body | undefined, place: Place): void {
  const media = body?.content?.['application/json'];
  if (media) media.example ??= exampleOf(media.schema, '', place);
}

function exampleOf(given: Schema, name: string, place: Place): unknown {
  const schema = resolved(given, place.document);
  const { const: one, enum: values, oneOf, type, properties, items, examples } = schema;
  if (one !== undefined) return one;
  const [known] = (examples ?? []) as unknown[];
  if (known !== undefined) return known;
  const noted = (name === 'status' && place.status) || FIELD_NOTES[name]?.example;
  const choices = values as unknown[] | undefined;
  if (choices) return choices.includes(noted) ? noted : choices[0];
  if (oneOf) return exampleOf((oneOf as Schema[])[0] ?? {}, name, place);
  if (type === 'array') {
    if (Array.isArray(noted)) return noted;
    return items ? [exampleOf(items as Schema, name, place)] : [];
  }
  if (properties) return objectOf(schema, place);
  const kind = type === 'integer' ? 'number' : type;
  return kind === undefined || typeof noted === kind ? (noted ?? {}) : plainOf(schema);
}

function objectOf({ properties = {}, required = [] }: Schema, place: Place): object {
  const isRare = (name: string) => RARE_FIELDS.includes(name) && !place.rare?.includes(name);
  const shown = Object.entries(properties).filter(([name]) => required.includes(name) || !isRare(name));
  return Object.fromEntries(shown.map(([name, inner]) => [name, exampleOf(inner, name, place)]));
}

/**
 * Returns an example value for a field without an entry in `FIELD_NOTES`. The type of its schema decides the
 * value.
 */
function plainOf({ type, format, minimum }: Schema): unknown {
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (format === 'date-time') return FIELD_NOTES.at?.example;
  return format === 'uri' ? FIELD_NOTES.url?.example : 'text';
}

function resolved(schema: Schema, { components }: Document): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  return components.schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {};
}

/** The description that the schema itself has. Its rules alone are none. */
function ownWords({ description }: Schema): string | undefined {
  const own = description as string | undefined;
  return own?.startsWith('Refused:') ? undefined : own;
}

/**
 * Puts the meaning of a field, from `FIELD_NOTES`, before the rules ("Refused: …") in its description. A
 * field with any other description of its own keeps it unchanged.
 */
function explain(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, properties } = value as Schema;
  if (type === 'object' && properties) {
    for (const [name, inner] of Object.entries(properties)) {
      const means = FIELD_NOTES[name]?.means;
      if (means && ownWords(inner) === undefined)
        inner.description = [means, inner.description].filter(Boolean).join(' ');
    }
  }
  for (const [name, inner] of Object.entries(value)) if (name !== 'example') explain(inner);
}
