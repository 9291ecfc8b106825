import type { Schema } from './schemas.ts';

const number = (description: string): Schema => ({ description, schema: { type: 'integer', minimum: 0 } });

/** The headers of answers, for `components`. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Names this request. Report it when you ask about an answer.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': number('Requests that the key may send in a minute: the limit that is nearest.'),
  'RateLimit-Remaining': number('Requests that are left of that limit in this minute.'),
  'RateLimit-Reset': number('Seconds until the next minute begins.'),
  'Retry-After': number('Seconds after which the same request may succeed. Absent where nobody knows.'),
  'Idempotent-Replayed': {
    description: 'Present where this is the stored answer to the first request with the `Idempotency-Key`.',
    schema: { const: 'true' },
  },
  Deprecation: {
    description: 'Present where the endpoint is deprecated: `@` and the seconds since 1970 (RFC 9745).',
    schema: { type: 'string', pattern: '^@-?\\d+$' },
  },
  Sunset: {
    description: 'The time when the endpoint may stop answering (RFC 8594).',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Schema>;

/** The headers of each answer to a request that counts in the limits of its key. */
export const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** The headers that some answer has. */
export const usedHeaders = (text: string): Schema =>
  Object.fromEntries(
    Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );

export const headersOf = (names: readonly (keyof typeof HEADERS)[]): Schema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The header parameter of requests that change something, for `components` of the OpenAPI document. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repetition safe: for 24 hours the same key with the same request gets the answer of the ' +
      'first. Printable ASCII, not only spaces.',
    // There is no example. The reference page would send an example as the key of every request.
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const satisfies Record<string, Schema>;
