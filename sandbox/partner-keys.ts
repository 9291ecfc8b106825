import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { PartnerTokenIssuer, PublicJwk } from '../functions/domain/partners/partner-token.ts';

const ISSUER = 'https://kyc-vendor.sandbox.example';
const AUDIENCE = 'onramp-sandbox';
const KEY_ID = 'sandbox-1';
const LIFE_SECONDS = 10 * 60;

/**
 * The first bytes of a PKCS #8 file with an Ed25519 private key. The key's 32 bytes follow them (RFC 8410,
 * section 7).
 */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The private key of the sandbox's KYC vendor. It may be public, because only the partners of a sandbox trust
 * it, and its persons are invented.
 */
const privateKey = createPrivateKey({
  key: Buffer.concat([PKCS8_HEAD, createHash('sha256').update('the sandbox KYC vendor').digest()]),
  format: 'der',
  type: 'pkcs8',
});

/** The KYC vendor that the partners of a sandbox have registered for Model 2. */
export const sandboxVendor: PartnerTokenIssuer = {
  issuer: ISSUER,
  audience: AUDIENCE,
  jwks: {
    keys: [
      { ...(createPublicKey(privateKey).export({ format: 'jwk' }) as PublicJwk), kid: KEY_ID, alg: 'EdDSA' },
    ],
  },
};

/**
 * Makes a KYC token for Model 2, signed with the vendor's key. `cpf` has 11 digits, and `now` is in epoch
 * milliseconds.
 */
export function vouchFor(cpf: string, { id, now }: { id: string; now: number }): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: cpf,
    jti: id,
    iat: issuedAt,
    exp: issuedAt + LIFE_SECONDS,
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: KEY_ID })
    .sign(privateKey);
}
