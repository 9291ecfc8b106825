import { describe, expect, it } from 'vitest';
import { ofacEntries } from '../../functions/adapters/lists/ofac.ts';
import { altCsv, commentsCsv, ofacFile, type Party, sdnCsv } from './lists-fixtures.ts';

const NO_ALT = ofacFile([]);
const NO_COMMENTS = ofacFile([]);
const read = (party: Omit<Party, 'id' | 'name'>) =>
  ofacEntries(sdnCsv([{ id: 7, name: 'MORVAINE, Alba', ...party }]), NO_ALT, NO_COMMENTS)[0];
const birthsOf = (remarks: string) => read({ remarks })?.births.map(({ from, to }) => `${from}..${to}`);

describe('persons of OFAC', () => {
  it('are read with the name, the strong aliases and the weak ones of the remarks', () => {
    const sdn = sdnCsv([
      {
        id: 7,
        name: 'MORVAINE, Alba',
        remarks: "POB Lua; a.k.a. 'LOBO'; f.k.a. 'D'ALVA, Rei'; Gender Male.",
      },
    ]);
    const alt = altCsv([
      [7, 'MORVAYNE, Alba'],
      [7, 'MORVEN, Alva', 'fka'],
      [8, 'OUTRO, Nome'],
    ]);

    const [person] = ofacEntries(sdn, alt, NO_COMMENTS);

    expect(person).toMatchObject({ list: 'OFAC_SDN', id: '7', births: [], documents: [] });
    expect(person?.names).toEqual([
      { text: 'MORVAINE, Alba', isWeak: false },
      { text: 'MORVAYNE, Alba', isWeak: false },
      { text: 'MORVEN, Alva', isWeak: false },
      { text: 'LOBO', isWeak: true },
      { text: "D'ALVA, Rei", isWeak: true },
    ]);
  });

  it.each([
    ['DOB 08 Sep 1966.', '1966-09-08..1966-09-08'],
    ['DOB 8 Sep 1966.', '1966-09-08..1966-09-08'],
    ['DOB 1966; POB Lua.', '1966-01-01..1966-12-31'],
    ['DOB Sep 1966.', '1966-09-01..1966-09-31'],
    ['DOB circa 1966.', '1964-01-01..1968-12-31'],
    ['DOB circa 08 Sep 1966.', '1964-09-08..1968-09-08'],
    ['DOB 1966 to 1969.', '1966-01-01..1969-12-31'],
    ['DOB 01 Jan 1966 to 31 Mar 1966.', '1966-01-01..1966-03-31'],
    ['DOB Jan 1966 to Mar 1967.', '1966-01-01..1967-03-31'],
    ['DOB circa 1979-1982.', '1977-01-01..1984-12-31'],
  ])('have the birth date that %j allows', (remarks, span) => {
    expect(birthsOf(remarks)).toEqual([span]);
  });

  it('keep every alternative birth date', () => {
    expect(birthsOf('DOB 1966; alt. DOB 08 Sep 1967; POB Lua.')).toEqual([
      '1966-01-01..1966-12-31',
      '1967-09-08..1967-09-08',
    ]);
  });

  it.each(['DOB unknown.', 'DOB 08 Sept 1966.', 'DOB 66.', 'Passport DOB 1966.', 'DOB 1 Xyz 1966.'])(
    'have no birth date in %j',
    (remarks) => {
      expect(birthsOf(remarks)).toEqual([]);
    },
  );

  it.each([
    ['Tax ID No. 111.444.777-35 (Brazil).', ['11144477735']],
    ['POB Lua; alt. Tax ID No. 11144477735 (Brazil); Gender Male.', ['11144477735']],
    ['alt. Identification Number 11144477735 (Brazil).', ['11144477735']],
    ['Identification Number 154564654 (Brazil).', []],
    ['Tax ID No. 111.444.777-35 (Russia).', []],
    ['Tax ID No. 111.444.777-36 (Brazil).', []],
  ])('carry the CPF that %j lists', (remarks, documents) => {
    expect(read({ remarks })?.documents).toEqual(documents);
  });

  it('have remarks that go on in the comments file in the middle of a word', () => {
    const sdn = sdnCsv([{ id: 7, name: 'MORVAINE, Alba', remarks: 'POB Lua; Tax ID No. 111.444' }]);
    const comments = commentsCsv([[7, ".777-35 (Brazil); DOB 1966; a.k.a. 'LOBO'."]]);

    const [person] = ofacEntries(sdn, NO_ALT, comments);

    expect(person?.documents).toEqual(['11144477735']);
    expect(person?.births).toHaveLength(1);
    expect(person?.names.map(({ text }) => text)).toContain('LOBO');
  });
});

describe('companies, ships and aircraft of OFAC', () => {
  it.each([
    ['-0- ', 'a.k.a. LOJA; Organization Established Date 1999.'],
    ['"vessel"', 'Vessel Registration Identification IMO 9187629.'],
    ['"aircraft"', 'Aircraft Model B.737.'],
  ])('of type %s are left out', (type, remarks) => {
    expect(read({ type, remarks })).toBeUndefined();
  });

  it('are kept by their Brazilian CNPJ, and found by nothing else', () => {
    const entry = read({ type: '-0- ', remarks: 'DOB 1999; Tax ID No. 12.ABC.345/01DE-35 (Brazil).' });

    expect(entry).toMatchObject({ names: [], births: [], documents: ['12ABC34501DE35'] });
  });
});

describe('a damaged file of OFAC', () => {
  const sdn = sdnCsv([
    { id: 7, name: 'MORVAINE, Alba', remarks: 'DOB 08 Sep 1966.' },
    { id: 8, name: 'SOMBRIO, Ivo' },
  ]);
  const alt = altCsv([[7, 'MORVAYNE, Alba']]);
  const comments = commentsCsv([[7, 'POB Lua.']]);
  const cuts = (bytes: Uint8Array) =>
    Array.from({ length: bytes.length }, (_, end) => bytes.subarray(0, end));

  it('is refused wherever it was cut', () => {
    for (const cut of cuts(sdn)) expect(() => ofacEntries(cut, alt, comments)).toThrow(Error);
    for (const cut of cuts(alt)) expect(() => ofacEntries(sdn, cut, comments)).toThrow(Error);
  });

  it('may be the comments without their end mark, and is refused when cut within a row', () => {
    expect(ofacEntries(sdn, alt, comments.subarray(0, -1))).toHaveLength(2);
    expect(ofacEntries(sdn, alt, comments.subarray(0, 0))).toHaveLength(2);
    expect(() => ofacEntries(sdn, alt, comments.subarray(0, 5))).toThrow('MissingQuotes');
  });

  it.each([
    [
      'a row of the wrong width',
      ofacFile(['7,"MORVAINE, Alba","individual"']),
      'row 1 has 3 columns, not 12',
    ],
    ['another encoding', Buffer.from([0x37, 0x2c, 0xc9, 0x1a]), 'encod'],
    ['a web page instead', Buffer.from('<html>Access denied</html>\u001a'), 'row 1 has 1 columns'],
    ['no bytes at all', new Uint8Array(), 'the end mark is missing'],
  ])('is refused: %s', (_what, bytes, message) => {
    expect(() => ofacEntries(bytes, alt, comments)).toThrow(message);
  });
});
