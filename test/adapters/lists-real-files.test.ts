import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { ListDamaged, type ListFile } from '../../functions/adapters/lists/list-file.ts';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';
import { REVIEW_POINT } from '../../functions/domain/screening/screening.ts';
import { consFiles, fileOf, type OfacBytes, sdnFiles } from './lists-fixtures.ts';
import { searcherOf, TODAY } from './screening-fixtures.ts';

// The publishers' files contain real people and stay outside of the project.
const FOLDER = new URL('../../../shared/screening/lists/', import.meta.url);
const isAbsent = !existsSync(FOLDER);

const read = (name: string) => gunzipSync(readFileSync(new URL(`${name}.gz`, FOLDER)));
const sdnEntries = (files: OfacBytes) => parseList('OFAC_SDN', sdnFiles(files)).entries;
const unEntries = (bytes: Uint8Array) => parseList('UN_SC', [fileOf('consolidated.xml', bytes)]).entries;
const persons = (entries: ListEntry[]) => entries.filter(({ names }) => names.length);
const sdn2024 = () => ({
  main: read('sdn_2024-07-02.csv'),
  alt: read('alt_2025-02-27.csv'),
  comments: read('sdn_comments_2025-02-27.csv'),
});
const names = (entries: ListEntry[], isWeak: boolean) =>
  entries.flatMap((entry) => entry.names.filter((name) => name.isWeak === isWeak)).length;

describe.skipIf(isAbsent)('the files of OFAC', () => {
  it.each([
    ['OFAC_SDN', 'sdn_2024-07-02', 'alt_2025-02-27', 'sdn_comments_2025-02-27', 6927, 155],
    ['OFAC_SDN', 'sdn_2021-07-07', 'alt_2021-07-07', 'sdn_comments_2021-07-07', 4620, 9],
    ['OFAC_CONS', 'cons_prim_2025-12-19', 'cons_alt_2025-12-19', 'cons_comments_2025-12-19', 79, 0],
  ] as const)(
    'of %s, %s, have the documented numbers of persons and wallets',
    (list, main, alt, comments, count, wallets) => {
      const filesOf = list === 'OFAC_SDN' ? sdnFiles : consFiles;
      const files = { main: read(`${main}.csv`), alt: read(`${alt}.csv`), comments: read(`${comments}.csv`) };
      const { entries, skipped } = parseList(list, filesOf(files));

      expect(skipped).toBe(0);
      expect(persons(entries)).toHaveLength(count);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      expect(new Set(entries.flatMap((entry) => entry.wallets ?? [])).size).toBe(wallets);
    },
  );

  it('of July 2024 have birth dates, aliases and Brazilian documents', () => {
    const entries = sdnEntries(sdn2024());

    expect(entries.filter(({ births }) => births.length)).toHaveLength(6809);
    expect(names(entries, true)).toBe(2089);
    // Four as "Tax ID No." and one as "Identification Number", and two companies by CNPJ.
    expect(persons(entries).filter(({ documents }) => documents.length)).toHaveLength(5);
    expect(entries.filter(({ documents }) => documents[0]?.length === 14)).toHaveLength(2);
  });
});

describe.skipIf(isAbsent)('the files of the United Nations', () => {
  it('of 27 February 2026 have 730 persons, 677 of them with a birth date', () => {
    const entries = unEntries(read('UN_consolidated_2026-02-27.xml'));

    expect(persons(entries)).toHaveLength(730);
    expect(entries.filter(({ companyNames }) => companyNames?.length)).toHaveLength(273);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(730 + 273);
    expect(entries.filter(({ births }) => births.length)).toHaveLength(677);
    expect(names(entries, true)).toBeGreaterThanOrEqual(615);
  });

  it('of August 2025 are refused, because the stored copy is not in its declared encoding', () => {
    expect(() => unEntries(read('UN_consolidated_2025-08.xml'))).toThrow('utf-8');
  });
});

/** Typical names of companies in Brazil, invented or common. */
const ORDINARY = [
  ...[
    'Global Trading Comércio e Importação Ltda',
    'International Trading Ltda',
    'Auto Posto Estrela do Sul Ltda',
  ],
  ...[
    'Padaria São José Ltda',
    'Mercado Bom Preço Ltda ME',
    'Supermercado União Ltda',
    'Aurora Alimentos Ltda',
  ],
  ...['Construtora Horizonte Ltda', 'Transportes Rápido Ouro Ltda', 'Transportadora Pioneira Ltda'],
  ...['Silva e Santos Comércio Ltda', 'João da Silva 52998224725', 'Maria Oliveira dos Santos ME'],
  ...['Alfa Consultoria Ltda', 'Beta Sistemas Ltda', 'Ômega Engenharia Ltda', 'Delta Trading Ltda'],
  ...['Phoenix Tecnologia Ltda', 'Atlas Transportes Ltda', 'Star Shipping Ltda', 'Órion Logística Ltda'],
  ...['Sirius Informática Ltda', 'Victoria Seguros Ltda', 'Prime Investimentos Ltda', 'Fênix Serviços Ltda'],
  ...['Golden Trade Importação Ltda', 'Mega Power Energia Ltda', 'ABC Comércio Ltda', 'XYZ Serviços Ltda'],
  ...['Fazenda Santa Rita Ltda', 'Clínica São Lucas Ltda', 'Escola Pequeno Príncipe Ltda'],
  ...['Instituto Vida Nova', 'Igreja Batista Central', 'Distribuidora de Bebidas Norte Sul Ltda'],
  ...['Mineração Rio Novo Ltda', 'Energia Renovável do Brasil Ltda', 'Tecnologia e Sistemas Global Ltda'],
];

