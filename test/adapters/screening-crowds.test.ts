// Everyone here is invented.
import { describe, expect, it } from 'vitest';
import { CROWDS, crowdsOf } from '../../functions/adapters/screening/crowds.ts';
import { soundOf } from '../../functions/adapters/screening/spelling.ts';
import { zoneOf } from '../../functions/domain/screening/screening.ts';
import { entry, found, scoreOf } from './screening-fixtures.ts';

describe('the crowds of a word', () => {
  const words = ['velamir', 'velamira', 'velanir', 'quorstan'];
  const crowds = crowdsOf({ words, sounds: words.map(soundOf), shares: [0.01, 0.02, 0.03, 0] });
  const sharesOf = (at: number) =>
    [...crowds.subarray(at * CROWDS, (at + 1) * CROWDS)].map((each) => Math.exp(-each));

  it('begin with its own share, and grow to the shares of all words that a search compares with it', () => {
    const shares = sharesOf(0);

    expect(shares[0]).toBeCloseTo(0.01);
    expect(shares.at(-1)).toBeCloseTo(0.06);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it('are never empty', () => {
    expect(sharesOf(3)).toEqual(Array.from({ length: CROWDS }, () => expect.closeTo(0.0001, 6)));
  });
});

const BORN = '1961-03-09';
const NAME = 'Velamir Dorzan';
/** Hundreds of listed people with other birth dates bear one of the two words. */
const crowd = Array.from({ length: 600 }, (_, at) =>
  entry({
    id: `${at}`,
    name: `${at % 2 ? 'Velamir' : 'Dorzan'} Quor${'abcdefghij'[at % 10]}stan`,
    born: '1920-01-02',
  }),
);
type Births = { from: string; to: string }[];
const best = (query: string, birthDate: string, births = [{ from: BORN, to: BORN }]) =>
  found([...crowd, entry({ id: 'x', name: NAME, births })], { name: query, birthDate }).find(
    ({ entryId }) => entryId === 'x',
  );

// docs/compliance.md, "Effect of a hit"
describe('a listed name of words that many listed people have', () => {
  it('says less than a rare name, and the explanation says so', () => {
    const rare = scoreOf(NAME, 'Velamir Dorsan');
    const frequent = best('Velamir Dorsan', '', []);

    expect(zoneOf(rare)).toBe('HIT');
    expect(frequent?.zone).not.toBe('HIT');
    expect(frequent?.explanation).toBe(
      'name alike (1 word equal, 1 word spelt differently), of words frequent on the lists, birth date unknown',
    );
  });

  it.each(['Velamir Dorzan', 'Velamir Dorsan', 'Dorzan Velamir', 'Velanir Dorzan'])(
    'is a hit with its birth date: %s',
    (query) => {
      expect(best(query, BORN)?.zone).toBe('HIT');
    },
  );
});

describe('a part of a listed name of frequent words', () => {
  const SAME_DAY = [{ from: BORN, to: BORN }];
  const zoneIn = (listed: typeof crowd, name: string, births: Births) =>
    found([...listed, entry({ id: 'x', name: `${NAME} Quimbrel`, births })], { name, birthDate: BORN }).find(
      ({ entryId }) => entryId === 'x',
    )?.zone;

  it('is a hit only with the very birth date if it is spelt differently', () => {
    const few = crowd.slice(0, 40);

    expect(zoneIn(few, 'Velamir Dorsan', SAME_DAY)).toBe('HIT');
    expect(zoneIn(few, 'Velamir Dorsan', [{ from: '1961-01-01', to: '1961-12-31' }])).toBe('REVIEW');
  });

  it('is reviewed with the very birth date and another word, however frequent the words are', () => {
    expect(zoneIn(crowd, 'Velamir Dorzan Taskovar', SAME_DAY)).toBe('REVIEW');
  });
});

describe('a birth date that contradicts the listed one', () => {
  it('leaves an equal name to a reviewer, and clears a similar one', () => {
    const [listed, day] = ['Vladislav Karimovich Zoltanbekov', '1985-07-22'];

    expect(zoneOf(scoreOf(listed, listed, BORN, day))).toBe('REVIEW');
    expect(zoneOf(scoreOf(listed, 'Vladislav Karimovich Zoltanbekof', BORN, day))).toBe('NOTED');
    expect(zoneOf(scoreOf(listed, 'Vladislav Karimovich Zoltanbekof', BORN, BORN))).toBe('HIT');
  });
});
