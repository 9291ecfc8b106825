import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpfDigits } from '../../functions/domain/kyc/cpf.ts';

/** The check digits by the definition of the tax authority, independent of the library. */
function withCheckDigits(nine: number[]): string {
  const check = (digits: number[]) => {
    const sum = digits.reduce((total, digit, i) => total + digit * (digits.length + 1 - i), 0);
    return ((sum * 10) % 11) % 10;
  };
  const first = check(nine);
  return [...nine, first, check([...nine, first])].join('');
}

const punctuated = (digits: string) => digits.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
const cpfs = fc
  .array(fc.nat(9), { minLength: 9, maxLength: 9 })
  .filter((digits) => new Set(digits).size > 1)
  .map(withCheckDigits);

describe('cpfDigits', () => {
  // Spec, Submit KYC data: "punctuated (NNN.NNN.NNN-NN) or 11 plain digits"
  it.each([
    '11144477735',
    '90000000175',
    '90000000256',
    '90000000337',
    '90000000418',
    '90000000507',
    '90000000680',
    '90000000760',
    '90000000841',
    '90000000922',
    '90000001066',
  ])('reads the scenario %s in both forms', (digits) => {
    expect(cpfDigits(digits)).toBe(digits);
    expect(cpfDigits(punctuated(digits))).toBe(digits);
  });

  it('reads every CPF with right check digits, and no other with the same first nine', () => {
    fc.assert(
      fc.property(cpfs, (cpf) => {
        expect([cpfDigits(cpf), cpfDigits(punctuated(cpf))]).toEqual([cpf, cpf]);
        const endings = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));
        const valid = endings.filter((ending) => cpfDigits(`${cpf.slice(0, 9)}${ending}`));
        expect(valid).toEqual([cpf.slice(9)]);
      }),
      { numRuns: 200 },
    );
  });

  it.each(Array.from({ length: 10 }, (_, digit) => String(digit).repeat(11)))(
    'refuses the CPF %s',
    (text) => {
      expect(cpfDigits(text)).toBeUndefined();
      expect(cpfDigits(punctuated(text))).toBeUndefined();
    },
  );

  it.each([
    '',
    '1114447773',
    '111444777350',
    '11144477736',
    '111.444.777-36',
    '111.444.77735',
    '111444777-35',
    '111.444.777.35',
    '111-444-777-35',
    '111,444,777-35',
    '111 444 777 35',
    ' 11144477735',
    '11144477735 ',
    '11144477735\n',
    '\n11144477735',
    '11144477735\u0000',
    '1114447773\u00005',
    '11144477735\u200b',
    '１１１４４４７７７３５',
    '١١١٤٤٤٧٧٧٣٥',
    '१११४४४७७७३५',
    '111.444.777‐35',
    '1114447773a',
    '-1144477735',
    '1.1144e10',
    '11.222.333/0001-81',
  ])('refuses the text %j', (text) => {
    expect(cpfDigits(text)).toBeUndefined();
  });

  it('gives 11 ASCII digits or nothing, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => /^\d{11}$/.test(cpfDigits(text) ?? '00000000000')),
    );
  });
});
