import { SigningKey } from 'ethers';

export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The bytes before the point in a secp256k1 SubjectPublicKeyInfo. */
const SPKI_PREFIX = '3056301006072a8648ce3d020106052b8104000a034200';

export function spkiOf(key: string): Buffer {
  return Buffer.from(SPKI_PREFIX + new SigningKey(key).publicKey.slice(2), 'hex');
}

/** An ECDSA-Sig-Value as KMS writes it, with integers as short as possible. */
export function der(r: bigint, s: bigint): Buffer {
  const body = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const signed = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(2, signed.length), signed]);
}

type Sent = { name: string; input: Record<string, unknown> };
type Options = {
  isHigh?: boolean;
  signsWith?: string;
  failures?: number;
  /**
   * Gives 32 bytes that no signature has used. With it the same digest gets a new signature each time, as in KMS;
   * without it always the same.
   */
  nonce?: () => Uint8Array;
};

/** The part of a KMS client that the signer uses: one secp256k1 key. The options add the difficult habits of KMS. */
export function fakeKms(key: string, options: Options = {}) {
  const sent: Sent[] = [];
  let failures = options.failures ?? 0;
  return {
    sent,
    async send(command: { constructor: { name: string }; input: Record<string, unknown> }) {
      const name = command.constructor.name;
      sent.push({ name, input: command.input });
      if (failures-- > 0) throw new Error('connect ECONNREFUSED');
      if (name === 'GetPublicKeyCommand') return { PublicKey: spkiOf(key) };
      const digest = `0x${Buffer.from(command.input.Message as Uint8Array).toString('hex')}`;
      const { r, s } = sign(options.signsWith ?? key, digest, options.nonce);
      return { Signature: der(r, options.isHigh ? CURVE_ORDER - s : s) };
    },
  };
}

type Signature = { r: bigint; s: bigint };

/** Signs with low s: by SEC 1, 4.1.3 with the given nonce, otherwise by RFC 6979. */
function sign(key: string, digest: string, nonce?: () => Uint8Array): Signature {
  if (!nonce) {
    const { r, s } = new SigningKey(key).sign(digest);
    return { r: BigInt(r), s: BigInt(s) };
  }
  const k = (BigInt(`0x${Buffer.from(nonce()).toString('hex')}`) % (CURVE_ORDER - 1n)) + 1n;
  const point = new SigningKey(`0x${k.toString(16).padStart(64, '0')}`).publicKey;
  const r = BigInt(`0x${point.slice(4, 68)}`) % CURVE_ORDER;
  const s = (inverse(k) * (BigInt(digest) + r * BigInt(key))) % CURVE_ORDER;
  return { r, s: s > CURVE_ORDER / 2n ? CURVE_ORDER - s : s };
}

/** The inverse by Fermat's theorem, because the order is a prime. */
function inverse(value: bigint): bigint {
  let [power, base] = [1n, value];
  for (let exponent = CURVE_ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * base) % CURVE_ORDER;
    base = (base * base) % CURVE_ORDER;
  }
  return power;
}
