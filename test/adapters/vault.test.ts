import { createHmac } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookup } from '../../functions/adapters/aws/lookup.ts';
import { type CipherSettings, envelope } from '../../functions/adapters/aws/vault.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { fakeDataKeys } from '../support/fake-data-keys.ts';
import { random } from '../support/settlement-world.ts';

const PEPPER = 'a pepper of thirty-two characters';

function open() {
  const kms = fakeDataKeys();
  const time = { now: 1_000 };
  const settings: CipherSettings = {
    load: async () => kms as unknown as KMSClient,
    dataKeyId: 'alias/data',
    purpose: { purpose: 'client' },
    random,
    clock: { now: () => time.now, minuteMs: 60_000 },
  };
  return { kms, time, settings, vault: envelope(settings) };
}

describe('a ciphertext', () => {
  it('opens to the text under its context, in this process or another', async () => {
    const { vault: own, settings } = open();
    const other = envelope(settings);

    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (text, context) => {
        const ciphertext = await own.encrypt(text, context);
        expect(await own.decrypt(ciphertext, context)).toBe(text);
        expect(await other.decrypt(ciphertext, context)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('shows nothing of the text, and differs each time', async () => {
    const { vault: own } = open();
    const [one, two] = [await own.encrypt('11144477735', 'kyc#1'), await own.encrypt('11144477735', 'kyc#1')];

    expect(one).toMatch(/^v1\.[\w+/=]+\.[\w+/=]{16}\.[\w+/=]+$/);
    expect(one).not.toContain('11144477735');
    expect(one).not.toBe(two);
  });

  it('does not open under another context', async () => {
    const { vault: own } = open();
    const ciphertext = await own.encrypt('secret', 'client#1');

    await expect(own.decrypt(ciphertext, 'client#2')).rejects.toThrow('changed or belongs elsewhere');
  });

  it('does not open after a change of any character', async () => {
    const { vault: own } = open();
    const ciphertext = await own.encrypt('a secret of some length', 'client#1');

    for (let at = 0; at < ciphertext.length; at++) {
      const other = ciphertext[at] === 'A' ? 'B' : 'A';
      const changed = ciphertext.slice(0, at) + other + ciphertext.slice(at + 1);
      if (isSameBytes(changed, ciphertext)) continue;
      await expect(own.decrypt(changed, 'client#1')).rejects.toThrow(Error);
    }
  });

  it('does not open if it is cut, lengthened or of another form', async () => {
    const { vault: own } = open();
    const ciphertext = await own.encrypt('secret', 'c');
    const [version, key, iv, sealed] = ciphertext.split('.');

    for (const odd of [
      '',
      'v1',
      'secret',
      `v2.${key}.${iv}.${sealed}`,
      `${ciphertext}.x`,
      `${version}.${key}.${iv}.`,
      `${version}.${key}.${iv}.AAAA`,
      `${version}.${key}.AAAA.${sealed}`,
      `${version}.${key}.${iv}.${sealed?.slice(0, -8)}`,
    ]) {
      await expect(own.decrypt(odd, 'c')).rejects.toThrow('changed or belongs elsewhere');
    }
  });
});

describe('a data key', () => {
  it('is requested from KMS for this purpose, and is used for five minutes', async () => {
    const { vault: own, kms, time } = open();
    await Promise.all([own.encrypt('a', 'c'), own.encrypt('b', 'c')]);
    time.now += 5 * 60_000 - 1;
    await own.encrypt('c', 'c');
    expect(kms.sent).toHaveLength(1);

    time.now += 1;
    await own.encrypt('d', 'c');

    expect(kms.sent).toHaveLength(2);
    expect(kms.sent[0]).toEqual({
      name: 'GenerateDataKeyCommand',
      input: { KeyId: 'alias/data', KeySpec: 'AES_256', EncryptionContext: { purpose: 'client' } },
    });
  });

  it('is used for a thousand texts at most', async () => {
    const { vault: own, kms } = open();

    for (let text = 0; text < 1_001; text++) await own.encrypt('x', 'c');

    expect(kms.sent).toHaveLength(2);
  });

  it('is unwrapped once for all ciphertexts that it opens', async () => {
    const { vault: own, kms } = open();
    const ciphertexts = await Promise.all(['a', 'b', 'c'].map((text) => own.encrypt(text, 'c')));

    await Promise.all(ciphertexts.map((each) => own.decrypt(each, 'c')));

    const unwrapped = kms.sent.filter(({ name }) => name === 'DecryptCommand');
    expect(unwrapped).toEqual([
      {
        name: 'DecryptCommand',
        input: expect.objectContaining({ EncryptionContext: { purpose: 'client' } }),
      },
    ]);
  });

  it('is forgotten after too many others were unwrapped', async () => {
    const { vault: own, kms, time } = open();
    const ciphertexts = [];
    for (let day = 0; day < 201; day++) {
      ciphertexts.push(await own.encrypt('x', 'c'));
      time.now += 24 * 3_600_000;
    }
    for (const each of ciphertexts) await own.decrypt(each, 'c');
    const before = kms.sent.length;

    await own.decrypt(ciphertexts[200] ?? '', 'c');
    await own.decrypt(ciphertexts[0] ?? '', 'c');

    expect(kms.sent.length - before).toBe(1);
  });
});

describe('an outage of KMS', () => {
  it('is not a data key that KMS refuses for its form', async () => {
    const { vault: own, kms, settings } = open();
    const ciphertext = await own.encrypt('x', 'c');
    kms.send = async () =>
      Promise.reject(Object.assign(new Error('too long'), { name: 'ValidationException' }));

    await expect(envelope(settings).decrypt(ciphertext, 'c')).rejects.toThrow('changed or belongs elsewhere');
  });

  it('is unavailable, and answers again afterwards', async () => {
    const { vault: own, kms } = open();
    kms.failures = 1;
    await expect(own.encrypt('x', 'c')).rejects.toThrow(Unavailable);
    const ciphertext = await own.encrypt('x', 'c');

    kms.failures = 1;
    await expect(own.decrypt(ciphertext, 'c')).rejects.toThrow(Unavailable);
    expect(await own.decrypt(ciphertext, 'c')).toBe('x');
  });
});

describe('a fingerprint', () => {
  it('is the keyed hash of the value', async () => {
    const own = lookup(async () => PEPPER);
    const expected = createHmac('sha256', PEPPER).update('11144477735').digest('hex');

    expect(await own.fingerprint('11144477735')).toBe(expected);
    expect(await own.fingerprint('11144477736')).not.toBe(expected);
  });

  it('is not made with a secret that can be guessed', async () => {
    const own = lookup(async () => '');

    await expect(own.fingerprint('x')).rejects.toThrow('too short');
  });
});

/** Compares the bytes, and not the base64 texts: the last character's unused bits may differ. */
function isSameBytes(one: string, other: string): boolean {
  const bytes = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64').toString('hex'));
  const isSameVersion = one.split('.')[0] === other.split('.')[0];
  return isSameVersion && JSON.stringify(bytes(one)) === JSON.stringify(bytes(other));
}
