import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rarityOf } from '../../functions/adapters/screening/rarity.ts';
import {
  codesOf,
  letterCost,
  soundOf,
  spellingCost,
  spellingKeys,
} from '../../functions/adapters/screening/spelling.ts';
import {
  MAX_LETTERS,
  MAX_WORDS,
  screenedWords,
  sortedWordsOf,
} from '../../functions/adapters/screening/words.ts';

const keysOf = (word: string) => spellingKeys(word, soundOf(word));
const share = (one: string, other: string) => [...keysOf(one)].some((key) => keysOf(other).has(key));
const cost = (one: string, other: string, limit = Infinity) => {
  const spelling = (word: string) => ({ letters: codesOf(word), sound: codesOf(soundOf(word)) });
  return spellingCost(spelling(one), spelling(other), limit);
};
const word = fc.stringMatching(/^[a-z]{1,14}$/);

describe('the words of a name', () => {
  it.each([
    ['José da Silva e Souza', 'jose silva souza'],
    ['AL-ZAHRANI, Abd al-Rahman bin Ali', 'zahrani abdul rahman ali'],
    ["NU'MAN D’Ávila", 'numan davila'],
    ['Jin Tiesan (金铁三)', 'jin tiesan'],
    ['Haji Shah', 'shah'],
    ['E. Chernetz', 'e chernetz'],
    ['El', 'el'],
    ['de da', 'de da'],
    ['', ''],
  ])('of %j are %j', (text, words) => {
    expect(screenedWords(text).join(' ')).toBe(words);
  });

  it('are few and short for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const words = sortedWordsOf(text);
        expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
        expect(words.every((each) => each.length > 0 && each.length <= MAX_LETTERS)).toBe(true);
      }),
    );
  });
});

describe('the sound of a word', () => {
  it.each([
    ['mohammed', 'muhamad'],
    ['mohd', 'muhammad'],
    ['zhukov', 'jukov'],
    ['sheikhov', 'cheikov'],
    ['qasim', 'kassim'],
    ['philip', 'felip'],
    ['souza', 'sousa'],
    ['luiz', 'luis'],
    ['thereza', 'tereza'],
    ['wagner', 'vagner'],
    ['alzahrani', 'elzahrani'],
  ])('of %s equals that of %s', (one, other) => {
    expect(soundOf(one)).toBe(soundOf(other));
  });

  it.each([
    ['maria', 'mauro'],
    ['silva', 'salva'],
    ['karim', 'kamir'],
  ])('of %s differs from that of %s', (one, other) => {
    expect(soundOf(one)).not.toBe(soundOf(other));
  });
});

describe('the keys of a word', () => {
  it('meet those of any word with one slip', () => {
    const slip = fc.tuple(
      fc.stringMatching(/^[a-z]{5,14}$/),
      fc.nat(13),
      fc.constantFrom('add', 'drop', 'change', 'swap'),
    );
    fc.assert(
      fc.property(slip, ([text, place, kind]) => {
        const at = place % (text.length - 1);
        const [before, letter, rest] = [text.slice(0, at), text[at]!, text.slice(at + 1)];
        const slipped = {
          add: `${before}q${letter}${rest}`,
          drop: before + rest,
          change: `${before}q${rest}`,
          swap: before + rest[0] + letter + rest.slice(1),
        }[kind];
        expect(share(text, slipped)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['muhammad', 'zoltan'],
    ['ali', 'ala'],
  ])('of %s do not meet those of %s', (one, other) => {
    expect(share(one, other)).toBe(false);
  });
});

describe('the cost of a spelling', () => {
  it('is zero for the same word, symmetric, and positive for another word', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(cost(one, one)).toBe(0);
        expect(cost(one, other)).toBeCloseTo(cost(other, one), 4);
        expect(cost(one, other) > 0).toBe(one !== other);
      }),
      { numRuns: 1000 },
    );
  });

  it('is exact up to its limit, and not smaller over it', () => {
    fc.assert(
      fc.property(word, word, fc.double({ min: 0, max: 6, noNaN: true }), (one, other, limit) => {
        const [a, b] = [codesOf(one), codesOf(other)];
        const truly = letterCost(a, b, Infinity);
        const limited = letterCost(a, b, limit);
        expect(limited === truly || (limited > limit && truly > limit)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['tatiana', 'tatianna', 'tatiara', 'a doubled letter, another letter'],
    ['sergei', 'sergey', 'sergel', 'a like vowel, a consonant'],
    ['souza', 'sousa', 'soura', 'like consonants, unlike ones'],
    ['thiago', 'tiago', 'hiago', 'an h, a t'],
    ['marcelo', 'macrelo', 'mascedo', 'letters swapped, letters changed'],
  ])('from %s to %s is less than to %s: %s', (from, near, far) => {
    expect(cost(from, near)).toBeLessThan(cost(from, far));
  });
});

describe('the rarity of a word', () => {
  const rarity = (text: string, listed?: number) => rarityOf(text, soundOf(text), listed);

  it('grows from the most common name of Brazil to an unknown one', () => {
    const rarities = ['silva', 'pereira', 'thiago', 'siqueira', 'tanaka', 'zoltanbekov'].map((each) =>
      rarity(each),
    );

    expect(rarities).toEqual([...rarities].sort((a, b) => a - b));
    expect(new Set(rarities).size).toBe(rarities.length);
  });

  it('is lower for a spelling that sounds like a common name, and for a name of many listed people', () => {
    expect(rarity('cylva')).toBeLessThan(rarity('zoltan'));
    expect(rarity('zoltan', 0.01)).toBeLessThan(rarity('zoltan'));
  });
});
