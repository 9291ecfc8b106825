import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

type Input = { CiphertextBlob?: Uint8Array; EncryptionContext?: Record<string, string> };

/**
 * The part of a KMS client that the vault uses: data keys that are wrapped by a master key and bound to their
 * context.
 */
export function fakeDataKeys() {
  const master = randomBytes(32);
  const sent: { name: string; input: Input }[] = [];
  const kms = { sent, failures: 0, send };

  async function send(command: { constructor: { name: string }; input: Input }) {
    if (kms.failures-- > 0) throw Object.assign(new Error('throttled'), { name: 'ThrottlingException' });
    const { input } = command;
    const { name } = command.constructor;
    sent.push({ name, input });
    const context = Buffer.from(JSON.stringify(input.EncryptionContext ?? {}));
    return name === 'GenerateDataKeyCommand' ? wrap(randomBytes(32), context) : unwrap(input, context);
  }

  function wrap(key: Buffer, context: Buffer) {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', master, iv).setAAD(context);
    const wrapped = Buffer.concat([cipher.update(key), cipher.final()]);
    return { Plaintext: key, CiphertextBlob: Buffer.concat([iv, cipher.getAuthTag(), wrapped]) };
  }

  function unwrap(input: Input, context: Buffer) {
    const blob = Buffer.from(input.CiphertextBlob ?? []);
    try {
      const decipher = createDecipheriv('aes-256-gcm', master, blob.subarray(0, 12)).setAAD(context);
      decipher.setAuthTag(blob.subarray(12, 28));
      return { Plaintext: Buffer.concat([decipher.update(blob.subarray(28)), decipher.final()]) };
    } catch {
      throw Object.assign(new Error('invalid'), { name: 'InvalidCiphertextException' });
    }
  }

  return kms;
}
