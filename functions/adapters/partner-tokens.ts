import { type Judged, keyFor, type PublicJwk } from '../domain/partners/partner-token.ts';
import type { PartnerTokens } from '../domain/partners/partner-token-ports.ts';

type Opened = Judged<{ claims: unknown }>;

/** Compact JWS (RFC 7515), verified by jose. Nothing that a token names is ever fetched or used as a key. */
export function partnerTokens(): PartnerTokens {
  return {
    async open(token, keys) {
      // Loaded with the first token: most submissions bring none.
      const jose = await import('jose');
      const header = headerOf(token, jose);
      // `crit` may change what is signed (RFC 7797); no partner of ours needs one.
      if (!header || 'crit' in header || 'b64' in header) return { fault: 'MALFORMED' };
      const found = keyFor(header, keys);
      return 'fault' in found ? found : verify(token, found.key, String(header.alg), jose);
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
    // jose refuses RSA below 2048 bits, and other keys that it cannot verify with, by a TypeError.
    const isKeyRefused = error instanceof TypeError && !(error as { code?: string }).code;
    return { fault: isKeyRefused ? 'UNUSABLE_KEY' : 'MALFORMED' };
  }
}

/** A private key that was registered by mistake is not used as one. */
function publicPart({ kty, crv, x, y, n, e }: PublicJwk): Record<string, string> {
  const given = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(given) as Record<string, string>;
}
