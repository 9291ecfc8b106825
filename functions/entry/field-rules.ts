import type * as z from 'zod';

/** A rule between several fields of a request. A refusal reports the field `path`. */
type FieldRule<Fields> = {
  path: keyof Fields & string;
  message: string;
  /** Whether the rule is met. Any of the fields may be missing or malformed. */
  holds: (fields: Partial<Fields>) => boolean;
};

/**
 * Adds rules between fields to a schema. By default, zod checks a rule between fields only if every field is
 * well-formed. A partner would then learn of one fault after another. Each field is reported once.
 */
export function withRules<Fields extends z.ZodObject>(
  fields: Fields,
  ...rules: FieldRule<z.output<Fields>>[]
): Fields {
  return rules.reduce(
    (schema, { path, message, holds }) =>
      schema.refine((values) => holds(values as Partial<z.output<Fields>>), {
        path: [path],
        message,
        when: ({ issues }) => !issues.some((issue) => issue.path?.[0] === path),
      }),
    fields,
  );
}
