import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import fc from 'fast-check';
import { generateSync } from 'otplib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freshCpf, totpCode } from '../../client/sandbox-tools.ts';
import { totpStep } from '../../functions/logic/purchase/totp.ts';
import { scenarios } from '../../sandbox/providers/scenarios.ts';

const encoded = (bytes: Uint8Array) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{1,5}/g, (five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]!);
};
const secret = encoded(new TextEncoder().encode('12345678901234567890'));

describe('totpCode', () => {
  // RFC 6238, appendix B, for SHA-1. The table has eight digits, an app shows the last six.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at second %i is that of the standard', async (second, digits) => {
    expect(await totpCode(secret, second * 1000)).toBe(digits.slice(2));
  });

  it('is a code that the service accepts, for any secret and time', async () => {
    const anySecret = fc.uint8Array({ minLength: 16, maxLength: 40 }).map(encoded);

    await fc.assert(
      fc.asyncProperty(anySecret, fc.integer({ min: 0, max: 4e12 }), async (key, at) => {
        const code = await totpCode(key, at);
        expect(code).toBe(generateSync({ secret: key, epoch: Math.floor(at / 1000) }));
        expect(totpStep(code, key, at)).toBe(Math.floor(at / 30_000));
      }),
    );
  });

  it('takes the URI of an enrollment, and a secret in lower case or with padding', async () => {
    const forms = [`otpauth://totp/Partner:stablecoin?secret=${secret}&issuer=Partner`, secret.toLowerCase()];

    for (const form of [...forms, `${secret}====`]) expect(await totpCode(form, 59_000)).toBe('287082');
  });

  it('is that of now by default', async () => {
    const at = Date.now();

    expect([await totpCode(secret, at), await totpCode(secret, at + 30_000)]).toContain(
      await totpCode(secret),
    );
  });

  it.each(['', '!', 'SECRET1', 'A', 'otpauth://totp/x'])(
    'refuses the secret %j without repeating it',
    async (wrong) => {
      await expect(totpCode(wrong)).rejects.toThrow(
        new TypeError('totpCode needs a secret in base 32, or the otpauth URI of an enrollment'),
      );
    },
  );
});

describe('freshCpf', () => {
  afterEach(() => vi.restoreAllMocks());

  it('has the specified form and valid digits, and another value each time', () => {
    const cpfs = Array.from({ length: 500 }, freshCpf);

    for (const cpf of cpfs) expect(cpf).toMatch(/^\d{3}\.\d{3}\.\d{3}-\d{2}$/);
    expect(cpfs.filter((cpf) => !isValidCpf(cpf))).toEqual([]);
    expect(new Set(cpfs).size).toBeGreaterThan(490);
  });

  const paying = scenarios.flatMap(({ paidBy }) => paidBy ?? []);

  it.each([...scenarios.map(({ cpf }) => cpf), ...paying, '00000000000', '77777777777'])(
    'is never %s, which has a meaning',
    (taken) => {
      const dice = [Number(taken.slice(0, 9)), 529_982_247];
      vi.spyOn(crypto, 'getRandomValues').mockImplementation(<Values>(values: Values) => {
        (values as Uint32Array)[0] = dice.shift()!;
        return values;
      });

      expect(freshCpf()).toBe('529.982.247-25');
    },
  );
});
