import * as z from 'zod';
import { TOKEN_ALGORITHMS } from '../domain/partners/partner-token.ts';
import { PRIVATE_MEMBERS } from '../domain/partners/vendor-key.ts';

const ALGORITHMS = Object.keys(TOKEN_ALGORITHMS) as [string, ...string[]];

/** The id of the key. It is part of URLs, so it has no slash and does not begin with a dot. */
const Kid = z
  .string()
  .regex(
    /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, dashes or underscores',
  );
/** The longest value is the modulus of a 4096-bit RSA key, with 683 characters. */
const Base64Url = z.string().regex(/^[A-Za-z0-9_-]{1,700}$/, 'must be base64url without padding');

/**
 * The public parts of a key. All other members are refused. The service never uses URLs of keys (`jku`,
 * `x5u`) or certificates.
 */
const PublicMembers = z.strictObject({
  kty: z.enum(['EC', 'OKP', 'RSA']),
  kid: Kid,
  alg: z.enum(ALGORITHMS),
  use: z.literal('sig').optional(),
  crv: z.enum(['P-256', 'Ed25519']).optional(),
  x: Base64Url.optional(),
  y: Base64Url.optional(),
  n: Base64Url.optional(),
  e: Base64Url.optional(),
});

const PRIVATE = 'holds a private key, which has left its owner: make a new one, and send its public part';

/**
 * Refuses a private key with a message of its own, because its owner must replace it. The refusal does not
 * quote the key, and nothing is stored.
 */
export const Jwk = z.preprocess((given, context) => {
  const isPrivate = typeof given === 'object' && given !== null;
  if (isPrivate && PRIVATE_MEMBERS.some((name) => Object.hasOwn(given, name)))
    context.addIssue({ code: 'custom', message: PRIVATE, input: undefined });
  return given;
}, PublicMembers);
