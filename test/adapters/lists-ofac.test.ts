import { describe, expect, it } from 'vitest';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import {
  altCsv,
  commentsCsv,
  consFiles,
  type OfacBytes,
  ofacFile,
  type Party,
  sdnCsv,
  sdnFiles,
} from './lists-fixtures.ts';

const OTHER = { id: 8, name: 'SOMBRIO, Ivo' };
const parse = (files: OfacBytes) => parseList('OFAC_SDN', sdnFiles(files)).entries;
/** The fields of a party without those of a person of the same list. */
const read = (party: Omit<Party, 'id' | 'name'>) =>
  parse({ main: sdnCsv([{ id: 7, name: 'MORVAINE, Alba', ...party }, OTHER]) }).find(({ id }) => id === '7');

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

    const [person] = parse({ main: sdn, alt });

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
  ])('have for %j the birth date of the remarks', (remarks, span) => {
    expect(birthsOf(remarks)).toEqual([span]);
  });

  it.each(['"individual"', '"Individual"', 'individual'])('are recognized by their type, %s', (type) => {
    expect(read({ type })?.names).toHaveLength(1);
  });

  // docs/operations.md, "Review cases"
  it('have each of their programmes', () => {
    expect(read({})?.programmes).toEqual(['SDGT', 'IFSR']);
  });

  it('keep every alternative birth date', () => {
    expect(birthsOf('DOB 1966; alt. DOB 08 Sep 1967; POB Lua.')).toEqual([
      '1966-01-01..1966-12-31',
      '1967-09-08..1967-09-08',
    ]);
  });

  it.each(['DOB unknown.', 'DOB 08 Sept 1966.', 'DOB 66.', 'Passport DOB 1966.', 'DOB 1 Xyz 1966.'])(
    'have no birth date for %j',
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
  ])('carry for %j the listed CPF', (remarks, documents) => {
    expect(read({ remarks })?.documents).toEqual(documents);
  });

  it('have remarks that continue in the comments file in the middle of a word', () => {
    const sdn = sdnCsv([{ id: 7, name: 'MORVAINE, Alba', remarks: 'POB Lua; Tax ID No. 111.444' }]);
    const comments = commentsCsv([[7, ".777-35 (Brazil); DOB 1966; a.k.a. 'LOBO'."]]);

    const [person] = parse({ main: sdn, comments });

    expect(person?.documents).toEqual(['11144477735']);
    expect(person?.births).toHaveLength(1);
    expect(person?.names.map(({ text }) => text)).toContain('LOBO');
  });
});

describe('companies of OFAC', () => {
  // docs/compliance.md, "Effect of a hit"
  it('are read with their names, aliases and CNPJ, and not as persons', () => {
    const remarks =
      "Organization Established Date 1999; a.k.a. 'LOJA'; Tax ID No. 12.ABC.345/01DE-35 (Brazil).";
    const main = sdnCsv([{ id: 7, name: 'CASA FICTA S.A.', type: '-0- ', remarks }, OTHER]);

    const [company] = parse({ main, alt: altCsv([[7, 'CASA ANTIGA', 'fka']]) });

    expect(company).toEqual({
      list: 'OFAC_SDN',
      id: '7',
      names: [],
      births: [],
      documents: ['12ABC34501DE35'],
      programmes: ['SDGT', 'IFSR'],
      companyNames: [
        { text: 'CASA FICTA S.A.', isWeak: false },
        { text: 'CASA ANTIGA', isWeak: false },
        { text: 'LOJA', isWeak: true },
      ],
    });
  });
});

describe('ships and aircraft of OFAC', () => {
  it.each([
    ['"vessel"', 'Vessel Registration Identification IMO 9187629.'],
    ['"aircraft"', 'Aircraft Model B.737.'],
  ])('of type %s are left out', (type, remarks) => {
    expect(read({ type, remarks })).toBeUndefined();
  });

  it('are kept by a Brazilian CNPJ, and found by it only', () => {
    const entry = read({ type: '"vessel"', remarks: 'DOB 1999; Tax ID No. 12.ABC.345/01DE-35 (Brazil).' });

    expect(entry).toMatchObject({ names: [], births: [], documents: ['12ABC34501DE35'] });
    expect(entry).not.toHaveProperty('companyNames');
  });
});

