import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Need } from './access.ts';
import type { Template } from './template.ts';
import { ACCOUNT, awsError, type Fields, fields, PARTITION, REGION, text } from './wire.ts';

/**
 * A local replacement of KMS, for the kinds of keys that the product uses. The keys exist as long as the
 * process.
 */
export type Kms = {
  call(operation: string, input: Fields): Promise<Fields>;
  needs(operation: string, input: Fields): Need[];
};

type Key = { id: string; arn: string; spec: string; usage: string; secret: Buffer; publicKey?: KeyObject };

const MAC_HASHES: Record<string, string> = {
  HMAC_224: 'sha224',
  HMAC_256: 'sha256',
  HMAC_384: 'sha384',
  HMAC_512: 'sha512',
};

export function startKms(template: Template): Kms {
  const keys = new Map<string, Key>();
  const names = new Map<string, string>();
  for (const { logicalId } of template.ofType('AWS::KMS::Key')) {
    const { KeySpec, KeyUsage } = template.properties(logicalId);
    const id = template.ref(logicalId);
    const spec = text(KeySpec) || 'SYMMETRIC_DEFAULT';
    keys.set(id, {
      id,
      arn: template.attribute(logicalId, 'Arn'),
      spec,
      usage: text(KeyUsage) || 'ENCRYPT_DECRYPT',
      ...material(spec),
    });
  }
  for (const { logicalId } of template.ofType('AWS::KMS::Alias')) {
    const { TargetKeyId } = template.properties(logicalId);
    names.set(template.ref(logicalId), text(TargetKeyId));
  }

  function find(nameOrArn: unknown): Key {
    const last = text(nameOrArn).replace(/^arn:.*?:(key\/|(?=alias\/))/, '');
    const target = names.get(last)?.replace(/^arn:.*:key\//, '') ?? last;
    const key = keys.get(target);
    if (!key) throw awsError('NotFoundException', `Key '${text(nameOrArn)}' does not exist`);
    return key;
  }

  function keyOf(operation: string, input: Fields): Key {
    if (operation === 'Decrypt' && !input.KeyId) return find(openBlob(input.CiphertextBlob).keyId);
    return find(input.KeyId);
  }

  const operations: Operations = {
    ...encryptions(find),
    ...macs(find),
    ...signatures(find),
    DescribeKey(input) {
      const { id, arn, spec, usage } = find(input.KeyId);
      const KeyMetadata = { KeyId: id, Arn: arn, AWSAccountId: ACCOUNT, KeySpec: spec, KeyUsage: usage };
      return { KeyMetadata: { ...KeyMetadata, Enabled: true, KeyState: 'Enabled', Origin: 'AWS_KMS' } };
    },
  };

  return {
    async call(operation, input) {
      const handle = operations[operation];
      if (!handle) throw awsError('UnknownOperationException', `KMS ${operation} is not simulated`);
      return handle(input);
    },
    needs(operation, input) {
      if (operation === 'GenerateRandom') return [{ action: 'kms:GenerateRandom', resource: '*' }];
      const encryption = Object.entries(fields(input.EncryptionContext));
      const context: Record<string, string> = Object.fromEntries(
        encryption.map(([name, value]) => [`kms:EncryptionContext:${name}`, String(value)]),
      );
      if (input.SigningAlgorithm) context['kms:SigningAlgorithm'] = text(input.SigningAlgorithm);
      if (input.MessageType) context['kms:MessageType'] = text(input.MessageType);
      return [{ action: `kms:${operation}`, resource: keyOf(operation, input).arn, context }];
    },
  };
}

type Operations = Record<string, (input: Fields) => Fields>;
type FindKey = (nameOrArn: unknown) => Key;

function encryptions(find: FindKey): Operations {
  function GenerateDataKey(input: Fields): Fields {
    const key = usable(find(input.KeyId), 'ENCRYPT_DECRYPT');
    const plaintext = randomBytes(dataKeyBytes(input));
    return {
      CiphertextBlob: seal(key, plaintext, input),
      Plaintext: plaintext.toString('base64'),
      KeyId: key.arn,
    };
  }

  return {
    Encrypt(input) {
      const key = usable(find(input.KeyId), 'ENCRYPT_DECRYPT');
      const plaintext = Buffer.from(text(input.Plaintext), 'base64');
      if (plaintext.length < 1 || plaintext.length > 4096) {
        throw awsError('ValidationException', "Value at 'plaintext' must have length between 1 and 4096");
      }
      return { CiphertextBlob: seal(key, plaintext, input), KeyId: key.arn, ...symmetric };
    },
    Decrypt(input) {
      const { keyId } = openBlob(input.CiphertextBlob);
      const key = usable(find(keyId), 'ENCRYPT_DECRYPT');
      if (input.KeyId && find(input.KeyId).id !== key.id) {
        throw awsError(
          'IncorrectKeyException',
          'The key ID in the request does not identify a CMK that can decrypt',
        );
      }
      return { Plaintext: unseal(key, input).toString('base64'), KeyId: key.arn, ...symmetric };
    },
    GenerateDataKey,
    GenerateDataKeyWithoutPlaintext(input) {
      const { Plaintext: _, ...rest } = GenerateDataKey(input);
      return rest;
    },
    GenerateRandom: (input) => ({ Plaintext: randomBytes(Number(input.NumberOfBytes)).toString('base64') }),
  };
}

const macs = (find: FindKey): Operations => ({
  GenerateMac(input) {
    const key = usable(find(input.KeyId), 'GENERATE_VERIFY_MAC');
    return { Mac: mac(key, input).toString('base64'), MacAlgorithm: input.MacAlgorithm, KeyId: key.arn };
  },
  VerifyMac(input) {
    const key = usable(find(input.KeyId), 'GENERATE_VERIFY_MAC');
    const [expected, given] = [mac(key, input), Buffer.from(text(input.Mac), 'base64')];
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
      throw awsError('KMSInvalidMacException', 'The MAC is not valid');
    }
    return { MacValid: true, MacAlgorithm: input.MacAlgorithm, KeyId: key.arn };
  },
});

