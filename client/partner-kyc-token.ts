/** Signs the KYC token of Model 2 with WebCrypto: a JWS in compact form with the claims of a JWT (RFC 7515, 7519). */
import { base64Url } from './encoding.ts';

/**
 * The signature algorithms that the service accepts. `key` and `signature` are the parameters with which
 * WebCrypto imports a key and signs.
 */
const ALGORITHMS = {
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, signature: { name: 'ECDSA', hash: 'SHA-256' } },
  EdDSA: { key: { name: 'Ed25519' }, signature: { name: 'Ed25519' } },
  RS256: {
    key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    signature: { name: 'RSASSA-PKCS1-v1_5' },
  },
  PS256: { key: { name: 'RSA-PSS', hash: 'SHA-256' }, signature: { name: 'RSA-PSS', saltLength: 32 } },
} as const;

type TokenAlgorithm = keyof typeof ALGORITHMS;

const DEFAULT_LIFE_SECONDS = 10 * 60;

export type PartnerKycTokenInput = {
  /** The CPF of the client whom your vendor has approved: `NNN.NNN.NNN-NN`, or 11 digits. */
  cpf: string;
  /** The issuer and the audience that the service has registered for you. */
  issuer: string;
  audience: string;
  /**
   * The `kid` of the public key that belongs to `privateKey`, in the key set that the service has registered
   * for you.
   */
  keyId: string;
  /**
   * The private key, as a key of WebCrypto or as a JWK. The service takes P-256 (ES256), Ed25519 (EdDSA), and RSA of
   * 2048 bits or more (RS256, PS256).
   */
  privateKey: CryptoKey | JsonWebKey;
  /**
   * The id of this token. The service refuses an id that it has already accepted, unless you repeat the same
   * request. The default is a UUID.
   */
  tokenId?: string;
  /** The default is ten minutes. */
  lifeSeconds?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/** Returns a `partnerKycToken` for `submitKyc`. */
export async function signPartnerKycToken(input: PartnerKycTokenInput): Promise<string> {
  const { cpf, issuer, audience, keyId, lifeSeconds = DEFAULT_LIFE_SECONDS, now = Date.now } = input;
  const { key, alg } = await signingKey(input.privateKey);
  const iat = Math.floor(now() / 1000);
  const jti = input.tokenId ?? crypto.randomUUID();
  const claims = { iss: issuer, aud: audience, sub: digitsOf(cpf), jti, iat, exp: iat + lifeSeconds };
  const signed = `${encode({ alg, kid: keyId })}.${encode(claims)}`;
  const bytes = new TextEncoder().encode(signed);
  const signature = await crypto.subtle.sign(ALGORITHMS[alg].signature, key, bytes);
  return `${signed}.${base64Url(new Uint8Array(signature))}`;
}

function encode(part: object): string {
  return base64Url(new TextEncoder().encode(JSON.stringify(part)));
}

function digitsOf(cpf: string): string {
  const digits = cpf.replaceAll(/[.-]/g, '');
  if (/^\d{11}$/.test(digits)) return digits;
  throw new TypeError('cpf must have 11 digits');
}

async function signingKey(given: CryptoKey | JsonWebKey): Promise<{ key: CryptoKey; alg: TokenAlgorithm }> {
  const key = isCryptoKey(given) ? given : await importKey(given);
  const alg = (Object.keys(ALGORITHMS) as TokenAlgorithm[]).find((name) => isFor(name, key));
  if (alg) return { key, alg };
  throw new TypeError('privateKey must be of P-256, Ed25519, or RSA of 2048 bits or more with SHA-256');
}

/**
 * Does not use `instanceof`, because a framework or another JavaScript realm has a `CryptoKey` class of its
 * own.
 */
function isCryptoKey(key: CryptoKey | JsonWebKey): key is CryptoKey {
  return 'algorithm' in key;
}

function importKey(jwk: JsonWebKey): Promise<CryptoKey> {
  const kinds: Partial<Record<string, TokenAlgorithm>> = { EC: 'ES256', OKP: 'EdDSA', RSA: 'RS256' };
  const alg = jwk.alg === 'PS256' ? 'PS256' : kinds[jwk.kty ?? ''];
  if (!alg || !jwk.d) throw new TypeError('privateKey must be a private JWK of the kind EC, OKP or RSA');
  // Only the key material is imported. Runtimes differ in the values of `alg`, `use` and `key_ops` that they
  // accept.
  const { alg: _alg, use: _use, key_ops: _operations, ...material } = jwk;
  return crypto.subtle.importKey('jwk', material, ALGORITHMS[alg].key, false, ['sign']);
}

/**
 * The properties of a key that decide for which algorithm it can sign. Each kind of key has only some of
 * them.
 */
type KeyFacts = { name: string; namedCurve?: string; hash?: { name: string }; modulusLength?: number };

function isFor(alg: TokenAlgorithm, key: CryptoKey): boolean {
  const wanted: { name: string; namedCurve?: string; hash?: string } = ALGORITHMS[alg].key;
  const { name, namedCurve, hash, modulusLength = 2048 } = key.algorithm as KeyFacts;
  const isOfKind = name === wanted.name && namedCurve === wanted.namedCurve && hash?.name === wanted.hash;
  return isOfKind && modulusLength >= 2048;
}
