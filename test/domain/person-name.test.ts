import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOfPerson, nameKey, namesAgree } from '../../functions/domain/kyc/person-name.ts';

describe('nameKey', () => {
  it.each([
    ['MORVAINE, Tércio Alba', 'Tercio Alba Morvaine', 'order and diacritics'],
    ['José da Silva e Souza', 'JOSE SILVA SOUZA', 'particles'],
    ['João dos Santos de Sá do Ó', 'joao santos sa o', 'particles, all of them'],
    ["NU'MAN D’Ávila", 'numan davila', 'apostrophes within a word'],
    ['AL-ZAYN, Omar', 'Omar Al Zayn', 'hyphens'],
    ['SØREN Łukasz ĐUKIĆ Weiß', 'soren lukasz dukic weiss', 'letters that do not decompose'],
    ['\u0041\u030A\u006E\u0067', '\u00C5ng', 'composed and decomposed forms'],
    ['Jin Tiesan (金铁三)', 'JIN TIESAN', 'a gloss in the original script'],
    ['Ana Ana Lima', 'Lima Ana', 'a repeated word'],
    ['  Ana\tLima\u0000 ', 'Ana Lima', 'space and control characters'],
  ])('reads %j and %j as one name: %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
    expect(nameKey(one)).not.toBe('');
  });

  it.each([
    ['Ana Lima', 'Ana Limas'],
    ['Ana Lima', 'Ana'],
    ['Maria Ana', 'Mariana'],
    ['Ana Lima', 'Ana Lima Lopes'],
  ])('distinguishes %j from %j', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  it.each(['', '   ', 'de', 'E DA', '--', '\u0301'])('finds nothing to compare in %j', (text) => {
    expect(nameKey(text)).toBe('');
  });

  it('keeps a name that exists only in another script', () => {
    expect(nameKey('Иван Петров')).toBe(nameKey('ПЕТРОВ, Иван'));
    expect(nameKey('金铁三')).not.toBe('');
  });

  it('does not depend on the order of the words', () => {
    const word = fc.stringMatching(/^[A-Za-zÀ-ÿ]{1,8}$/);
    const shuffled = fc
      .array(word, { minLength: 1, maxLength: 6 })
      .chain((words) =>
        fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })),
      );
    fc.assert(
      fc.property(shuffled, ([words, others]) => nameKey(words.join(' ')) === nameKey(others.join(', '))),
    );
  });

  it('gives its own result again for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => nameKey(nameKey(text)) === nameKey(text)),
      { numRuns: 2000 },
    );
  });

  it('gives its own result again for each character, alone and within a word', () => {
    const unstable: string[] = [];
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      // Unicode gives these no case and no decomposition: unassigned, private, and halves of surrogate pairs. A
      // hundredth of them is tried all the same.
      if (/[\p{Cn}\p{Co}]/u.test(character) && code % 100 !== 0) continue;
      if (/\p{Cs}/u.test(character)) continue;
      const texts = [character, `A${character}B`];
      unstable.push(...texts.filter((text) => nameKey(nameKey(text)) !== nameKey(text)));
    }
    expect(unstable).toEqual([]);
  });

  it('ignores the case of a Latin name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zà-öø-þ ]{0,30}$/), (text) => {
        return nameKey(text) === nameKey(text.toUpperCase());
      }),
    );
  });
});

describe('namesAgree', () => {
  it.each([
    ['CLARA APARECIDA DE SOUZA', 'Clara Aparecida de Souza', 'case'],
    ['JOSE GONCALVES DOS SANTOS', 'José Gonçalves Santos', 'diacritics and particles'],
    ['MARIA APARECIDA DE SOUZA LIMA', 'Maria Lima', 'missing middle names'],
    ['MARIA LIMA', 'Maria de Souza Lima', 'missing middle names, of the registry'],
    ['SOUZA, Clara', 'Clara Souza', 'order'],
    ["NUNO D'AVILA", 'Nuno D’Ávila', 'apostrophes'],
    ['PELE', 'Pelé', 'a name of one word'],
  ])('takes %j and %j for one person: %s', (one, other) => {
    expect(namesAgree(one, other, 2)).toBe(true);
    expect(namesAgree(other, one, 2)).toBe(true);
  });

  it.each([
    ['Maria Souza', 'Marina Souza', 'another given name'],
    ['Maria Souza', 'Maria Lima', 'another family name'],
    ['Maria Aparecida Souza', 'Maria Cristina Souza', 'another middle name'],
    ['Maria Aparecida', 'Maria Aparecida Souza', 'a missing family name'],
    ['Aparecida Souza', 'Maria Aparecida Souza', 'a missing given name'],
    ['João Souza', 'João Souza Filho', 'a son'],
    ['Maria', 'Maria Souza', 'one word only'],
    ['Ana Bia Caio Dias', 'Ana Caio Bia Eva Dias', 'middle names in another order, and more'],
    ['', '', 'nothing'],
    ['de', 'da', 'particles only'],
    ['', 'Maria Souza', 'a missing name'],
  ])('does not take %j for %j: %s', (one, other) => {
    expect(namesAgree(one, other, 2)).toBe(false);
    expect(namesAgree(other, one, 2)).toBe(false);
  });

  it.each([
    ['Maria Aparecida de Souza Lima', 'Maria Lima', 2],
    ['Maria Souza Lima', 'Maria Lima', 1],
    ['José Carlos Pereira da Silva', 'José Silva', 2],
    ['Lima, Maria', 'Maria Lima', 0],
  ])('accepts %j for %j only if %i words may be missing', (one, other, missing) => {
    expect(namesAgree(one, other, missing)).toBe(true);
    expect(namesAgree(one, other, missing - 1)).toBe(missing === 0);
  });

  it('gives the same result in both directions, and never throws', () => {
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[abc ]{0,12}$/));
    fc.assert(
      fc.property(name, name, (one, other) => namesAgree(one, other, 2) === namesAgree(other, one, 2)),
      { numRuns: 2000 },
    );
  });
});

describe('isSamePerson', () => {
  const entry = { cpf: '52998224725', name: 'MARIA APARECIDA DE SOUZA LIMA', birthDate: '1980-01-01' };
  const { cpf, birthDate } = entry;

  it.each([
    ['the same of everything', { name: entry.name, birthDate, cpf }],
    ['no number', { name: entry.name, birthDate }],
    ['no number, and one middle name less', { name: 'Maria Aparecida Lima', birthDate }],
    ['the number, and few names', { name: 'Maria Lima', birthDate, cpf }],
  ])('accepts a document with %s', (_, holder) => {
    expect(isOfPerson(holder, entry)).toBe(true);
  });

  it.each([
    ['another number', { name: entry.name, birthDate, cpf: '11144477735' }],
    ['another birth date', { name: entry.name, birthDate: '1980-01-02', cpf }],
    ['another name', { name: 'Marina Aparecida de Souza Lima', birthDate, cpf }],
    ['no number, and few names', { name: 'Maria Lima', birthDate }],
  ])('refuses a document with %s', (_, holder) => {
    expect(isOfPerson(holder, entry)).toBe(false);
  });
});
