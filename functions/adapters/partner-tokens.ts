import { type Judged, keyFor, type PublicJwk } from '../domain/partners/partner-token.ts';
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
