import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { PublicJwk } from '../../functions/domain/partners/partner-token.ts';

export type Signer = {
  /** The public key, as a partner registers it. */
  jwk: PublicJwk;
  /** Makes a compact JWS of these claims. The header's fields are added to `{alg, kid}` or replace them. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
};

/** A partner's KYC vendor with its own key. */
export async function newSigner(alg = 'ES256', kid = 'k1'): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    jwk: { ...((await exportJWK(publicKey)) as PublicJwk), kid },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
}

/** A compact serialization of any parts, which no honest signer makes. */
export function forged(header: unknown, claims: unknown, signature = ''): string {
  const part = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}
