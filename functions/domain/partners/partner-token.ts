/**
 * The KYC token of a partner's vendor (Model 2): docs/decisions.md, "Partner KYC tokens (Model 2)". It is a JWS in
 * compact form with the claims of a JWT (RFC 7515, 7519). The partner registers the keys.
 */

/** A public key as a JWK (RFC 7517), without private members. */
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

/** The partner's registration: the issuer, the audience and the keys. */
export type PartnerTokenIssuer = { issuer: string; audience: string; jwks: { keys: PublicJwk[] } };

export type VendorJwk = PublicJwk & { kid: string; alg: string };

/** A key that the partner proposed. No token is checked against it. `by` is the partner’s key, `request` its call. */
export type ProposedKey = { jwk: VendorJwk; proposedAt: number; by: string; request: string };

/** The accepted algorithms, each with its only kind of key. RSA keys have 2048 bits or more. */
export const TOKEN_ALGORITHMS: Readonly<Record<string, Pick<PublicJwk, 'kty' | 'crv'>>> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
};
/** A clearance must not be older than the life of the record that it gives. */
export const TOKEN_AGE_SECONDS = 24 * 60 * 60;
export const CLOCK_SKEW_SECONDS = 60;

/** The fault of a refused token, for operators. The partner does not see it. */
export type TokenFault =
  | 'NOT_REGISTERED'
  | 'MALFORMED'
  | 'ALGORITHM'
  | 'UNKNOWN_KEY'
  | 'AMBIGUOUS_KEY'
  | 'UNUSABLE_KEY'
  | 'SIGNATURE'
  | 'ISSUER'
  | 'AUDIENCE'
  | 'SUBJECT'
  | 'TOKEN_ID'
  | 'TIME'
  | 'USED';

export type Judged<Good> = Good | { fault: TokenFault };

/** The key that the header names, if its kind fits the header's algorithm. */
export function keyFor(
  header: Record<string, unknown>,
  keys: readonly PublicJwk[],
): Judged<{ key: PublicJwk }> {
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
  return isOfKind && isForThis ? { key } : { fault: 'ALGORITHM' };
}

const MAXIMUM_ID_CHARACTERS = 256;

/**
 * Judges the claims of a token with a good signature. `now` is in epoch milliseconds, the claims' times are in
 * seconds.
 */
export function judgeClaims(
  claims: unknown,
  { issuer, audience, cpf, now }: { issuer: string; audience: string; cpf: string; now: number },
): Judged<{ id: string }> {
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

/** True if the token was issued, is valid, has not expired, and is at most a day old. Clocks may differ by the skew. */
function isTimely({ iat, exp, nbf }: Record<string, unknown>, now: number): boolean {
  if (!isTime(iat) || !isTime(exp)) return false;
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + CLOCK_SKEW_SECONDS)) return false;
  const isIssued = iat <= now + CLOCK_SKEW_SECONDS && iat >= now - TOKEN_AGE_SECONDS - CLOCK_SKEW_SECONDS;
  return isIssued && exp > now - CLOCK_SKEW_SECONDS;
}

const isTime = (value: unknown): value is number => Number.isFinite(value);
