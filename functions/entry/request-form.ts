import * as z from 'zod';
import { refuse } from '../domain/errors.ts';

/** Checks the fields against the schema. If some are wrong, one refusal names each of them. */
export function requireForm<Schema extends z.core.$ZodType>(
  schema: Schema,
  fields: Record<string, unknown>,
): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, fields, { error: wordingOf });
  if (success) return data;
  // An issue names the place of a wrong value, but not the value, which may be personal data.
  const issues = error.issues.filter(isFirstOfPath).flatMap(faultsOf);
  return refuse('INVALID_REQUEST', { issues: issues.slice(0, MOST_ISSUES) });
}

/**
 * False for an issue about the length of a value that already has an issue about its type. The library zod
 * reports both, for example for a text in place of a list.
 */
function isFirstOfPath({ code, path }: z.core.$ZodIssue, at: number, all: readonly z.core.$ZodIssue[]) {
  const isCount = code === 'too_small' || code === 'too_big';
  const isMistyped = (other: z.core.$ZodIssue) =>
    other.code === 'invalid_type' && other.path.join('.') === path.join('.');
  return !isCount || !all.slice(0, at).some(isMistyped);
}

/** An answer names at most this many issues, and this many characters of the name of a surplus field. */
const MOST_ISSUES = 50;
const LONGEST_NAME = 64;

/**
 * The faults of an issue, each with the path of a field. zod reports all surplus fields of an object as one
 * issue.
 */
function faultsOf(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const { path, message } = issue;
  const paths =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => [...path, name.slice(0, LONGEST_NAME)])
      : [path];
  return paths.map((each) => ({ path: each.join('.'), message }));
}

/**
 * Messages for the partner. They replace zod's own, which use its internal names. A schema's own message comes before
 * these.
 */
function wordingOf(issue: z.core.$ZodRawIssue): string {
  return issue.input === undefined ? 'is required' : wordsFor(issue);
}

type Issue<Code extends z.core.$ZodIssueCode> = Extract<z.core.$ZodRawIssue, { code: Code }>;
type IssueWords = { [Code in z.core.$ZodIssueCode]: string | ((issue: Issue<Code>) => string) };

const WORDS: IssueWords = {
  invalid_type: ({ expected }) => TYPES[expected] ?? 'must be of another type',
  invalid_value: ({ values }) =>
    values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.join(', ')}`,
  too_small: (issue) =>
    issue.minimum === 1 && issue.origin in COUNTED ? 'must not be empty' : boundOf(issue, issue.minimum),
  too_big: (issue) => boundOf(issue, issue.maximum),
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  invalid_format: ({ format }) => FORMATS[format] ?? 'has the wrong format',
  unrecognized_keys: 'is not a known field',
  invalid_union: 'is not valid',
  invalid_key: ({ issues }) => issues[0]?.message ?? 'is not valid',
  invalid_element: 'is not valid',
  custom: 'is not valid',
};

function wordsFor<Code extends z.core.$ZodIssueCode>(issue: Issue<Code>): string {
  const words = (WORDS as { [Each in Code]: string | ((issue: Issue<Each>) => string) })[issue.code];
  return typeof words === 'string' ? words : words(issue);
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be a list',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a date, YYYY-MM-DD',
  datetime: 'must be a time with its offset from UTC, such as 2026-11-20T15:30:00Z',
};

const COUNTED: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/**
 * Words the limit that a value breaks: "must be at least 5" for a number, "must have at least 5 items" for
 * a list.
 */
function boundOf(issue: Issue<'too_small' | 'too_big'>, bound: number | bigint): string {
  const { code, origin, exact, inclusive } = issue;
  const unit = COUNTED[origin];
  if (exact) return `must have exactly ${bound}${unit ?? ''}`;
  const isLeast = code === 'too_small';
  if (inclusive === false) return `must be ${isLeast ? 'more' : 'less'} than ${bound}`;
  return `must ${unit ? 'have' : 'be'} at ${isLeast ? 'least' : 'most'} ${bound}${unit ?? ''}`;
}
