import type { Context, Need } from './access.ts';
import { ACCOUNT, type Fields, fields, list, matchesWildcard } from './wire.ts';

/** The condition keys that each request in this account has. */
export const ALWAYS: Context = { 'aws:SecureTransport': 'true', 'kms:CallerAccount': ACCOUNT };

type Verdict = 'yes' | 'no' | 'unknown';

/** `unknown` if the condition has an operator that this code does not know, and nothing else is `no`. */
export function holds(condition: Fields, { context = {} }: Need): Verdict {
  let known = true;
  for (const [operator, keys] of Object.entries(condition)) {
    for (const [key, expected] of Object.entries(fields(keys))) {
      const answer = compare(operator, context[key], list(expected).map(String));
      if (answer === 'no') return 'no';
      if (answer === 'unknown') known = false;
    }
  }
  return known ? 'yes' : 'unknown';
}

/** The operators that judge each of several values. */
const EACH: Readonly<Record<string, (expected: string, actual: string) => boolean>> = {
  'ForAllValues:StringEquals': (expected, actual) => expected === actual,
  'ForAllValues:StringLike': matchesWildcard,
};

function compare(operator: string, actual: string | string[] | undefined, expected: string[]): Verdict {
  const answer = (yes: boolean) => (yes ? 'yes' : 'no');
  if (operator === 'Null') return answer(expected.includes(String(actual === undefined)));
  // The request does not have the condition's key. On AWS the condition then holds only if its operator is
  // negated, ends in `IfExists`, or begins with `ForAllValues:`.
  if (actual === undefined) return answer(/Not|IfExists$|^ForAllValues:/.test(operator));
  if (Array.isArray(actual)) {
    const fits = EACH[operator];
    return fits ? answer(actual.every((each) => expected.some((pattern) => fits(pattern, each)))) : 'unknown';
  }
  switch (operator.replace(/IfExists$/, '')) {
    case 'StringEquals':
    case 'ForAnyValue:StringEquals':
    case 'Bool':
      return answer(expected.includes(actual));
    case 'StringNotEquals':
      return answer(!expected.includes(actual));
    case 'StringLike':
    case 'ArnLike':
    case 'ArnEquals':
      return answer(expected.some((pattern) => matchesWildcard(pattern, actual)));
    default:
      return 'unknown';
  }
}
