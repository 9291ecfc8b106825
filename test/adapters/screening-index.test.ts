import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildIndex } from '../../functions/adapters/screening/build-index.ts';
import { entryVersionOf } from '../../functions/adapters/screening/entry-version.ts';
import { pack } from '../../functions/adapters/screening/layout.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import type { Identity } from '../../functions/domain/screening/screening.ts';
import { entry, found, META, TODAY } from './screening-fixtures.ts';

const CPF = '11144477735';
const SYLLABLES = 'ka ro mi tav el do za fir qua be shu nim go as ci de lu pra to we ya ki ob ha le'.split(
  ' ',
);
const ENTRIES = [
  entry({ id: '11', name: 'MORVAINE, Tércio Alba', weak: 'O LOBO', born: '1966-09-08' }),
  entry({ id: '12', list: 'UN_SC', name: 'Иван Выдуманный' }),
  entry({ id: '13', list: 'BR_CEIS', documents: ['11144477735'] }),
  entry({ id: '14', list: 'BR_CNEP', documents: ['12ABC34501DE35', '11144477735'] }),
  entry({ id: 'linha 2 é', list: 'BR_PEP', name: 'Otávia de Brandt', maskedCpf: '000002' }),
];
const BYTES = buildIndex(ENTRIES, META);
const ANYONE = { cpf: '11144477735', name: 'Tercio Alba Morvaine', birthDate: '1966-09-08' };

