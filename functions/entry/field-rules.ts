import type * as z from 'zod';

/** A rule between fields of one request. `path` names the field that the refusal reports. */
type FieldRule<Fields> = {
  path: keyof Fields & string;
  message: string;
  /** Any of the fields may be missing or malformed. */
  holds: (fields: Partial<Fields>) => boolean;
};

/**
 * The fields with rules between them. By default zod applies such rules only if each field is well-formed, and a
 * partner would learn of one fault after another. A field is reported once.
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
