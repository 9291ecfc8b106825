import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { PartnerTokenIssuer, PublicJwk } from '../functions/domain/partners/partner-token.ts';

const ISSUER = 'https://kyc-vendor.sandbox.example';
const AUDIENCE = 'onramp-sandbox';
const KEY_ID = 'sandbox-1';
const LIFE_SECONDS = 10 * 60;

/** The first bytes of a PKCS #8 file of an Ed25519 key. The 32 bytes of the key follow (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The private key of the sandbox's KYC vendor. It is public on purpose: only the seeded partners accept it, for
 * invented persons.
 */
const privateKey = createPrivateKey({
  key: Buffer.concat([PKCS8_HEAD, createHash('sha256').update('the sandbox KYC vendor').digest()]),
  format: 'der',
  type: 'pkcs8',
});

/** The KYC vendor that the seeded partners have registered. */
export const sandboxVendor: PartnerTokenIssuer = {
  issuer: ISSUER,
  audience: AUDIENCE,
  jwks: {
    keys: [
      { ...(createPublicKey(privateKey).export({ format: 'jwk' }) as PublicJwk), kid: KEY_ID, alg: 'EdDSA' },
    ],
  },
};

/** A token of Model 2 for a CPF of 11 digits, signed with the vendor's key. `now` is in epoch milliseconds. */
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
