import { describe, expect, it } from 'vitest';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import { LIST_IDS } from '../../functions/domain/screening/lists.ts';
import { hitsOf, type Identity } from '../../functions/domain/screening/screening.ts';
import { FILES, fileOf } from './lists-fixtures.ts';
import { folderOf, instanceOf } from './lists-published-fixtures.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const nobody: Identity = { cpf: '52998224725', name: 'Clara Ninguém Lopes', birthDate: '1990-05-17' };

/** The publishers' files from their bytes to the answer. */
const folder = folderOf(
  '2026-11-20T10:00:00.000Z',
  LIST_IDS.flatMap((list) => {
    const files = FILES.filter((file) => file.list === list);
    const named = files.map(({ name, bytes }) => fileOf(name.split('/').at(-1)!, bytes));
    return files.length ? parseList(list, named).entries : [];
  }),
);

async function search(identity: Partial<Identity>, now = NOON) {
  const { lists, clock } = instanceOf(folder);
  clock.advance(now - clock.now());
  const screening = await lists.search({ ...nobody, ...identity });
  return { ...screening, hits: hitsOf(screening.candidates) };
}

async function found(identity: Partial<Identity>, now = NOON) {
  const { candidates, hits } = await search(identity, now);
  expect(hits.map(({ entryId }) => entryId)).toEqual(
    candidates.filter(({ zone }) => zone === 'HIT').map(({ entryId }) => entryId),
  );
  return candidates.map(({ entryId, zone, explanation }) => [entryId, zone, explanation]);
}

describe('a person found on OFAC or the United Nations list by name', () => {
  // Spec, What the service does: "sanctions lists from Brazil, the US and the UN"
  it.each([
    ['Tércio Alba Morvaine', '1966-09-08', '11', 'HIT', 'name equal, birth date equal'],
    ['tercio ALBA de morvaine', '1966-09-08', '11', 'HIT', 'name equal, birth date equal'],
    ['Tercius Morvayne', '1966-09-08', '11', 'HIT', 'name equal, birth date equal'],
    ['Karel Fantasma', '1966-02-11', 'XXi.001', 'HIT', 'name equal, birth date equal'],
    ['Ivo Sombrio', '1970-06-01', '12', 'HIT', 'name equal, birth date within the listed period'],
    ['Tércio Alba Morvaine', '1966-09-09', '11', 'HIT', 'name equal, birth date one slip away'],
    ['Tércio Alba Morvaine', '1986-03-09', '11', 'REVIEW', 'name equal, birth date differs'],
    ['Ivo Sombrio', '1972-01-01', '12', 'REVIEW', 'name equal, birth date differs'],
    ['Rui Oculto', '1966-09-08', '13', 'HIT', 'name equal, birth date unknown'],
    ['Tércio Alba Morvaine', '', '11', 'HIT', 'name equal, birth date unknown'],
    ['Coruja Branca', '1980-03-02', '15', 'REVIEW', 'weak alias equal, birth date equal'],
    ['Raposa Velha', '1970-06-01', '12', 'REVIEW', 'weak alias equal, birth date within the listed period'],
    ['Coruja Branca', '1980-02-03', '15', 'REVIEW', 'weak alias equal, birth date one slip away'],
    [
      'Tércio Morvaine',
      '1966-09-08',
      '11',
      'HIT',
      'name alike (2 words equal, 1 word missing), birth date equal',
    ],
    [
      'T. Alba Morvainne',
      '1966-09-08',
      '11',
      'HIT',
      'name alike (1 word equal, 1 word spelt differently, 1 word as an initial), birth date equal',
    ],
    [
      'Karelfantasma',
      '1966-02-11',
      'XXi.001',
      'HIT',
      'name alike (1 word joined or parted), birth date equal',
    ],
  ])('is found as %s, born %s', async (name, birthDate, entryId, zone, explanation) => {
    expect(await found({ name, birthDate })).toEqual([[entryId, zone, explanation]]);
  });

  it.each([
    ['Coruja Branca', '1995-07-03', 'a weak alias with another birth date'],
    ['Coruja Branca', '', 'a weak alias alone'],
    ['Ada Coruja', '1980-03-02', 'a word of each of two names'],
    ['Morvaine', '1986-09-09', 'one word with another birth date'],
    ['', '1966-09-08', 'a birth date alone'],
    ['Maria Silva Santos', '1966-09-08', 'a birth date with another name'],
  ])('is not found as %s, born %s: %s', async (name, birthDate) => {
    expect(await found({ name, birthDate })).toEqual([]);
  });
});

