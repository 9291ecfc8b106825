/**
 * The KYC token that a partner's vendor signs (Model 2): docs/decisions.md, "Partner KYC tokens (Model 2)".
 * It is a signed JWT in compact form (RFC 7515, 7519). The vendor's public keys are registered in the
 * partner's row.
 */

/** A public key as a JWK (RFC 7517), without private parts. */
export type PublicJwk = {
  kty: string;
  kid?: string;
  alg?: string;
  use?: string;
  crv?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
};

/** The vendor as an operator has registered it for the partner: its issuer, its audience and its keys. */
export type PartnerTokenIssuer = { issuer: string; audience: string; jwks: { keys: PublicJwk[] } };

export type VendorJwk = PublicJwk & { kid: string; alg: string };

/**
 * A vendor key that the partner has proposed. The service does not yet accept tokens that this key signed.
 * `by` is the id of the API key that proposed it, and `request` is the id of the API request.
 */
export type ProposedKey = { jwk: VendorJwk; proposedAt: number; by: string; request: string };

/** The accepted algorithms, each with the only kind of key that fits it. RSA keys have at least 2048 bits. */
export const TOKEN_ALGORITHMS: Readonly<Record<string, Pick<PublicJwk, 'kty' | 'crv'>>> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
};
/** A token must not be older than this. The KYC record that it gives is valid for 24 hours too. */
const TOKEN_AGE_SECONDS = 24 * 60 * 60;
const CLOCK_SKEW_SECONDS = 60;

/**
 * The faults of a refused token, in words for the partner. A fault names nothing that the partner cannot read in its
 * own token or in its own registration.
 */
export const TOKEN_FAULTS = {
  NOT_REGISTERED: 'no vendor is registered for your account',
  MALFORMED: 'it is no signed JWT, or its header has `crit` or `b64`',
  ALGORITHM: 'its `alg` is not accepted, or does not fit the key',
  UNKNOWN_KEY: 'no approved key has its `kid`',
  AMBIGUOUS_KEY: 'several keys have its `kid`',
  UNUSABLE_KEY: 'the registered key cannot be used',
  SIGNATURE: 'the key did not sign it',
  ISSUER: 'its `iss` is not the registered one',
  AUDIENCE: 'its `aud` has not the registered one',
  SUBJECT: 'its `sub` is not the `cpf` of the request, in digits',
  TOKEN_ID: 'its `jti` is missing or too long',
  TIME: 'its `iat`, `exp` or `nbf` does not hold now',
  USED: 'another request used it, or its record has ended',
} as const;
export type TokenFault = keyof typeof TOKEN_FAULTS;

export type JudgedToken<Good> = Good | { fault: TokenFault };

/** Finds the key that the token's header names, if it is of the right kind for the header's algorithm. */
export function keyFor(
  header: Record<string, unknown>,
  keys: readonly PublicJwk[],
): JudgedToken<{ key: PublicJwk & { kid: string } }> {
  const { alg, kid } = header;
  const isListed = typeof alg === 'string' && Object.hasOwn(TOKEN_ALGORITHMS, alg);
  const wanted = isListed ? TOKEN_ALGORITHMS[alg] : undefined;
  if (!wanted) return { fault: 'ALGORITHM' };
  if (typeof kid !== 'string' || kid === '') return { fault: 'UNKNOWN_KEY' };
  const [key, ...others] = keys.filter((each) => each.kid === kid);
  if (!key) return { fault: 'UNKNOWN_KEY' };
  if (others.length > 0) return { fault: 'AMBIGUOUS_KEY' };
  const isOfKind = key.kty === wanted.kty && (wanted.crv === undefined || key.crv === wanted.crv);
  const isForThis = (key.alg ?? alg) === alg && (key.use ?? 'sig') === 'sig';
  return isOfKind && isForThis ? { key: { ...key, kid } } : { fault: 'ALGORITHM' };
}

const MAXIMUM_ID_CHARACTERS = 256;

/**
 * Judges the claims of a token whose signature is good. `now` is in epoch milliseconds. The times in the claims are in
 * seconds.
 */
export function judgeClaims(
  claims: unknown,
  { issuer, audience, cpf, now }: { issuer: string; audience: string; cpf: string; now: number },
): JudgedToken<{ id: string }> {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return { fault: 'MALFORMED' };
  const { iss, aud, sub, jti, ...times } = claims as Record<string, unknown>;
  if (iss !== issuer) return { fault: 'ISSUER' };
  if (!(Array.isArray(aud) ? aud : [aud]).includes(audience)) return { fault: 'AUDIENCE' };
  if (sub !== cpf) return { fault: 'SUBJECT' };
  if (!isTimely(times, now / 1000)) return { fault: 'TIME' };
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > MAXIMUM_ID_CHARACTERS) {
    return { fault: 'TOKEN_ID' };
  }
  return { id: jti };
}

/** Whether the token is valid now and at most a day old. Clocks may differ by `CLOCK_SKEW_SECONDS`. */
function isTimely({ iat, exp, nbf }: Record<string, unknown>, now: number): boolean {
  if (!isTime(iat) || !isTime(exp)) return false;
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + CLOCK_SKEW_SECONDS)) return false;
  const isIssued = iat <= now + CLOCK_SKEW_SECONDS && iat >= now - TOKEN_AGE_SECONDS - CLOCK_SKEW_SECONDS;
  return isIssued && exp > now - CLOCK_SKEW_SECONDS;
}

const isTime = (value: unknown): value is number => Number.isFinite(value);
