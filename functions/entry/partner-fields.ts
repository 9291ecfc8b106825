import * as z from 'zod';
import { AMOUNT_LIMITS_CENTAVOS, brlOf, centavosOf } from '../domain/money.ts';
import { isReturnUrl, LONGEST_RETURN_URL } from '../domain/purchase/return-url.ts';

const { minimum, maximum } = AMOUNT_LIMITS_CENTAVOS;

export const AmountBrl = z
  .number()
  .refine((amount) => centavosOf(amount) !== undefined, 'has more than two decimals')
  .describe(`The amount in reais, from ${brlOf(minimum)} to ${brlOf(maximum)}.`);

/** The longest `externalId`, in characters: docs/decisions.md, "Lists and searches". */
const LONGEST_ID = 128;
/** Printable ASCII without spaces, so that the id looks the same in a body, in a URL and in a file. */
export const ExternalId = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .max(LONGEST_ID);

export const ReturnUrl = z
  .string()
  .max(LONGEST_RETURN_URL)
  .refine(isReturnUrl, 'must be an https address without port, credentials and fragment');

const MOST_ENTRIES = 20;
const LONGEST_VALUE = 500;
const MOST_BYTES = 4096;
const NAME_FORM = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

/**
 * Whether every JavaScript object inherits a property of this name, such as `constructor`. As a key, such a
 * name would change what code reads from the map.
 */
const isInherited = (name: string) => name in Object.prototype;

const Name = z
  .string()
  .regex(
    NAME_FORM,
    'must have a name of 1 to 40 letters, digits, dots, dashes or underscores, the first a letter',
  )
  .refine((name) => !isInherited(name), 'is a reserved name');
const Value = z
  .string()
  .max(LONGEST_VALUE)
  .refine((text) => text.isWellFormed(), 'is not well-formed text');

const Entries = z
  .record(Name, Value)
  .refine(
    (entries) => Object.keys(entries).length <= MOST_ENTRIES,
    `must have at most ${MOST_ENTRIES} entries`,
  )
  .refine(
    (entries) => Buffer.byteLength(JSON.stringify(entries)) <= MOST_BYTES,
    `must have at most ${MOST_BYTES} bytes as JSON`,
  );

/** Looks for an entry `__proto__` first, because zod drops it silently instead of refusing it. */
export const Metadata = z.preprocess((given, context) => {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is a reserved name', input: given });
  return given;
}, Entries);
export type Metadata = z.output<typeof Metadata>;
