import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { Unavailable } from '../../domain/errors.ts';
import type { Cipher, Clock, Random } from '../../domain/ports.ts';

export type CipherSettings = {
  load: () => Promise<KMSClient>;
  /** The KMS key that wraps the data keys. */
  dataKeyId: string;
  /**
   * The encryption context of the data keys in KMS. The key's policy lets each role use the key only for named
   * purposes.
   */
  purpose: Purpose;
  random: Random;
  clock: Clock;
};

/** The purpose of a data key. `answersOf` names the function whose answers are kept for repeated requests. */
export type Purpose =
  | { purpose: 'client' | 'totp' | 'webhook' | 'destination' | 'units' }
  | { purpose: 'answer'; answersOf: string };

type DataKey = { wrapped: string; key: Uint8Array };
type Lent = { dataKey: Promise<DataKey>; until: number; usesLeft: number };

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/**
 * The process uses a data key for this time at most, and for `LENT_USES` encryptions at most. Both limits
 * bound how much a leaked key can decrypt.
 */
const LENT_MS = 5 * 60_000;
const LENT_USES = 1_000;
const OPENED_KEYS = 200;

/**
 * Envelope encryption: AES-256-GCM with data keys that KMS encrypts. The `context` of a call is authenticated
 * with the text, so a ciphertext copied to another row cannot be decrypted there.
 * Form, in base64: `v1.<wrapped key>.<iv>.<text and tag>`.
 */
export function envelope(settings: CipherSettings): Cipher {
  const { clock, random } = settings;
  const opened = new Map<string, Promise<Uint8Array>>();
  let lent: Lent | undefined;

  function borrowKey(): Promise<DataKey> {
    if (!lent || clock.now() >= lent.until || lent.usesLeft <= 0) {
      const fresh = { dataKey: drawKey(settings), until: clock.now() + LENT_MS, usesLeft: LENT_USES };
      fresh.dataKey.catch(() => {
        if (lent === fresh) lent = undefined;
      });
      lent = fresh;
    }
    lent.usesLeft--;
    return lent.dataKey;
  }

  function openKey(wrapped: string): Promise<Uint8Array> {
    const known = opened.get(wrapped);
    if (known) return known;
    const key = unwrapKey(settings, wrapped);
    opened.set(wrapped, key);
    key.catch(() => opened.delete(wrapped));
    const [oldest] = opened.keys();
    if (opened.size > OPENED_KEYS && oldest !== undefined) opened.delete(oldest);
    return key;
  }

  return {
    async encrypt(plaintext, context) {
      const { wrapped, key } = await borrowKey();
      const iv = random.bytes(IV_BYTES);
      return [VERSION, wrapped, toBase64(iv), toBase64(sealText(plaintext, { key, iv, context }))].join('.');
    },
    async decrypt(ciphertext, context) {
      const [version, wrapped, iv, sealed, ...rest] = ciphertext.split('.');
      if (version !== VERSION || !wrapped || !iv || !sealed || rest.length > 0) throw changedCiphertext();
      return unsealText(fromBase64(sealed), { key: await openKey(wrapped), iv: fromBase64(iv), context });
    },
  };
}

type Lock = { key: Uint8Array; iv: Uint8Array; context: string };

function sealText(plaintext: string, { key, iv, context }: Lock): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function unsealText(sealed: Uint8Array, { key, iv, context }: Lock): string {
  if (iv.length !== IV_BYTES || sealed.length < TAG_BYTES) throw changedCiphertext();
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const opening = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([opening, decipher.final()]).toString('utf8');
  } catch {
    throw changedCiphertext();
  }
}

async function drawKey({ load, dataKeyId, purpose }: CipherSettings): Promise<DataKey> {
  const kms = await load();
  const command = new GenerateDataKeyCommand({
    KeyId: dataKeyId,
    KeySpec: 'AES_256',
    EncryptionContext: purpose,
  });
  const { CiphertextBlob, Plaintext } = await kms.send(command).catch(kmsSilent);
  if (!CiphertextBlob || !Plaintext) throw new Unavailable('KMS');
  return { wrapped: toBase64(CiphertextBlob), key: Plaintext };
}

async function unwrapKey({ load, dataKeyId, purpose }: CipherSettings, wrapped: string): Promise<Uint8Array> {
  const kms = await load();
  // `KeyId` makes KMS refuse a data key that another KMS key of the account has encrypted.
  const command = new DecryptCommand({
    KeyId: dataKeyId,
    CiphertextBlob: fromBase64(wrapped),
    EncryptionContext: purpose,
  });
  const { Plaintext } = await kms.send(command).catch((cause: unknown) => {
    if (isTampered(cause)) throw changedCiphertext();
    return kmsSilent(cause);
  });
  if (!Plaintext) throw new Unavailable('KMS');
  return Plaintext;
}

function isTampered(cause: unknown): boolean {
  // KMS answers `ValidationException` for a data key that is too long.
  const refusals = ['InvalidCiphertextException', 'IncorrectKeyException', 'ValidationException'];
  return refusals.includes((cause as Error).name);
}

function kmsSilent(cause: unknown): never {
  throw new Unavailable('KMS', { cause });
}

function changedCiphertext(): Error {
  return new Error('the ciphertext was changed or belongs elsewhere');
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
