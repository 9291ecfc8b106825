import { type Judged, keyFor, type PublicJwk, TOKEN_ALGORITHMS } from '../domain/partners/partner-token.ts';
import type { PartnerTokens } from '../domain/partners/partner-token-ports.ts';

type Opened = Judged<{ claims: unknown }>;

/** Verifies compact JWS (RFC 7515) with jose. A key inside a token, or an address of keys, is never used. */
export function partnerTokens(): PartnerTokens {
  return {
    async open(token, keys) {
      // Imported with the first token, because most submissions have none.
      const jose = await import('jose');
      const header = headerOf(token, jose);
      // `crit` may change the signed content (RFC 7797). No partner needs it.
      if (!header || 'crit' in header || 'b64' in header) return { fault: 'MALFORMED' };
      const found = keyFor(header, keys);
      return 'fault' in found ? found : verify(token, found.key, String(header.alg), jose);
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

function headerOf(token: string, { decodeProtectedHeader }: Jose): Record<string, unknown> | undefined {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

async function verify(token: string, jwk: PublicJwk, alg: string, jose: Jose): Promise<Opened> {
  const key = await jose.importJWK(publicPart(jwk), alg).catch(() => undefined);
  if (!key) return { fault: 'UNUSABLE_KEY' };
  try {
    const { payload } = await jose.compactVerify(token, key, { algorithms: [alg] });
    return { claims: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) };
  } catch (error) {
    if (error instanceof jose.errors.JWSSignatureVerificationFailed) return { fault: 'SIGNATURE' };
    // jose throws a TypeError for RSA below 2048 bits, and for other keys that it cannot use.
    const isKeyRefused = error instanceof TypeError && !(error as { code?: string }).code;
    return { fault: isKeyRefused ? 'UNUSABLE_KEY' : 'MALFORMED' };
  }
}

/** Only the public part, in case a private key was registered by mistake. */
function publicPart({ kty, crv, x, y, n, e }: PublicJwk): Record<string, string> {
  const given = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(given) as Record<string, string>;
}

/** Older registrations name no algorithm. The thumbprint does not depend on it. */
const usualAlgorithm = ({ kty }: PublicJwk) =>
  Object.keys(TOKEN_ALGORITHMS).find((alg) => TOKEN_ALGORITHMS[alg]?.kty === kty);

const LEAST_RSA_BITS = 2048;
/** Each check of a larger key would cost more than the rest of a submission. */
const MOST_RSA_BITS = 4096;
const RSA_EXPONENT = '010001';

/** True for the curves, which have one strength each. */
function isStrong(key: Awaited<ReturnType<Jose['importJWK']>>): boolean {
  if (key instanceof Uint8Array) return false;
  const { modulusLength, publicExponent } = key.algorithm as Partial<RsaKeyAlgorithm>;
  if (modulusLength === undefined || publicExponent === undefined) return true;
  const isLong = modulusLength >= LEAST_RSA_BITS && modulusLength <= MOST_RSA_BITS;
  return isLong && Buffer.from(publicExponent).toString('hex') === RSA_EXPONENT;
}
