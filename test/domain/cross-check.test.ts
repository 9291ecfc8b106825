import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COLLECTED,
  type CrossCheck,
  comparableOf,
  compared,
  differencesIn,
  type PersonData,
  type Verdict,
} from '../../functions/domain/kyc/cross-check.ts';
import { namesAgree } from '../../functions/domain/kyc/person-name.ts';

const between = (given: PersonData, there: PersonData) => compared(comparableOf(given), comparableOf(there));
const FULL: PersonData = {
  name: 'Clara Aparecida Ninguém',
  birthDate: '1990-05-17',
  documentNumbers: ['12.345.678-9'],
};

// docs/decisions.md, "Data that the partner collected"
describe('what the partner collected', () => {
  // Spec, What the service does: "both data sets are cross-checked"
  it('agrees with itself in every datum', () => {
    expect(between(FULL, FULL)).toEqual({ name: 'SAME', birthDate: 'SAME', documentNumber: 'SAME' });
  });

  it.each([
    ['CLARA APARECIDA NINGUEM', 'SAME', 'capitals without accents'],
    ['Ninguém, Clara Aparecida', 'SAME', 'the order of a register'],
    ['Clara da Aparecida Ninguém', 'SAME', 'a particle more'],
    ['Clara Ninguém', 'SAME', 'a middle name less'],
    ['Clara Maria Aparecida Souza Ninguém', 'SAME', 'middle names more'],
    ['Clara Aparecida', 'OTHER', 'the last name less'],
    ['Aparecida Ninguém', 'OTHER', 'the first name less'],
    ['Clara', 'OTHER', 'one word'],
    ['Clara Aparecida Ninguen', 'OTHER', 'another letter'],
    ['Clara Beatriz Ninguém', 'OTHER', 'another middle name'],
  ])('compares its name with %j: %s, %s', (name, verdict) => {
    expect(between(FULL, { ...FULL, name })).toMatchObject({ name: verdict, birthDate: 'SAME' });
  });

  it.each([
    ['1990-05-17', 'SAME'],
    ['1990-05-18', 'OTHER'],
    ['1990-17-05', 'OTHER'],
  ])('compares its birth date with %s: %s', (birthDate, verdict) => {
    expect(between(FULL, { ...FULL, birthDate })).toMatchObject({ birthDate: verdict, name: 'SAME' });
  });

  it.each<[string[], Verdict]>([
    [['123456789'], 'SAME'],
    [['0012345678-9'], 'SAME'],
    [[' 12 345 678/9 '], 'SAME'],
    [['987654321', '12345678 9'], 'SAME'],
    [['1234567890'], 'OTHER'],
    [['12345678X'], 'OTHER'],
    [['987654321', '55'], 'OTHER'],
    [[], 'UNKNOWN'],
    [['---', '000'], 'UNKNOWN'],
  ])('compares its document number with %j: %s', (documentNumbers, verdict) => {
    expect(between(FULL, { ...FULL, documentNumbers })).toMatchObject({ documentNumber: verdict });
  });

  it.each([
    ['12.345.678-x', '12345678X'],
    ['ab 123', 'AB123'],
    ['ＡＢ１２３', 'AB123'],
  ])('reads the document numbers %j and %j as one', (one, other) => {
    expect(between({ documentNumbers: [one] }, { documentNumbers: [other] })).toEqual({
      documentNumber: 'SAME',
    });
  });

  it('is compared only in the data that the partner gave', () => {
    for (const datum of ['name', 'birthDate', 'documentNumbers'] as const)
      expect(Object.keys(between({ [datum]: FULL[datum] }, FULL))).toHaveLength(1);
    expect(between({}, FULL)).toEqual({});
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: 'de' }],
    ['birthDate', { birthDate: undefined }],
    ['documentNumber', { documentNumbers: undefined }],
  ] as const)('is UNKNOWN in its %s if the source lacks it: %j', (datum, lacking) => {
    expect(between(FULL, { ...FULL, ...lacking })[datum]).toBe('UNKNOWN');
  });

  const word = fc.stringMatching(/^[A-Za-zÀ-ÿ]{1,6}$/);
  const name = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  const person = fc.record(
    {
      name,
      birthDate: fc.constantFrom('1990-05-17', '1990-05-18'),
      documentNumbers: fc.array(fc.stringMatching(/^[0-3 .X-]{0,3}$/), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );

  it('agrees in its name whenever the screening of documents says so', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const verdict = between({ name: one }, { name: other }).name;
        const isSame = namesAgree(one, other, Number.POSITIVE_INFINITY);
        expect(verdict === 'SAME').toBe(isSame);
      }),
    );
  });

  it('is judged by keyed hashes exactly as by the data themselves', () => {
    const keyed = (texts: ReturnType<typeof comparableOf>) =>
      Object.fromEntries(Object.entries(texts).map(([datum, all]) => [datum, all.map((text) => `#${text}`)]));
    fc.assert(
      fc.property(person, person, (given, there) => {
        const [one, other] = [comparableOf(given), comparableOf(there)];
        expect(compared(keyed(one), keyed(other))).toEqual(compared(one, other));
      }),
    );
  });
});

describe('differencesIn', () => {
  const verdict = fc.constantFrom<Verdict>('SAME', 'OTHER', 'UNKNOWN');
  const verdicts = fc.record(
    { name: verdict, birthDate: verdict, documentNumber: verdict },
    { requiredKeys: [] },
  );
  const crossCheck: fc.Arbitrary<CrossCheck> = fc.record(
    { registry: verdicts, document: verdicts },
    { requiredKeys: [] },
  );

  it('names each OTHER once, and those of a document only after its approval', () => {
    fc.assert(
      fc.property(crossCheck, fc.boolean(), (given, isApproved) => {
        const others = (source: keyof CrossCheck) =>
          COLLECTED.filter((datum) => given[source]?.[datum] === 'OTHER').length;
        expect(differencesIn(given, isApproved)).toHaveLength(
          others('registry') + (isApproved ? others('document') : 0),
        );
      }),
    );
  });

  it('says which datum of which source differs', () => {
    const given: CrossCheck = { registry: { name: 'OTHER' }, document: { documentNumber: 'OTHER' } };

    expect(differencesIn(given, true)).toEqual([
      'name of the CPF registry',
      'documentNumber of the document',
    ]);
    expect(differencesIn(undefined, true)).toEqual([]);
  });
});
