import {
  type JudgedToken,
  keyFor,
  type PublicJwk,
  TOKEN_ALGORITHMS,
} from '../domain/partners/partner-token.ts';
import type { PartnerTokens } from '../domain/partners/partner-token-ports.ts';

type OpenedToken = JudgedToken<{ claims: unknown; kid: string }>;

/**
 * Verifies signed tokens in compact form (RFC 7515) with the library jose. It never uses a key from inside a
 * token, or from a URL inside a token.
 */
export function partnerTokens(): PartnerTokens {
  return {
    async open(token, keys) {
      // The library is imported when the first token arrives, because most KYC submissions have no token.
      const jose = await import('jose');
      const header = tokenHeader(token, jose);
      // A token with `crit` or `b64` is refused, because these may change what is signed (RFC 7797), and no partner
      // needs them.
      if (!header || 'crit' in header || 'b64' in header) return { fault: 'MALFORMED' };
      const found = keyFor(header, keys);
      return 'fault' in found ? found : verifyToken(token, found.key, String(header.alg), jose);
    },
    async thumbprintOf(jwk) {
      const jose = await import('jose');
      const key = await jose
        .importJWK(publicPart(jwk), jwk.alg ?? usualAlgorithm(jwk))
        .catch(() => undefined);
      return key && isStrong(key) ? jose.calculateJwkThumbprint(publicPart(jwk)) : undefined;
    },
  };
}

type Jose = typeof import('jose');

function tokenHeader(token: string, { decodeProtectedHeader }: Jose): Record<string, unknown> | undefined {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

async function verifyToken(
  token: string,
  jwk: PublicJwk & { kid: string },
  alg: string,
  jose: Jose,
): Promise<OpenedToken> {
  const key = await jose.importJWK(publicPart(jwk), alg).catch(() => undefined);
  if (!key) return { fault: 'UNUSABLE_KEY' };
  try {
    const { payload } = await jose.compactVerify(token, key, { algorithms: [alg] });
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return { claims, kid: jwk.kid };
  } catch (error) {
    if (error instanceof jose.errors.JWSSignatureVerificationFailed) return { fault: 'SIGNATURE' };
    // jose throws a TypeError for an RSA key below 2048 bits, and for any other key that it cannot use.
    const isKeyRefused = error instanceof TypeError && !(error as { code?: string }).code;
    return { fault: isKeyRefused ? 'UNUSABLE_KEY' : 'MALFORMED' };
  }
}

/** Takes only the public part of a key, because a partner may have registered a private key by mistake. */
function publicPart({ kty, crv, x, y, n, e }: PublicJwk): Record<string, string> {
  const given = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(given) as Record<string, string>;
}

/**
 * The algorithm for a registered key that names none, as older registrations do. Any algorithm for this kind
 * of key may be used here, because the thumbprint does not depend on the algorithm.
 */
const usualAlgorithm = ({ kty }: PublicJwk) =>
  Object.keys(TOKEN_ALGORITHMS).find((alg) => TOKEN_ALGORITHMS[alg]?.kty === kty);

const LEAST_RSA_BITS = 2048;
/**
 * The most bits of an RSA key. A larger key is refused, because one verification with it would take longer
 * than the rest of a KYC submission.
 */
const MOST_RSA_BITS = 4096;
const RSA_EXPONENT = '010001';

/**
 * Whether the key is strong enough. An RSA key must have a length within the limits and the exponent 65537. A
 * key on an elliptic curve is always strong enough, because only strong curves are accepted.
 */
function isStrong(key: Awaited<ReturnType<Jose['importJWK']>>): boolean {
  if (key instanceof Uint8Array) return false;
  const { modulusLength, publicExponent } = key.algorithm as Partial<RsaKeyAlgorithm>;
  if (modulusLength === undefined || publicExponent === undefined) return true;
  const isLong = modulusLength >= LEAST_RSA_BITS && modulusLength <= MOST_RSA_BITS;
  return isLong && Buffer.from(publicExponent).toString('hex') === RSA_EXPONENT;
}
