import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { biometricHash } from '../../client/biometric-hash.ts';

it('is SHA-256 in lower case, with its prefix', async () => {
  const anyPicture = fc.uint8Array({ minLength: 1, maxLength: 200 });

  await fc.assert(
    fc.asyncProperty(anyPicture, async (picture) => {
      const hash = `sha256:${createHash('sha256').update(picture).digest('hex')}`;
      expect(await biometricHash(picture)).toBe(hash);
      expect(await biometricHash(Uint8Array.from(picture).buffer)).toBe(hash);
    }),
  );
});

it('takes only the bytes of a view, as a Buffer has them', async () => {
  const whole = Uint8Array.from([1, 2, 3, 4]);

  expect(await biometricHash(whole.subarray(1, 3))).toBe(await biometricHash(Uint8Array.from([2, 3])));
});

it('refuses no bytes, which would be one hash for every client', async () => {
  await expect(biometricHash(new Uint8Array())).rejects.toThrow(TypeError);
});