describe('an index', () => {
  it('names its sources', () => {
    const { meta, digest } = openIndex(BYTES);

    expect(meta).toEqual(META);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same, byte for byte, for the same entries', () => {
    expect(Buffer.from(buildIndex(ENTRIES, META)).equals(BYTES)).toBe(true);
  });

  it('gives the same answers from any position of its bytes', () => {
    const answers = [0, 1, 3, 4, 8].map((offset) => {
      const larger = new Uint8Array(BYTES.length + 16);
      larger.set(BYTES, offset);
      return openIndex(larger.subarray(offset, offset + BYTES.length)).search(ANYONE, TODAY);
    });

    expect(answers[0]?.map(({ entryId }) => entryId).sort()).toEqual(['11', '13', '14']);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('does not change its bytes', () => {
    const before = Uint8Array.from(BYTES);
    openIndex(BYTES).search(ANYONE, TODAY);

    expect(Buffer.from(BYTES).equals(before)).toBe(true);
  });

  it('is refused without an array that the search reads, as an index of an earlier version is', () => {
    const earlier = pack({ wordOffsets: 'u32' }, { wordOffsets: [0] }, META);

    expect(() => openIndex(earlier)).toThrow('the screening index has no wordLetters');
  });

  it('finds nobody if it has no entries', () => {
    expect(found([], ANYONE)).toEqual([]);
  });

  it('finds every one of its entries by its own name and birth date', () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/);
    const person = fc.record({
      words: fc.uniqueArray(word, { minLength: 2, maxLength: 5 }),
      year: fc.integer({ min: 1930, max: 2005 }),
    });
    fc.assert(
      fc.property(fc.array(person, { minLength: 1, maxLength: 20 }), (people) => {
        const born = ({ year }: { year: number }) => `${year}-04-17`;
        const entries = people.map((each, id) =>
          entry({ id: String(id), name: each.words.join(' '), born: born(each) }),
        );
        const searcher = openIndex(buildIndex(entries, META));
        for (const [id, each] of people.entries()) {
          const identity = { cpf: '', name: each.words.join(' '), birthDate: born(each) };
          const ids = searcher.search(identity, TODAY).map(({ entryId }) => entryId);
          // A name of particles only may match nobody.
          if (each.words.some((text) => text.length > 5)) expect(ids).toContain(String(id));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('an index of full lists', () => {
  /** One of 15,000 words of three syllables, the same for the same number. */
  const words = (seed: number, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const number = (seed * 7919 + at * 104_729) % 15_000;
      const syllable = (power: number) => SYLLABLES[Math.floor(number / 25 ** power) % 25];
      return [0, 1, 2].map(syllable).join('');
    }).join(' ');
  const many = (count: number, make: (at: number) => ReturnType<typeof entry>) =>
    Array.from({ length: count }, (_, at) => make(at));
  const digits = (at: number, count: number) => String((at * 7919) % 10 ** count).padStart(count, '0');

  it('has at most ten million bytes', () => {
    const names = (at: number) => [0, 1].map((n) => ({ text: words(2 * at + n, 3), isWeak: n === 1 }));
    const lists = [
      ...many(8000, (at) => ({ ...entry({ id: `${at}`, born: '1966-09-08' }), names: names(at) })),
      ...many(24_000, (at) => entry({ id: `${300_000 + at}`, list: 'BR_CEIS', documents: [digits(at, 11)] })),
      ...many(65_500, (at) =>
        entry({ id: digits(at, 12), list: 'BR_PEP', name: words(at, 4), maskedCpf: digits(at, 6) }),
      ),
    ];

    const bytes = buildIndex(lists, META);

    expect(bytes.length).toBeLessThan(10_000_000);
    const identity = { cpf: '99999999999', name: words(2 * 5000, 3), birthDate: '1966-09-08' };
    expect(openIndex(bytes).search(identity, TODAY)[0]).toMatchObject({ entryId: '5000' });
  });
});

describe('a buffer that is not an index', () => {
  it.each([
    ['is empty', new Uint8Array()],
    ['is something else', Buffer.from('{"not": "an index"}'.repeat(10))],
    ['is of another format', Uint8Array.from(BYTES).fill(0x30, 7, 8)],
  ])('is refused if it %s', (_why, bytes) => {
    expect(() => openIndex(new Uint8Array(bytes))).toThrow('not a screening index');
  });

  it.each(Array.from({ length: 9 }, (_, tenth) => tenth + 1))('is refused if cut at %d tenths', (tenths) => {
    expect(() => openIndex(BYTES.slice(0, Math.floor((BYTES.length * tenths) / 10)))).toThrow();
  });

  it.each(Array.from({ length: 10 }, (_, tenth) => tenth))(
    'is refused if one bit changes at %d tenths',
    (tenths) => {
      const damaged = Uint8Array.from(BYTES);
      damaged[Math.floor((BYTES.length * tenths) / 10)]! ^= 4;

      expect(() => openIndex(damaged)).toThrow(/damaged|not a screening index/);
    },
  );

  it('is refused if something follows', () => {
    expect(() => openIndex(Buffer.concat([BYTES, Buffer.from([0])]))).toThrow('damaged');
  });
});

describe('a candidate', () => {
  const entries = [
    entry({ id: '11', name: 'MORVAINE, Tércio Alba', weak: 'O LOBO', born: '1966-09-08', documents: [CPF] }),
    entry({ id: '12', list: 'OFAC_CONS', name: 'OCULTO, Rui', born: '1950-01-01' }),
    entry({ id: '13', list: 'BR_CEIS', documents: [CPF] }),
    entry({ id: '14', list: 'BR_PEP', name: 'Otávia de Brandt', maskedCpf: '000002' }),
  ];
  const listedOf = (identity: Partial<Identity>) =>
    found(entries, identity).map(({ entryId, listed, explanation }) => [entryId, listed, explanation]);

  it.each([
    [
      'the name that came closest',
      { name: 'Tercio Morvaine', birthDate: '1966-09-08' },
      'morvaine tercio alba',
    ],
    ['a weak alias, where that came closest', { name: 'Lobo', birthDate: '1966-09-08' }, 'o lobo'],
    ['the name of a list beside the first', { name: 'Ruy Oculto', birthDate: '1950-01-01' }, 'oculto rui'],
    ['the name beside the masked CPF', { name: 'Otavya Brandt', cpf: '12300000299' }, 'otavia brandt'],
  ])('gives %s, in the spelling of the index', (_what, identity, listed) => {
    expect(listedOf(identity)[0]?.[1]).toBe(listed);
  });

  it('gives the entry’s first name if a document was found, or none if the index has none', () => {
    expect(listedOf({ cpf: CPF })).toEqual([
      ['11', 'morvaine tercio alba', 'CPF equal'],
      ['13', undefined, 'CPF equal'],
    ]);
  });

  // docs/compliance.md, "The lists"
  it('gives the version of the entry', () => {
    const candidates = found(entries, { cpf: CPF, name: 'Rui Oculto', birthDate: '1950-01-01' });

    expect(candidates).toHaveLength(3);
    for (const { entryId, entryVersion } of candidates) {
      expect(entryVersion).toBe(entryVersionOf(entries.find(({ id }) => id === entryId)!));
    }
  });

  it('belongs to its list', () => {
    expect(found(entries, { name: 'Rui Oculto', birthDate: '1950-01-01' })).toEqual([
      expect.objectContaining({ list: 'OFAC_CONS', entryId: '12', zone: 'HIT' }),
    ]);
  });
});

describe('an entry that ends', () => {
  const pep = (until?: string) =>
    entry({ list: 'BR_PEP', name: 'Otávia de Brandt', maskedCpf: '000002', until });
  const client = { cpf: '12300000299', name: 'Otavia Brandt' };

  it('is found through its last day', () => {
    expect(found([pep('2027-01-31')], client, '2027-01-31')).toHaveLength(1);
    expect(found([pep('2027-01-31')], client, '2027-02-01')).toEqual([]);
  });

  it('is found for ever if its end is unknown', () => {
    expect(found([pep()], client, '2099-01-01')).toHaveLength(1);
  });
});