const signatures = (find: FindKey): Operations => ({
  GetPublicKey(input) {
    const key = find(input.KeyId);
    if (!key.publicKey) throw awsError('UnsupportedOperationException', `${key.arn} has no public key`);
    return {
      KeyId: key.arn,
      KeySpec: key.spec,
      CustomerMasterKeySpec: key.spec,
      KeyUsage: key.usage,
      PublicKey: key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      SigningAlgorithms: ['ECDSA_SHA_256'],
    };
  },
  Sign(input) {
    const key = usable(find(input.KeyId), 'SIGN_VERIFY');
    const message = Buffer.from(text(input.Message), 'base64');
    if (
      input.SigningAlgorithm !== 'ECDSA_SHA_256' ||
      input.MessageType !== 'DIGEST' ||
      message.length !== 32
    ) {
      throw awsError('ValidationException', 'Only a 32 byte DIGEST with ECDSA_SHA_256 is signed here');
    }
    const Signature = signSecp256k1(key.secret, message).toString('base64');
    return { KeyId: key.arn, Signature, SigningAlgorithm: input.SigningAlgorithm };
  },
});

const symmetric = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };

function material(spec: string): Pick<Key, 'secret' | 'publicKey'> {
  if (spec === 'SYMMETRIC_DEFAULT') return { secret: randomBytes(32) };
  if (spec in MAC_HASHES) return { secret: randomBytes(64) };
  if (spec !== 'ECC_SECG_P256K1') throw new Error(`KMS keys of the kind ${spec} are not simulated`);
  const pair = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const secret = Buffer.from(pair.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  return { secret, publicKey: createPublicKey(pair.privateKey) };
}

function usable(key: Key, usage: string): Key {
  if (key.usage === usage) return key;
  throw awsError('InvalidKeyUsageException', `${key.arn} key usage is ${key.usage} which is not valid here`);
}

function dataKeyBytes(input: Fields): number {
  if (input.KeySpec) return input.KeySpec === 'AES_128' ? 16 : 32;
  return Number(input.NumberOfBytes ?? 32);
}

function mac(key: Key, input: Fields): Buffer {
  const hash = MAC_HASHES[text(input.MacAlgorithm).replace('_SHA', '')];
  if (!hash || text(input.MacAlgorithm).replace('_SHA', '') !== key.spec) {
    throw awsError('InvalidKeyUsageException', `${String(input.MacAlgorithm)} does not go with ${key.spec}`);
  }
  return createHmac(hash, key.secret)
    .update(Buffer.from(text(input.Message), 'base64'))
    .digest();
}

const BLOB_VERSION = 1;

/**
 * Encrypts a text. The result holds a version (1 byte), the key's id (36 bytes), the initialization vector
 * (12), the authentication tag (16), and the ciphertext. A ciphertext of KMS names its key as well.
 */
function seal(key: Key, plaintext: Buffer, input: Fields): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, iv).setAAD(additionalData(input));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const parts = [Buffer.from([BLOB_VERSION]), Buffer.from(key.id), iv, cipher.getAuthTag(), ciphertext];
  return Buffer.concat(parts).toString('base64');
}

