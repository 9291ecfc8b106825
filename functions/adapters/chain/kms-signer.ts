import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { computeAddress, Signature, SigningKey, type Transaction } from 'ethers';
import { Unavailable } from '../../domain/errors.ts';
import { isSameAddress } from './chain.ts';

export type Signer = {
  /** The wallet's address. */
  address(): Promise<string>;
  /**
   * Signs a transaction. Each call gives different bytes, because KMS signs with a random value. Therefore store the
   * bytes before you send them.
   */
  sign(transaction: Transaction): Promise<{ raw: string; hash: string }>;
};

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const POINT_BYTES = 65;
const SPKI_BYTES = 88;

/** An account whose key never leaves AWS KMS (`ECC_SECG_P256K1`). */
export function kmsSigner(load: () => Promise<KMSClient>, keyId: string): Signer {
  let known: string | undefined;

  async function address(): Promise<string> {
    known ??= addressOfKey(await publicKey(load, keyId));
    return known;
  }

  return {
    address,
    async sign(transaction) {
      const signer = await address();
      const digest = transaction.unsignedHash;
      const signed = transaction.clone();
      signed.signature = recoverable(digest, parseDer(await signDigest(load, keyId, digest)), signer);
      // `recoverable` has already recovered the signer's address from `digest`. This comparison replaces a
      // second recovery from the signed bytes, which would only cost time.
      if (signed.unsignedHash !== digest) throw new Error('other bytes were signed');
      return { raw: signed.serialized, hash: signed.hash as string };
    },
  };
}

/**
 * Computes the address of a secp256k1 public key. The last 65 bytes of its SPKI encoding are the uncompressed point.
 */
export function addressOfKey(spki: Uint8Array): string {
  const point = spki.subarray(-POINT_BYTES);
  if (spki.length !== SPKI_BYTES || point[0] !== 4) throw new Error('not a secp256k1 public key');
  return computeAddress(`0x${Buffer.from(point).toString('hex')}`);
}

/**
 * Reads r and s from a DER-encoded ECDSA signature. Its integers have no leading zeros and may have a sign byte, so
 * their length varies.
 */
export function parseDer(der: Uint8Array): { r: bigint; s: bigint } {
  const rLength = der[3] ?? 0;
  const sLength = der[5 + rLength] ?? 0;
  const isWhole = der.length === 6 + rLength + sLength && der[1] === der.length - 2;
  const isTagged = der[0] === 0x30 && der[2] === 2 && der[4 + rLength] === 2;
  if (!isWhole || !isTagged || !rLength || !sLength) throw new Error('not a DER signature');
  return { r: derInteger(der.subarray(4, 4 + rLength)), s: derInteger(der.subarray(6 + rLength)) };
}

/**
 * Converts a signature of KMS to Ethereum's form, with a low s (EIP-2) and a parity. KMS does not tell the parity, so
 * both are tried. The right one recovers the signer's address. If neither does, another key signed.
 */
export function recoverable(digest: string, { r, s }: { r: bigint; s: bigint }, signer: string): Signature {
  const low = s > CURVE_ORDER / 2n ? CURVE_ORDER - s : s;
  for (const yParity of [0, 1] as const) {
    const signature = Signature.from({ r: hex32(r), s: hex32(low), yParity });
    const key = recoverKey(digest, signature);
    if (key && isSameAddress(computeAddress(key), signer)) return signature;
  }
  throw new Error('signed by another key');
}

/** Recovers the public key. Undefined if r is not a point of the curve for this parity. */
function recoverKey(digest: string, signature: Signature): string | undefined {
  try {
    return SigningKey.recoverPublicKey(digest, signature);
  } catch {
    return undefined;
  }
}

async function publicKey(load: () => Promise<KMSClient>, keyId: string): Promise<Uint8Array> {
  const kms = await load();
  const answer = await kms.send(new GetPublicKeyCommand({ KeyId: keyId })).catch(unavailable);
  if (!answer.PublicKey) throw new Unavailable('KMS');
  return answer.PublicKey;
}

async function signDigest(
  load: () => Promise<KMSClient>,
  keyId: string,
  digest: string,
): Promise<Uint8Array> {
  const kms = await load();
  const command = new SignCommand({
    KeyId: keyId,
    Message: Buffer.from(digest.slice(2), 'hex'),
    MessageType: 'DIGEST',
    SigningAlgorithm: 'ECDSA_SHA_256',
  });
  const { Signature: der } = await kms.send(command).catch(unavailable);
  if (!der) throw new Unavailable('KMS');
  return der;
}

function unavailable(cause: unknown): never {
  throw new Unavailable('KMS', { cause });
}

function derInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function hex32(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}