describe('addresses of digital currency', () => {
  const ONE = `0x${'aB'.repeat(20)}`;
  const TWO = `0x${'0c'.repeat(20)}`;

  it.each([
    [`Digital Currency Address - ETH ${ONE}.`, [ONE]],
    [
      `DOB 1966; Digital Currency Address - ETH ${ONE}; alt. Digital Currency Address - USDT ${TWO}.`,
      [ONE, TWO],
    ],
    [
      `Digital Currency Address - ETH ${ONE}; alt. Digital Currency Address - BSC ${ONE.toLowerCase()}.`,
      [ONE],
    ],
    [`Digital Currency Address - ETH ${TWO.toUpperCase().replace('X', 'x')}.`, [TWO]],
    ['Digital Currency Address - XBT 1BoatSLRHtKNngkdXEeobR76b53LETtpyT.', undefined],
    [`Digital Currency Address - SUI ${ONE}${'ab'.repeat(12)}.`, undefined],
    [`Website ${ONE}.example.`, undefined],
  ])('of EVM chains are read from %s', (remarks, wallets) => {
    expect(read({ remarks })?.wallets).toEqual(wallets?.map((wallet) => wallet.toLowerCase()));
  });

  it('are read if they continue in the comments file', () => {
    const whole = `Digital Currency Address - ETH ${ONE}; alt. Digital Currency Address - ETH ${TWO}.`;
    for (let cut = 1; cut < whole.length; cut++) {
      const main = sdnCsv([{ id: 7, name: 'MORVAINE, Alba', remarks: whole.slice(0, cut) }]);
      const comments = commentsCsv([[7, whole.slice(cut)]]);

      expect(parse({ main, comments })[0]?.wallets).toEqual([ONE.toLowerCase(), TWO]);
    }
  });

  it('keep a ship on the list, without a name', () => {
    const entry = read({ type: '"vessel"', remarks: `Digital Currency Address - ETH ${ONE}.` });

    expect(entry).toMatchObject({ names: [], births: [], documents: [], wallets: [ONE.toLowerCase()] });
  });
});

describe('OFAC’s list of persons who are not blocked', () => {
  it('is read from its own three files', () => {
    const main = sdnCsv([{ id: 7, name: 'MORVAINE, Alba', remarks: 'DOB 1966' }]);
    const files = consFiles({
      main,
      alt: altCsv([[7, 'MORVAYNE, Alba']]),
      comments: commentsCsv([[7, '.']]),
    });

    expect(parseList('OFAC_CONS', files).entries).toEqual([
      expect.objectContaining({
        list: 'OFAC_CONS',
        id: '7',
        names: [
          { text: 'MORVAINE, Alba', isWeak: false },
          { text: 'MORVAYNE, Alba', isWeak: false },
        ],
        births: [{ from: '1966-01-01', to: '1966-12-31' }],
      }),
    ]);
    expect(() => parseList('OFAC_SDN', files)).toThrow('sdn.csv: it came in 0 files');
  });

  it('is found under the names of the publisher, in any case', () => {
    const files = consFiles({ main: sdnCsv([OTHER]) });
    const upper = files.map(({ name, chunks }) => ({ name: name.toUpperCase(), chunks }));

    expect(parseList('OFAC_CONS', upper).entries).toHaveLength(1);
    expect(() => parseList('OFAC_CONS', files.slice(1))).toThrow('cons_prim.csv: it came in 0 files');
    expect(() => parseList('OFAC_CONS', [...files, ...upper])).toThrow('it came in 2 files');
  });
});

