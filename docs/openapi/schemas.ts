/** The JSON Schemas of the document, made from the zod schemas that check requests and describe answers. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

export type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; required?: string[] };

export type Document = {
  openapi: string;
  info: Schema;
  servers: { url: string }[];
  paths: Record<string, Record<string, Schema>>;
  webhooks: Record<string, Schema>;
  components: { schemas: Record<string, Schema> } & Schema;
} & Schema;

/**
 * `input` describes a request as the partner sends it. `output` describes an answer as the partner receives
 * it.
 */
type Direction = 'input' | 'output';

export type SchemaBook = {
  /** The parts with a name, for `components`. */
  parts: Record<string, Schema>;
  of(schema: z.ZodType, direction: Direction): Schema;
};

export function schemaBook(): SchemaBook {
  const parts: Record<string, Schema> = {};
  return {
    parts,
    of(schema, direction) {
      // zod makes a named schema a part of its own only inside another schema. Therefore this schema is put
      // into an object.
      const whole = z.toJSONSchema(z.object({ it: schema }), {
        io: direction,
        override: describeAs(direction),
      });
      const { properties, $defs } = JSON.parse(JSON.stringify(whole).replaceAll(...REFERENCES)) as Schema;
      for (const [name, part] of Object.entries(($defs ?? {}) as Record<string, Schema>)) {
        if (parts[name] && !isDeepStrictEqual(parts[name], part))
          throw new Error(`Two schemas are named ${name}`);
        parts[name] = part;
      }
      return properties?.it ?? {};
    },
  };
}

const REFERENCES = ['"#/$defs/', '"#/components/schemas/'] as const;

/**
 * The formats for which `pattern` is removed from the schema, because zod's pattern says the same as the
 * format.
 */
const FORMATS = ['date-time', 'date', 'uri'];
const SAFE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

type Made = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

const describeAs = (direction: Direction) => (made: Made) => {
  // An answer may get new fields later, so its schema must allow other fields. A receiver ignores a field
  // that it does not know.
  if (direction === 'output' && refusesOthers(made.jsonSchema)) delete made.jsonSchema.additionalProperties;
  describe(made);
};

/**
 * Marks an operation that refuses a request with other fields. OpenAPI can say this about a body, but not
 * about a query.
 */
export const REFUSES_OTHERS = 'x-refuses-other-fields';

/** True if a message may have only the fields that the schema names. */
export const refusesOthers = ({ additionalProperties }: Record<string, unknown>): boolean =>
  additionalProperties === false;

function describe({ zodSchema, jsonSchema: schema }: Made): void {
  delete schema.id;
  if (FORMATS.includes(String(schema.format))) delete schema.pattern;
  for (const bound of ['minimum', 'maximum'] as const)
    if (SAFE.includes(Number(schema[bound]))) delete schema[bound];
  const rules = rulesOf(zodSchema);
  if (rules.length === 0) return;
  const refused = `Refused: ${rules.map((rule) => `“${rule}”`).join(', ')}.`;
  schema.description = [schema.description, refused].filter(Boolean).join(' ');
}

type Rule = {
  path?: PropertyKey[];
  error?: (issue: { input: unknown }) => string | { message: string } | undefined | null;
};

/**
 * Returns the messages with which the rules of a schema refuse a request. They go into the field's
 * description, because JSON Schema cannot express a rule that is code.
 */
function rulesOf({ _zod }: z.core.$ZodType): string[] {
  const rules = (_zod.def.checks ?? []).map(({ _zod: check }) => {
    const { error, path } = check.def as Rule;
    const words = error?.({ input: '' });
    const message = typeof words === 'string' ? words : words?.message;
    return message && [path?.join('.'), message].filter(Boolean).join(' ');
  });
  return [...new Set(rules.filter((rule) => rule !== undefined && rule !== ''))] as string[];
}