describe('a person found by a document', () => {
  it.each([
    ['OFAC', { cpf: '11144477735' }, 'OFAC_SDN', 'REJECT', 'CPF equal'],
    ['CEIS', { cpf: '90000000175' }, 'BR_CEIS', 'HIGH', 'CPF equal'],
    ['CEIS, as the company behind', { cnpj: '12ABC34501DE35' }, 'BR_CEIS', 'HIGH', 'CNPJ equal'],
    ['CNEP', { cnpj: '11222333000181' }, 'BR_CNEP', 'HIGH', 'CNPJ equal'],
  ])('on %s is a hit with any name and birth date', async (_list, identity, list, effect, words) => {
    const { hits } = await search({ ...identity, birthDate: '' });

    expect(hits).toEqual([expect.objectContaining({ list, effect, score: 1, explanation: words })]);
  });

  it('and by the name is one candidate, with the better evidence', async () => {
    const identity = { cpf: '11144477735', name: 'Zeno Documentado', birthDate: '1950-01-01' };

    expect(await found(identity)).toEqual([['14', 'HIT', 'CPF equal']]);
  });
});

describe('a politically exposed person', () => {
  // Spec, What the service does: "politically-exposed-person (PEP) checks"
  it.each([
    ['12300000299', 'Otavia Brandt', true],
    ['12300000299', 'BRANDT, Otávia', true],
    ['12300000299', 'Otavia Brandt Lopes', true],
    ['12300000299', 'Otávia Brand', true],
    ['12300000299', 'Otavia Lopes', false],
    ['12300000299', 'Clara Ninguém Lopes', false],
    ['12300000299', 'Otavia', false],
    ['12300000399', 'Otavia Brandt', false],
    ['00000212399', 'Otavia Brandt', false],
    ['12300000299', '', false],
    ['12300000499', '', false],
    ['12300000499', 'de', false],
  ])('is found by CPF %s and the name %j: %s', async (cpf, name, isHit) => {
    const { hits } = await search({ cpf, name });

    expect(hits.map(({ effect }) => effect)).toEqual(isHit ? ['PEP'] : []);
  });
});

describe('an entry that ends', () => {
  const lastDay = '2026-11-20';

  it.each([
    [`${lastDay}T00:00:00-03:00`, true],
    [`${lastDay}T23:59:59-03:00`, true],
    ['2026-11-21T00:00:00-03:00', false],
  ])('is in force through its last day in Brasília: %s', async (now, isHit) => {
    expect((await search({ cpf: '90000000175' }, Date.parse(now))).hits).toHaveLength(isHit ? 1 : 0);
  });

  it('leaves the PEP list at the end of the quarantine', async () => {
    const pep = { cpf: '12300000299', name: 'Otávia Brandt' };

    expect((await search(pep, Date.parse('2032-01-01T03:00:00Z'))).hits).toEqual([]);
  });
});

describe('the record of a search', () => {
  it('names every list with version, digest and number of entries, also without a match', async () => {
    const { index, lists, candidates, hits } = await search({});

    expect(index).toEqual({ version: folder.version, digest: folder.digest, source: 'PUBLISHED' });
    expect(lists.map(({ list, version }) => [list, version])).toEqual(
      LIST_IDS.map((list) => [list, '2026-11-20']),
    );
    expect(lists.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256))).toBe(true);
    expect([candidates, hits]).toEqual([[], []]);
  });

  it('contains nothing of the person: its name is the listed one', async () => {
    const people: (Partial<Identity> & { listed?: string })[] = [
      { cpf: '11144477735', name: 'Zenno Documentaddo', birthDate: '1950-01-01', listed: 'documentado zeno' },
      { cpf: '12300000299', name: 'Otavya Branndt', birthDate: '1968-04-12', listed: 'otavia brandt' },
      { name: 'Korruja Brannca', birthDate: '1980-03-02', listed: 'coruja branca' },
      { cnpj: '11222333000181', name: 'Casa Ficta', listed: undefined },
    ];
    for (const { listed, ...person } of people) {
      const screening = await search(person);
      const text = JSON.stringify(screening).toLowerCase();
      const told = [...Object.values(person), ...(person.name?.split(' ') ?? [])];
      expect(screening.candidates[0]?.listed).toBe(listed);
      expect(told.filter((each) => text.includes(each.toLowerCase()))).toEqual([]);
    }
  });
});
