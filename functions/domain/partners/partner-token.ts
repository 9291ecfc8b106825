/**
 * The KYC token of a partner's vendor (Model 2): a JWS in its compact form with the claims of a JWT (RFC 7515, 7519),
 * judged by the keys that the partner has registered: docs/decisions.md, "Partner KYC tokens (Model 2)".
 */

/** A public key as a JWK (RFC 7517); private members have no place here. */
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

/** What a partner registers: who signs, for whom, and with which keys. */
export type PartnerTokenIssuer = { issuer: string; audience: string; jwks: { keys: PublicJwk[] } };

/** The signatures that count, each with the only keys that it may be made with; RSA from 2048 bits on. */
export const TOKEN_ALGORITHMS: Readonly<Record<string, Pick<PublicJwk, 'kty' | 'crv'>>> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
};
/** A clearance older than the record that it gives is no clearance. */
export const TOKEN_AGE_SECONDS = 24 * 60 * 60;
export const CLOCK_SKEW_SECONDS = 60;

/** Why a token was refused, in a word for operators; the partner is told none of them. */
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

/** The one key that the header names, if it is of the kind that the header's algorithm wants. */
export function keyFor(
  header: Record<string, unknown>,
  keys: readonly PublicJwk[],
): Judged<{ key: PublicJwk }> {
  const { alg, kid } = header;
  const isListed = typeof alg === 'string' && Object.hasOwn(TOKEN_ALGORITHMS, alg);
  if (!isListed) return { fault: 'ALGORITHM' };
  if (typeof kid !== 'string' || kid === '') return { fault: 'UNKNOWN_KEY' };
  const [key, ...others] = keys.filter((each) => each.kid === kid);
  if (!key) return { fault: 'UNKNOWN_KEY' };
  if (others.length > 0) return { fault: 'AMBIGUOUS_KEY' };
  const { kty, crv } = TOKEN_ALGORITHMS[alg]!;
  const isOfKind = key.kty === kty && (crv === undefined || key.crv === crv);
  const isForThis = (key.alg ?? alg) === alg && (key.use ?? 'sig') === 'sig';
  return isOfKind && isForThis ? { key } : { fault: 'ALGORITHM' };
}

const MAXIMUM_ID_CHARACTERS = 256;

/** The claims of a token whose signature is good; `now` in epoch milliseconds, the claims' times in seconds. */
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

/** Issued, valid and not yet over; a clock may be off by the skew, and the token is not older than a day. */
function isTimely({ iat, exp, nbf }: Record<string, unknown>, now: number): boolean {
  if (!isTime(iat) || !isTime(exp)) return false;
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + CLOCK_SKEW_SECONDS)) return false;
  const isIssued = iat <= now + CLOCK_SKEW_SECONDS && iat >= now - TOKEN_AGE_SECONDS - CLOCK_SKEW_SECONDS;
  return isIssued && exp > now - CLOCK_SKEW_SECONDS;
}

const isTime = (value: unknown): value is number => Number.isFinite(value);
