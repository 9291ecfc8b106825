import type * as z from 'zod';

/** A rule between fields of one request. `path` names the field that is told to be at fault. */
type FieldRule<Fields> = {
  path: keyof Fields & string;
  message: string;
  /** Of the fields as far as they could be read: any of them may be missing or malformed. */
  holds: (fields: Partial<Fields>) => boolean;
};

/**
 * The fields with rules between them. Left to itself zod applies these only where each field is well-formed, so that a
 * partner would learn of one fault after another. A field that is at fault already is not told twice.
 */
export function withRules<Fields extends z.ZodObject>(
  fields: Fields,
  ...rules: FieldRule<z.output<Fields>>[]
): Fields {
  return rules.reduce(
    (schema, { path, message, holds }) =>
      schema.refine((values) => holds(values as Partial<z.output<Fields>>), {
        ...{ path: [path], message },
        when: ({ issues }) => !issues.some((issue) => issue.path?.[0] === path),
      }),
    fields,
  );
}
