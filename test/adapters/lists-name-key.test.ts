import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameKey } from '../../functions/adapters/lists/name-key.ts';

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
  ])('tells %j from %j', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  it.each(['', '   ', 'de', 'E DA', '--', '\u0301'])('finds nothing to compare by in %j', (text) => {
    expect(nameKey(text)).toBe('');
  });

  it('keeps a name that exists in another script only', () => {
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

  it('is its own key, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => nameKey(nameKey(text)) === nameKey(text)),
      { numRuns: 2000 },
    );
  });

  it('ignores the case of a Latin name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zà-öø-þ ]{0,30}$/), (text) => {
        return nameKey(text) === nameKey(text.toUpperCase());
      }),
    );
  });
});
