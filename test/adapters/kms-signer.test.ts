import { createPublicKey } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import { computeAddress, SigningKey, Transaction, Wallet } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOfKey, kmsSigner, parseDer, recoverable } from '../../functions/adapters/chain/kms-signer.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { CURVE_ORDER, der, fakeKms, spkiOf } from '../support/fake-kms.ts';

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const KEY_ID = 'arn:aws:kms:sa-east-1:000000000000:key/treasury';

const unsigned = (nonce: number) =>
  Transaction.from({
    type: 2,
    chainId: 31337,
    nonce,
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    data: '0xa9059cbb',
    gasLimit: 120_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });

const load = (kms: unknown) => async () => kms as KMSClient;

describe('the address of a KMS key', () => {
  it('is Ethereum’s address of the public key', async () => {
    expect(await kmsSigner(load(fakeKms(KEY)), KEY_ID).address()).toBe(ADDRESS);
  });

  it('is read from OpenSSL’s SubjectPublicKeyInfo', () => {
    const point = Buffer.from(new SigningKey(KEY).publicKey.slice(2), 'hex');
    const jwk = {
      kty: 'EC',
      crv: 'secp256k1',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const spki = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type: 'spki' });

    expect(spki).toEqual(spkiOf(KEY));
    expect(addressOfKey(spki)).toBe(ADDRESS);
  });

  it('is requested from KMS once', async () => {
    const kms = fakeKms(KEY);
    const signer = kmsSigner(load(kms), KEY_ID);

    await signer.address();
    await signer.sign(unsigned(0));

    expect(kms.sent.map((each) => each.name)).toEqual(['GetPublicKeyCommand', 'SignCommand']);
  });

  it('is not made from a key of another kind', () => {
    expect(() => addressOfKey(new Uint8Array(91).fill(4))).toThrow('not a secp256k1 public key');
    expect(() => addressOfKey(new Uint8Array(88))).toThrow('not a secp256k1 public key');
  });
});

describe('a KMS signature', () => {
  it('signs the given transaction, for the chain that it names', async () => {
    const { raw, hash } = await kmsSigner(load(fakeKms(KEY)), KEY_ID).sign(unsigned(7));
    const read = Transaction.from(raw);

    expect(read.from).toBe(ADDRESS);
    expect(read.hash).toBe(hash);
    expect(read.unsignedSerialized).toBe(unsigned(7).unsignedSerialized);
  });

  it('equals a local key’s signature of the same bytes', async () => {
    const { raw } = await kmsSigner(load(fakeKms(KEY)), KEY_ID).sign(unsigned(3));

    expect(raw).toBe(await new Wallet(KEY).signTransaction(unsigned(3)));
  });

  it('asks KMS to sign the digest, not a message', async () => {
    const kms = fakeKms(KEY);
    await kmsSigner(load(kms), KEY_ID).sign(unsigned(1));

    expect(kms.sent[1]?.input).toMatchObject({
      KeyId: KEY_ID,
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
      Message: Buffer.from(unsigned(1).unsignedHash.slice(2), 'hex'),
    });
  });

  it('is converted to the low one of its two forms', async () => {
    const signer = kmsSigner(load(fakeKms(KEY, { isHigh: true })), KEY_ID);

    for (let nonce = 0; nonce < 8; nonce++) {
      const { raw } = await signer.sign(unsigned(nonce));
      const { signature, from } = Transaction.from(raw);
      expect(BigInt(signature?.s ?? 0)).toBeLessThanOrEqual(CURVE_ORDER / 2n);
      expect(from).toBe(ADDRESS);
    }
  });

  it('is refused if another key made it', async () => {
    const kms = fakeKms(KEY, { signsWith: `0x${'11'.repeat(32)}` });

    await expect(kmsSigner(load(kms), KEY_ID).sign(unsigned(0))).rejects.toThrow('signed by another key');
  });

  it('leaves the given transaction unsigned', async () => {
    const transaction = unsigned(0);
    await kmsSigner(load(fakeKms(KEY)), KEY_ID).sign(transaction);

    expect(transaction.signature).toBeNull();
  });

  it('is unavailable during an outage of KMS, and the key is requested again afterwards', async () => {
    const kms = fakeKms(KEY, { failures: 1 });
    const signer = kmsSigner(load(kms), KEY_ID);

    await expect(signer.address()).rejects.toThrow(Unavailable);
    expect(await signer.address()).toBe(ADDRESS);
  });
});

describe('DER', () => {
  const scalar = fc.bigInt({ min: 1n, max: CURVE_ORDER - 1n });
  const short = fc.bigInt({ min: 1n, max: 2n ** 200n });

  it('gives back every pair of integers, short ones included', () => {
    fc.assert(
      fc.property(fc.oneof(scalar, short), fc.oneof(scalar, short), (r, s) => {
        expect(parseDer(der(r, s))).toEqual({ r, s });
      }),
    );
  });

  it('is refused if a byte is missing, added, or of another kind', () => {
    fc.assert(
      fc.property(scalar, scalar, (r, s) => {
        const whole = der(r, s);
        expect(() => parseDer(whole.subarray(0, -1))).toThrow('not a DER signature');
        expect(() => parseDer(Buffer.concat([whole, Buffer.of(0)]))).toThrow('not a DER signature');
        expect(() => parseDer(Buffer.concat([Buffer.of(0x31), whole.subarray(1)]))).toThrow('not a DER');
      }),
      { numRuns: 30 },
    );
    expect(() => parseDer(new Uint8Array())).toThrow('not a DER signature');
  });

  // Digests whose signature by this key has a short integer, found by search.
  it.each([
    ['r', 2646, 3],
    ['s', 114, 37],
  ])('is read for a signature with a short %s, and its signer is recovered', (_, value, lengthAt) => {
    const digest = `0x${value.toString(16).padStart(64, '0')}`;
    const { r, s } = new SigningKey(KEY).sign(digest);
    const encoded = der(BigInt(r), BigInt(s));

    expect(encoded[lengthAt + (encoded[3] === 33 ? 1 : 0)]).toBe(31);
    expect(recoverable(digest, parseDer(encoded), ADDRESS)).toMatchObject({ r, s });
  });
});

describe('recovery', () => {
  it('finds the parity of any key, for the high and the low form', () => {
    const secret = fc.bigInt({ min: 1n, max: CURVE_ORDER - 1n });
    fc.assert(
      fc.property(
        secret,
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        fc.boolean(),
        (key, value, isHigh) => {
          const signer = new SigningKey(`0x${key.toString(16).padStart(64, '0')}`);
          const digest = `0x${value.toString(16).padStart(64, '0')}`;
          const signed = signer.sign(digest);
          const s = BigInt(signed.s);
          const address = computeAddress(signer.publicKey);

          const found = recoverable(
            digest,
            { r: BigInt(signed.r), s: isHigh ? CURVE_ORDER - s : s },
            address,
          );

          expect(found.serialized).toBe(signed.serialized);
        },
      ),
      { numRuns: 40 },
    );
  });
});
