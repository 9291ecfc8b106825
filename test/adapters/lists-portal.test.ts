import { describe, expect, it } from 'vitest';
import { cguEntries } from '../../functions/adapters/lists/cgu-sanctions.ts';
import type { Entry } from '../../functions/adapters/lists/entry.ts';
import { pepEntries } from '../../functions/adapters/lists/pep.ts';
import { cguCsv, pepCsv, portalFile } from './lists-fixtures.ts';

describe.each(['BR_CEIS', 'BR_CNEP'] as const)('sanctions of %s', (list) => {
  const keysOf = (document: string) =>
    cguEntries(list, cguCsv([{ id: '1', document }])).flatMap(({ documents }) => documents);

  it('are read by document, without the name', () => {
    const entries = cguEntries(list, cguCsv([{ id: '300001', document: '11144477735', end: '02/05/2034' }]));

    expect(entries).toEqual([
      { list, id: '300001', names: [], births: [], documents: ['11144477735'], until: '2034-05-02' },
    ]);
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
    'are left out when the document is %j',
    (document) => {
      expect(keysOf(document)).toEqual([]);
    },
  );

  it.each(['', 'Não informada', '2034-05-02', '5/2/2034', '31/12'])('have no end when it is %j', (end) => {
    expect(cguEntries(list, cguCsv([{ id: '1', document: '11144477735', end }]))[0]?.until).toBeUndefined();
  });

  it('are read whole or not at all, wherever the file was cut', () => {
    const csv = cguCsv([{ id: '1', document: '11144477735', end: '02/05/2034' }]);
    expectWholeOrError(csv, (bytes) => cguEntries(list, bytes));
  });

  it('are refused when the file is in UTF-8, because its headers are not those', () => {
    const utf8 = Buffer.from(cguCsv([{ id: '1', document: '11144477735' }]).toString('latin1'));

    expect(() => cguEntries(list, utf8)).toThrow('column CÓDIGO DA SANÇÃO is missing');
  });

  it.each([
    ['a web page', Buffer.from('<html>Access denied</html>')],
    ['nothing', new Uint8Array()],
    ['a file of PEPs', pepCsv([{ cpf: '***.444.777-**', name: 'X' }])],
    ['a stray quote', Buffer.from('"CADASTRO"x;"Y"\r\n')],
  ])('are refused when the file is %s', (_what, bytes) => {
    expect(() => cguEntries(list, bytes)).toThrow(Error);
  });
});

describe('politically exposed persons', () => {
  it('are read by the open digits of the CPF and the name, one entry per office', () => {
    const otavia = { cpf: '***.444.777-**', name: 'OTÁVIA' };
    const entries = pepEntries(pepCsv([otavia, { ...otavia, end: '31/12/2031' }]));

    expect(entries).toEqual([
      expect.objectContaining({ list: 'BR_PEP', id: 'row 2', maskedCpf: '444777', until: undefined }),
      expect.objectContaining({ id: 'row 3', maskedCpf: '444777', until: '2031-12-31' }),
    ]);
    expect(entries[0]).toMatchObject({ names: [{ text: 'OTÁVIA', isWeak: false }], documents: [] });
  });

  it('are read in the letters that Windows-1252 has beyond Latin-1', () => {
    const bytes = pepCsv([{ cpf: '***.444.777-**', name: 'S\u008aIMUN D\u0092ALVA' }]);

    expect(pepEntries(bytes)[0]?.names[0]?.text).toBe('SŠIMUN D’ALVA');
  });

  it('are read under the headers of older years', () => {
    const header = ['CPF', 'NOME PEP ', 'SIGLA FUNÇÃO', 'DATA INÍCIO EXERCÍCIO', 'DATA FIM CARÊNCIA'];

    expect(pepEntries(pepCsv([{ cpf: '***.444.777-**', name: 'OTÁVIA' }], header))).toHaveLength(1);
  });

  it.each(['', '444777', '11144477735', '111.444.777-35', '***.44.777-**'])(
    'are left out when the CPF is %j, whatever the name',
    (cpf) => {
      expect(pepEntries(pepCsv([{ cpf, name: 'OTÁVIA' }]))).toEqual([]);
    },
  );

  it('are refused when a column is missing', () => {
    expect(() => pepEntries(portalFile([['CPF', 'Nome_PEP']]))).toThrow('Data_Fim_Carência is missing');
  });

  it('are read whole or not at all, wherever the file was cut', () => {
    expectWholeOrError(pepCsv([{ cpf: '***.444.777-**', name: 'OTÁVIA', end: '31/12/2031' }]), pepEntries);
  });
});

/**
 * A cut may take the last row whole, but never leaves half of a person, and raises only errors of ours. All
 * that can be lost of a row is the end of a sanction, when it stands last; the person then stays listed.
 */
function expectWholeOrError(csv: Uint8Array, read: (bytes: Uint8Array) => Entry[]): void {
  const endless = (entries: Entry[]) => entries.map((entry) => ({ ...entry, until: undefined }));
  const whole = read(csv);
  expect(whole).toHaveLength(1);
  for (let end = 0; end < csv.length; end++) {
    const entries = entriesOrError(() => read(csv.subarray(0, end)));
    if (entries.length) expect(endless(entries)).toEqual(endless(whole));
  }
}

function entriesOrError(read: () => Entry[]): Entry[] {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(/^Error: (row|column) /);
    return [];
  }
}
