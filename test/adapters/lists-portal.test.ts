import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { ListDamaged } from '../../functions/adapters/lists/list-file.ts';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';
import { cguCsv, entriesOf, fileOf, pepCsv, portalFile } from './lists-fixtures.ts';

const pepEntries = (csv: Uint8Array) => entriesOf('BR_PEP', csv);
/** The same text in the other encoding, which the publisher may use some day. */
const utf8 = (csv: Buffer) => Buffer.from(csv.toString('latin1'));
const BOM = Buffer.from('\ufeff');

type Sanction = { id: string; document: string; end?: string; category?: string };

describe.each(['BR_CEIS', 'BR_CNEP'] as const)('sanctions of %s', (list) => {
  const OTHER = { id: '2', document: '52998224725' };
  const csvOf = (rows: Sanction[]) => cguCsv(rows, list.slice(-4));
  const read = (...rows: Sanction[]) =>
    entriesOf(list, csvOf([...rows, OTHER])).filter(({ id }) => id !== OTHER.id);
  const keysOf = (document: string) => read({ id: '1', document }).flatMap(({ documents }) => documents);

  it('are read by document, without the name', () => {
    const entries = read({ id: '300001', document: '11144477735', end: '02/05/2034' });

    expect(entries).toEqual([
      { list, id: '300001', names: [], births: [], documents: ['11144477735'], until: '2034-05-02' },
    ]);
  });

  it('have their category as the programme, if the file names it', () => {
    const category = 'Impedimento/proibição de contratar';
    const rows = ['1', '2'].map((id) => ({ id, document: '11144477735', category }));

    expect(read(rows[0]!)).toMatchObject([{ programmes: [category] }]);
    const bare = replaced(csvOf(rows), /CATEGORIA/, 'CLASSE');
    expect(entriesOf(list, bare).map(({ programmes }) => programmes)).toEqual([undefined, undefined]);
  });

  it.each([
    ['111.444.777-35', '11144477735'],
    ['01144477735', '01144477735'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12.abc.345/01DE-35', '12ABC34501DE35'],
  ])('are keyed by %s', (document, key) => {
    expect(keysOf(document)).toEqual([key]);
  });

  it.each(['', 'Não informado', '***.444.777-**', '1114447773', '111444777350', '12ABC34501DEXX'])(
    'are left out if the document is %j',
    (document) => {
      expect(keysOf(document)).toEqual([]);
    },
  );

  it.each(['', 'Não informada', '2034-05-02', '5/2/2034', '31/12'])('have no end if it is %j', (end) => {
    expect(read({ id: '1', document: '11144477735', end })).toMatchObject([{ until: undefined }]);
  });

  it('are one for each code: of two rows both documents, and the later end', () => {
    const rows = [
      { id: '1', document: '11144477735', end: '02/05/2034' },
      { id: '1', document: '11222333000181', end: '03/05/2034' },
      { id: '1', document: '11144477735', end: '01/05/2034' },
    ];
    const documents = ['11144477735', '11222333000181'];

    expect(read(...rows)).toEqual([expect.objectContaining({ id: '1', documents, until: '2034-05-03' })]);
    const endless = { id: '1', document: '11144477735' };
    expect(read(...rows, endless)).toMatchObject([{ documents, until: undefined }]);
  });

  it('are read whole or not at all if the file is cut anywhere', () => {
    const csv = csvOf([{ id: '1', document: '11144477735', end: '02/05/2034' }]);
    expectWholeOrDamaged(list, csv);
  });

  it.each([
    ['in UTF-8', utf8],
    ['in UTF-8 with a byte order mark', (csv: Buffer) => Buffer.concat([BOM, utf8(csv)])],
    ['with lines that end without a carriage return', (csv: Buffer) => replaced(csv, /\r/g, '')],
    ['with empty lines', (csv: Buffer) => replaced(csv, /\n/g, '\n\r\n  \n')],
    ['without a line break at its end', (csv: Buffer) => csv.subarray(0, -2)],
    ['with line breaks within quotes', (csv: Buffer) => replaced(csv, /Todas/g, 'To\r\nd\nas')],
    ['with quotes within a field', (csv: Buffer) => replaced(csv, /Todas/g, 'To"d"as')],
    [
      'with a header of other spelling',
      (csv: Buffer) => replaced(csv, /\xd3DIGO DA SAN\xc7/, 'odigo_da  Sanc'),
    ],
    ['with a header without accents', (csv: Buffer) => replaced(csv, /[\xc0-\xff]/g, unaccented)],
  ])('are read from a file %s', (_what, change) => {
    const csv = csvOf([{ id: '1', document: '11144477735', end: '02/05/2034' }, OTHER]);

    expect(entriesOf(list, change(csv))).toEqual(entriesOf(list, csv));
    expect(change(csv)).not.toEqual(csv);
  });

  const CPF = '11144477735';
  const LARGE = Array.from({ length: 398 }, (_, i) => ({ id: `${i}`, document: `${10_000_000_000 + i}` }));

  it.each([
    ['too few columns', '"CEIS";"9"', 1],
    ['too many columns', `"CEIS";"9"${';"x"'.repeat(9)}`, 1],
    ['a column of more than 64 kB', `"CEIS";"9";"F";"11144477735";"${'x'.repeat(70_000)}";"";"";"";""`, 1],
    ['a NUL', `"CEIS";"9";"F";"11144477735";"\0";"";"";"";""`, 1],
    ['no code', `"CEIS";"";"F";"11144477735";"X";"";"";"";""`, 1],
    ['quotes that swallow the next one', `"CEIS";"9";"F";"${CPF}";"X"Y\r\n"CEIS";"";"";"";""`, 2],
  ])('are left out and counted if the row has %s', (_what, row, count) => {
    const rows = LARGE.slice(0, LARGE.length - count + 1);
    const bytes = Buffer.concat([csvOf(rows), Buffer.from(`${row}\r\n`), tail(list)]);

    const parsed = parseList(list, [fileOf('x', bytes)]);

    expect(parsed.entries.map(({ id }) => id)).toEqual([...rows.map(({ id }) => id), 'last']);
    expect(parsed.skipped).toBe(count);
  });

  it('are refused if more than one row in two hundred is unreadable', () => {
    const bad = (count: number) => Buffer.concat([csvOf(LARGE), Buffer.from('"CEIS"\r\n'.repeat(count))]);

    expect(entriesOf(list, bad(2))).toHaveLength(398);
    expect(() => entriesOf(list, bad(3))).toThrow('list: 3 of 401 rows cannot be read');
  });

  it('lose the last row, and count it, if a large file was cut within it', () => {
    const csv = csvOf(LARGE);

    expect(parseList(list, [fileOf('x', csv.subarray(0, -10))])).toMatchObject({ skipped: 1 });
    expect(entriesOf(list, csv.subarray(0, -10))).toHaveLength(397);
  });

  it('are refused if the file is of the other register, and left out if a row is', () => {
    const other = cguCsv(LARGE, list === 'BR_CEIS' ? 'CNEP' : 'CEIS');
    const row = withoutHeader(cguCsv([OTHER], list === 'BR_CEIS' ? 'CNEP' : 'CEIS'));

    expect(() => entriesOf(list, other)).toThrow('398 of 398 rows cannot be read');
    expect(parseList(list, [fileOf('x', Buffer.concat([csvOf(LARGE), row]))])).toMatchObject({ skipped: 1 });
  });

  it.each([
    ['a web page', Buffer.from('<html>Access denied</html>')],
    ['nothing', new Uint8Array()],
    ['a file of PEPs', pepCsv([{ cpf: '***.444.777-**', name: 'X' }])],
    ['a stray quote', Buffer.from('"CADASTRO"x;"Y"\r\n')],
    ['a header alone', csvOf([])],
    ['rows without their header', withoutHeader(csvOf([{ id: '1', document: '11144477735' }]))],
    ['UTF-16', Buffer.from(csvOf([{ id: '1', document: '11144477735' }]).toString('latin1'), 'utf16le')],
    ['UTF-8 at first only', Buffer.concat([utf8(csvOf([])), csvOf([{ id: '1', document: '11144477735' }])])],
    ['a row of 10 MB', Buffer.concat([csvOf([]), Buffer.from(`"${'x\n'.repeat(5_000_000)}`)])],
    ['a line of 10 MB', Buffer.concat([csvOf([]), Buffer.alloc(10_000_000, 'x;')])],
    ['NULs', Buffer.alloc(100_000)],
  ])('are refused if the file is %s', (_what, bytes) => {
    expect(() => entriesOf(list, bytes)).toThrow(ListDamaged);
  });
});

/** Half a million rows take seconds, and both registers have one reader. */
describe('a register with more rows than any has', () => {
  it('is refused soon', () => {
    const row = withoutHeader(cguCsv([{ id: '2', document: '52998224725' }], 'CEIS'));
    let given = 0;
    function* rows() {
      yield cguCsv([], 'CEIS');
      for (; given < 10_000; given++) yield Buffer.from(row.toString('latin1').repeat(1000), 'latin1');
    }

    expect(() => parseList('BR_CEIS', [{ name: 'list', chunks: rows() }])).toThrow('more than 500000 rows');
    expect(given).toBeLessThan(510);
  });
});

describe('politically exposed persons', () => {
  const OTAVIA = { cpf: '***.444.777-**', name: 'OTÁVIA' };

  // docs/compliance.md, "The lists"
  it('are read by the open digits of the CPF and the name, one entry for all offices', () => {
    const other = { cpf: '***.444.778-**', name: 'OTÁVIA' };
    const until = (...ends: string[]) =>
      pepEntries(pepCsv([...ends.map((end) => ({ ...OTAVIA, end })), other]))[0]?.until;

    expect(pepEntries(pepCsv([OTAVIA, other, OTAVIA]))).toEqual([
      expect.objectContaining({ list: 'BR_PEP', maskedCpf: '444777', until: undefined, documents: [] }),
      expect.objectContaining({ list: 'BR_PEP', maskedCpf: '444778' }),
    ]);
    expect(until('31/12/2031', '30/12/2032')).toBe('2032-12-30');
    expect(until('31/12/2031', 'Não informada')).toBeUndefined();
  });

  it('keep their id through publications, on any row and with any spacing of the name', () => {
    const idOf = (...rows: { cpf: string; name: string }[]) => pepEntries(pepCsv(rows)).at(-1)?.id;
    const id = idOf(OTAVIA);

    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(idOf({ ...OTAVIA, name: 'OUTRA' }, { ...OTAVIA, name: ' Otávia ' })).toBe(id);
    expect(idOf({ ...OTAVIA, cpf: '***.444.778-**' })).not.toBe(id);
    expect(idOf({ ...OTAVIA, name: 'OTAVIO' })).not.toBe(id);
  });

  it('are read with the letters that Windows-1252 has beyond Latin-1', () => {
    const bytes = pepCsv([{ cpf: '***.444.777-**', name: 'S\u008aIMUN D\u0092ALVA' }]);

    expect(pepEntries(bytes)[0]?.names[0]?.text).toBe('SŠIMUN D’ALVA');
  });

  it('are read under the headers of earlier years', () => {
    const header = ['CPF', 'NOME PEP ', 'SIGLA FUNÇÃO', 'DATA INÍCIO EXERCÍCIO', 'DATA FIM CARÊNCIA'];

    expect(pepEntries(pepCsv([{ cpf: '***.444.777-**', name: 'OTÁVIA' }], header))).toHaveLength(1);
  });

  it.each(['', '444777', '11144477735', '111.444.777-35', '***.44.777-**'])(
    'are left out if the CPF is %j, with any name',
    (cpf) => {
      expect(pepEntries(pepCsv([{ cpf, name: 'OUTRA' }, OTAVIA]))).toMatchObject([
        { names: [{ text: 'OTÁVIA', isWeak: false }] },
      ]);
    },
  );

  it('are refused if a column is missing', () => {
    expect(() => pepEntries(portalFile([['CPF', 'Nome_PEP']]))).toThrow('Data_Fim_Carência is missing');
  });

  it('are read whole or not at all if the file is cut anywhere', () => {
    expectWholeOrDamaged('BR_PEP', pepCsv([{ ...OTAVIA, end: '31/12/2031' }]));
  });

  it('have Windows-1252 or UTF-8 by their first letter beyond ASCII, wherever it is', () => {
    const header = ['CPF', 'NOME PEP', 'DATA FIM CARENCIA'];
    const csv = portalFile([header, ['***.444.777-**', 'OTÁVIA', '']]);

    for (const bytes of [csv, utf8(csv)]) expect(pepEntries(bytes)[0]?.names[0]?.text).toBe('OTÁVIA');
    const last = Buffer.from('CPF;DATA FIM CARENCIA;NOME PEP\n***.444.777-**;;JOSÉ', 'latin1');
    for (const bytes of [last, utf8(last)]) expect(pepEntries(bytes)[0]?.names[0]?.text).toBe('JOSÉ');
    expect(pepEntries(csv)[0]?.id).toBe(pepEntries(utf8(csv))[0]?.id);
  });
});

function replaced(csv: Buffer, pattern: RegExp, by: string | ((letter: string) => string)): Buffer {
  return Buffer.from(csv.toString('latin1').replace(pattern, by as string), 'latin1');
}

const unaccented = (letter: string) => letter.normalize('NFD').charAt(0);
const withoutHeader = (csv: Buffer) => csv.subarray(csv.indexOf('\n') + 1);
const tail = (list: ListId) =>
  withoutHeader(cguCsv([{ id: 'last', document: '11144477735' }], list.slice(-4)));

/**
 * A cut may remove the last row, but never leaves half of a person, and raises only our own errors. A row can lose
 * only the end of a sanction, if that is its last field. The person then stays listed.
 */
function expectWholeOrDamaged(list: ListId, csv: Uint8Array): void {
  const endless = (entries: ListEntry[]) => entries.map((entry) => ({ ...entry, until: undefined }));
  const whole = entriesOf(list, csv);
  expect(whole).toHaveLength(1);
  let damaged = 0;
  for (let end = 0; end < csv.length; end++) {
    try {
      expect(endless(entriesOf(list, csv.subarray(0, end)))).toEqual(endless(whole));
    } catch (error) {
      expect(error).toBeInstanceOf(ListDamaged);
      damaged++;
    }
  }
  expect(damaged).toBeGreaterThan(csv.length / 2);
}