describe('a number that OFAC gives twice', () => {
  // docs/compliance.md, "The lists"
  it('is one entry with the data of both rows', () => {
    const main = sdnCsv([
      { id: 7, name: 'MORVAINE, Alba', remarks: 'DOB 1966; Tax ID No. 111.444.777-35 (Brazil).' },
      { id: 7, name: 'MORVAINE, Alba', remarks: 'DOB 1967; Tax ID No. 529.982.247-25 (Brazil).' },
      { id: 7, name: 'FANTASMA, Karel', remarks: 'DOB 1966.' },
    ]);

    expect(parse({ main })).toEqual([
      expect.objectContaining({
        names: ['MORVAINE, Alba', 'FANTASMA, Karel'].map((text) => ({ text, isWeak: false })),
        births: [
          { from: '1966-01-01', to: '1966-12-31' },
          { from: '1967-01-01', to: '1967-12-31' },
        ],
        documents: ['11144477735', '52998224725'],
      }),
    ]);
  });
});

describe('a damaged file of OFAC', () => {
  const main = sdnCsv([{ id: 7, name: 'MORVAINE, Alba', remarks: 'DOB 08 Sep 1966.' }, OTHER]);
  const alt = altCsv([[7, 'MORVAYNE, Alba']]);
  const comments = commentsCsv([[7, 'POB Lua.']]);
  const cuts = (bytes: Uint8Array) =>
    Array.from({ length: bytes.length }, (_, end) => bytes.subarray(0, end));

  it('is refused if it is cut anywhere', () => {
    for (const cut of cuts(main)) expect(() => parse({ main: cut, alt, comments })).toThrow('end mark');
    for (const cut of cuts(alt)) expect(() => parse({ main, alt: cut, comments })).toThrow('end mark');
  });

  it('may be the comments without their end mark, and is refused if cut within a row', () => {
    expect(parse({ main, alt, comments: comments.subarray(0, -1) })).toHaveLength(2);
    expect(parse({ main, alt, comments: comments.subarray(0, 0) })).toHaveLength(2);
    expect(() => parse({ main, alt, comments: comments.subarray(0, 5) })).toThrow('sdn_comments.csv: 1 of 1');
  });

  it('is recognized by cut remarks that do not continue in the comments', () => {
    const cut = sdnCsv([{ id: 7, name: 'MORVAINE, Alba', remarks: 'x'.repeat(1000) }]);
    const full = sdnCsv([{ id: 7, name: 'MORVAINE, Alba', remarks: `${'x'.repeat(999)}.` }]);

    expect(() => parse({ main: cut })).toThrow('sdn_comments.csv: remarks do not go on in it');
    expect(parse({ main: cut, comments })).toHaveLength(1);
    expect(parse({ main: full })).toHaveLength(1);
  });

  it('is refused soon if one number has a hundred thousand rows', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => i);

    expect(() => parse({ main, alt: altCsv(many.map((i) => [7, `X${i}`])) })).toThrow('too many rows');
    expect(() => parse({ main: sdnCsv(many.map((i) => ({ id: 7, name: `X${i}` }))) })).toThrow(
      'too many rows',
    );
  });

  it.each([
    ['a row of the wrong width', ofacFile(['7,"MORVAINE, Alba","individual"']), '1 of 1 rows cannot be read'],
    ['a row without a name', sdnCsv([{ id: 7, name: '-0- ' }, OTHER]), '1 of 2 rows cannot be read'],
    ['another encoding', Buffer.from([0x37, 0x2c, 0xc9, 0x1a]), 'it is not in utf-8'],
    ['a web page instead', Buffer.from('<html>Access denied</html>\u001a'), '1 of 1 rows cannot be read'],
    ['no bytes at all', new Uint8Array(), 'the end mark is missing'],
    ['rows after the end mark', Buffer.concat([main, main]), 'it goes on after its end mark'],
    ['the end mark alone', ofacFile([]), 'it has no entries'],
  ])('is refused: %s', (_what, bytes, message) => {
    expect(() => parse({ main: bytes, alt, comments })).toThrow(message);
  });
});