describe.skipIf(isAbsent)('companies of the real files', () => {
  const searched = () => {
    const entries = [...sdnEntries(sdn2024()), ...unEntries(read('UN_consolidated_2026-02-27.xml'))];
    const searcher = searcherOf(entries);
    return (companyName: string) =>
      searcher
        .search({ cpf: '', name: '', birthDate: '', cnpj: '11222333000181', companyName }, TODAY)
        .filter(({ score }) => score >= REVIEW_POINT);
  };

  it('are far from ordinary companies of Brazil, and close to those with their names', () => {
    const search = searched();

    expect(ORDINARY.filter((name) => search(name).length > 0)).toEqual([]);
    const near = ['Rosoboronexport do Brasil Ltda', 'Bank Melli Iran', 'Petróleos de Venezuela S.A.'];
    expect(near.filter((name) => search(name).length === 0)).toEqual([]);
  });
});

describe.skipIf(isAbsent)('the real files, cut at every tenth', () => {
  const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth / 10);
  const expectDamaged = (list: ListId, files: ListFile[]) =>
    expect(() => parseList(list, files)).toThrow(ListDamaged);
  const cutAt = (bytes: Uint8Array, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

  it.each(TENTHS)('of OFAC are refused at %f, for each of the three files', (share) => {
    const files = sdn2024();

    expectDamaged('OFAC_SDN', sdnFiles({ ...files, main: cutAt(files.main, share) }));
    expectDamaged('OFAC_SDN', sdnFiles({ ...files, alt: cutAt(files.alt, share) }));
    expectDamaged('OFAC_SDN', sdnFiles({ ...files, comments: cutAt(files.comments, share) }));
  });

  it('of OFAC are refused if the comments end between two rows and remarks continue after them', () => {
    const files = sdn2024();
    const rows = files.comments.toString().split(/(?<=\r\n)/);
    const upTo = (count: number) => Buffer.from(rows.slice(0, count).join(''));
    const counts = [0, 5, 10, 15, 19];

    for (const count of counts) expectDamaged('OFAC_SDN', sdnFiles({ ...files, comments: upTo(count) }));
    expect(persons(sdnEntries({ ...files, comments: upTo(rows.length - 1) }))).toHaveLength(6927);
  });

  it.each(TENTHS)('of OFAC’s persons who are not blocked are refused at %f', (share) => {
    const [main, alt, comments] = ['prim', 'alt', 'comments'].map((part) =>
      read(`cons_${part}_2025-12-19.csv`),
    );
    if (!main || !alt || !comments) throw new Error('a file is missing');

    expectDamaged('OFAC_CONS', consFiles({ alt, comments, main: cutAt(main, share) }));
    expectDamaged('OFAC_CONS', consFiles({ main, comments, alt: cutAt(alt, share) }));
    expectDamaged('OFAC_CONS', consFiles({ main, alt, comments: cutAt(comments, share) }));
  });

  it.each(TENTHS)('of the United Nations are refused at %f', (share) => {
    const bytes = read('UN_consolidated_2026-02-27.xml');

    expectDamaged('UN_SC', [fileOf('consolidated.xml', cutAt(bytes, share))]);
  });
});

const EVALUATION = new URL('../eval/list.jsonl.gz', FOLDER);
type Reference = { listId: string; dob: [string, string][] };

describe.skipIf(!existsSync(EVALUATION))('the birth dates of the frozen list', () => {
  it('are those that the product reads', () => {
    const un = unEntries(read('UN_consolidated_2026-02-27.xml'));
    const entries = persons([...sdnEntries(sdn2024()), ...un]);
    const ours = entries.map(({ list, id, births }) => {
      const prefix = list === 'UN_SC' ? 'un' : 'ofac-sdn';
      return `${prefix}:${id} ${spans(births.map(({ from, to }) => [from, to]))}`;
    });

    const lines = gunzipSync(readFileSync(EVALUATION)).toString().trim().split('\n');
    const theirs = lines
      .map((line) => JSON.parse(line) as Reference)
      .filter(({ listId }) => /^(un|ofac-sdn):/.test(listId))
      .map(({ listId, dob }) => `${listId} ${spans(dob)}`);

    expect(ours.sort()).toEqual(theirs.sort());
  });
});

/** Every month ends on the 31st here, because days compare as text. */
const spans = (dates: [string, string][]) =>
  dates
    .map(([from, to]) => `${from}..${from === to ? to : to.replace(/-(28|29|30)$/, '-31')}`)
    .sort()
    .join(' ');