function openBlob(value: unknown) {
  const blob = Buffer.from(text(value), 'base64');
  if (blob.length < 66 || blob[0] !== BLOB_VERSION)
    throw awsError('InvalidCiphertextException', 'Invalid ciphertext');
  return {
    keyId: blob.subarray(1, 37).toString(),
    iv: blob.subarray(37, 49),
    tag: blob.subarray(49, 65),
    ciphertext: blob.subarray(65),
  };
}

function unseal(key: Key, input: Fields): Buffer {
  const { iv, tag, ciphertext } = openBlob(input.CiphertextBlob);
  const decipher = createDecipheriv('aes-256-gcm', key.secret, iv);
  try {
    decipher.setAAD(additionalData(input)).setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    throw awsError('InvalidCiphertextException', 'The ciphertext or its encryption context is not valid');
  }
}

function additionalData(input: Fields): Buffer {
  const pairs = Object.entries(fields(input.EncryptionContext)).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify(pairs));
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Signs with ECDSA and a random nonce. Like KMS it does not change s to the lower of its two valid values, so
 * half of the signatures have a high s.
 */
function signSecp256k1(secret: Buffer, digest: Buffer): Buffer {
  const nonce = (bigint(randomBytes(40)) % (ORDER - 1n)) + 1n;
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(bytes(nonce));
  const r = bigint(curve.getPublicKey().subarray(1, 33)) % ORDER;
  const s = (inverse(nonce) * ((bigint(digest) + r * bigint(secret)) % ORDER)) % ORDER;
  if (r === 0n || s === 0n) return signSecp256k1(secret, digest);
  const body = Buffer.concat([derInteger(r), derInteger(s)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

function inverse(value: bigint): bigint {
  let [low, high, x, y] = [value % ORDER, ORDER, 1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high, x, y] = [high % low, low, y - quotient * x, x];
  }
  return ((x % ORDER) + ORDER) % ORDER;
}

function bigint(value: Buffer): bigint {
  return BigInt(`0x${value.toString('hex')}`);
}

function bytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const even = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const positive = (even[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), even]) : even;
  return Buffer.concat([Buffer.from([2, positive.length]), positive]);
}

export function keyArn(idOrArn: string): string {
  return idOrArn.startsWith('arn:') ? idOrArn : `arn:${PARTITION}:kms:${REGION}:${ACCOUNT}:key/${idOrArn}`;
}
