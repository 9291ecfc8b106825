import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildIndex } from '../../functions/adapters/screening/build-index.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import { entry, found, META, TODAY } from './screening-fixtures.ts';

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
  it('says what it was made of', () => {
    const { meta, digest } = openIndex(BYTES);

    expect(meta).toEqual(META);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same, byte for byte, for the same entries', () => {
    expect(Buffer.from(buildIndex(ENTRIES, META)).equals(BYTES)).toBe(true);
  });

  it('answers the same from wherever its bytes lie', () => {
    const answers = [0, 1, 3, 4, 8].map((offset) => {
      const larger = new Uint8Array(BYTES.length + 16);
      larger.set(BYTES, offset);
      return openIndex(larger.subarray(offset, offset + BYTES.length)).search(ANYONE, TODAY);
    });

    expect(answers[0]?.map(({ entryId }) => entryId).sort()).toEqual(['11', '13', '14']);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('leaves its bytes as they are', () => {
    const before = Uint8Array.from(BYTES);
    openIndex(BYTES).search(ANYONE, TODAY);

    expect(Buffer.from(BYTES).equals(before)).toBe(true);
  });

  it('of no entries finds nobody', () => {
    expect(found([], ANYONE)).toEqual([]);
  });

  it('finds every entry that went in, by its own name and birth date', () => {
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
          // A name of particles only may stand for nobody.
          if (each.words.some((text) => text.length > 5)) expect(ids).toContain(String(id));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a buffer that is no index', () => {
  it.each([
    ['is empty', new Uint8Array()],
    ['is something else', Buffer.from('{"not": "an index"}'.repeat(10))],
    ['is of another format', Uint8Array.from(BYTES).fill(0x30, 7, 8)],
  ])('is refused when it %s', (_why, bytes) => {
    expect(() => openIndex(new Uint8Array(bytes))).toThrow('not a screening index');
  });

  it.each(Array.from({ length: 9 }, (_, tenth) => tenth + 1))(
    'is refused when cut at %d tenths',
    (tenths) => {
      expect(() => openIndex(BYTES.slice(0, Math.floor((BYTES.length * tenths) / 10)))).toThrow();
    },
  );

  it.each(Array.from({ length: 10 }, (_, tenth) => tenth))(
    'is refused when one bit turns at %d tenths',
    (tenths) => {
      const damaged = Uint8Array.from(BYTES);
      damaged[Math.floor((BYTES.length * tenths) / 10)]! ^= 4;

      expect(() => openIndex(damaged)).toThrow(/damaged|not a screening index/);
    },
  );

  it('is refused when something follows', () => {
    expect(() => openIndex(Buffer.concat([BYTES, Buffer.from([0])]))).toThrow('damaged');
  });
});

describe('the rows of a register', () => {
  const pep = (until?: string) =>
    entry({ id: until ?? 'none', list: 'BR_PEP', name: 'Otávia de Brandt', maskedCpf: '000002', until });
  const client = { cpf: '12300000299', name: 'Otavia Brandt' };

  it('of one person are one entry, in force as long as the longest', () => {
    const rows = [pep('2026-01-31'), pep('2027-01-31'), pep('2025-01-31')];

    expect(found(rows, client)).toEqual([expect.objectContaining({ list: 'BR_PEP', entryId: '2026-01-31' })]);
    expect(found(rows, client, '2027-01-31')).toHaveLength(1);
    expect(found(rows, client, '2027-02-01')).toEqual([]);
  });

  it('are without end where one of them is', () => {
    expect(found([pep('2020-01-31'), pep()], client)).toHaveLength(1);
    expect(found([pep(), pep('2020-01-31')], client)).toHaveLength(1);
  });
});
