// Small files in the publishers' formats. Everyone in them is invented.

import type { ListFile } from '../../functions/adapters/lists/list-file.ts';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';

export const fileOf = (name: string, bytes: Uint8Array): ListFile => ({ name, chunks: [bytes] });

export type OfacBytes = { main: Uint8Array; alt?: Uint8Array; comments?: Uint8Array };

export const sdnFiles = ({ main, alt = ofacFile([]), comments = ofacFile([]) }: OfacBytes) => [
  fileOf('sdn.csv', main),
  fileOf('alt.csv', alt),
  fileOf('sdn_comments.csv', comments),
];

export const consFiles = ({ main, alt = ofacFile([]), comments = ofacFile([]) }: OfacBytes) => [
  fileOf('cons_prim.csv', main),
  fileOf('cons_alt.csv', alt),
  fileOf('cons_comments.csv', comments),
];

/** The entries of a list of one file. */
export const entriesOf = (list: ListId, bytes: Uint8Array) =>
  parseList(list, [fileOf('list', bytes)]).entries;

export type Party = { id: number; name: string; type?: string; remarks?: string };

const NULLS = Array.from({ length: 7 }, () => '-0- ').join(',');

export const ofacFile = (rows: string[]) => Buffer.from(`${rows.map((row) => `${row}\r\n`).join('')}\u001a`);

export const sdnCsv = (parties: Party[]) =>
  ofacFile(
    parties.map(({ id, name, type = '"individual"', remarks }) => {
      return `${id},"${name}",${type},"SDGT] [IFSR",${NULLS},${remarks ? `"${remarks}"` : '-0- '}`;
    }),
  );

export const altCsv = (aliases: [id: number, name: string, type?: string][]) =>
  ofacFile(aliases.map(([id, name, type = 'aka'], row) => `${id},${row},"${type}","${name}",-0- `));

export const commentsCsv = (comments: [id: number, text: string][]) =>
  ofacFile(comments.map(([id, text]) => `${id},"${text}"`));

const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
export const unXml = (individuals: string, head = XML_HEAD, entities = '') =>
  Buffer.from(
    `${head}\n<CONSOLIDATED_LIST dateGenerated="2026-02-27T00:00:09.554Z">
    <INDIVIDUALS>${individuals}</INDIVIDUALS>
    <ENTITIES>${entities}</ENTITIES></CONSOLIDATED_LIST>\n`,
  );

export const unPerson = (id: string, body: string) =>
  `<INDIVIDUAL><DATAID>1</DATAID><REFERENCE_NUMBER>${id}</REFERENCE_NUMBER>${body}</INDIVIDUAL>`;

export const unEntity = (id: string, body: string) =>
  `<ENTITY><DATAID>1</DATAID><REFERENCE_NUMBER>${id}</REFERENCE_NUMBER>${body}</ENTITY>`;

/** Latin-1 agrees with Windows-1252 in all letters of Portuguese. */
export const portalFile = (rows: string[][]) =>
  Buffer.from(rows.map((row) => `${row.map((field) => `"${field}"`).join(';')}\r\n`).join(''), 'latin1');

const CGU_HEADER = [
  'CADASTRO',
  'CÓDIGO DA SANÇÃO',
  'TIPO DE PESSOA',
  'CPF OU CNPJ DO SANCIONADO',
  'NOME DO SANCIONADO',
  'DATA INÍCIO SANÇÃO',
  'DATA FINAL SANÇÃO',
  'ABRAGÊNCIA DA SANÇÃO',
  'CATEGORIA DA SANÇÃO',
];

type Sanction = { id: string; document: string; end?: string; category?: string };

export const cguCsv = (rows: Sanction[], register = 'CEIS') =>
  portalFile([
    CGU_HEADER,
    ...rows.map(({ id, document, end = '', category = '' }) => [
      register,
      id,
      'F',
      document,
      'JOSÉ; DA "FICÇÃO"'.replaceAll('"', '""'),
      '01/02/2020',
      end,
      'Todas',
      category,
    ]),
  ]);

const PEP_HEADER = ['CPF', 'Nome_PEP', 'Sigla_Função', 'Data_Início_Exercício', 'Data_Fim_Carência'];

export const pepCsv = (rows: { cpf: string; name: string; end?: string }[], header = PEP_HEADER) =>
  portalFile([
    header,
    ...rows.map(({ cpf, name, end = 'Não informada' }) => [cpf, name, 'SBX', '01/01/2015', end]),
  ]);

export type ListedFile = { name: string; list: ListId; bytes: Uint8Array };

/** One or two entries on each of five lists. */
export const FILES: ListedFile[] = [
  {
    name: 'v1/sdn.csv',
    list: 'OFAC_SDN',
    bytes: sdnCsv([
      { id: 11, name: 'MORVAINE, Tércio Alba', remarks: "DOB 08 Sep 1966; a.k.a. 'LOBO'." },
      { id: 12, name: 'SOMBRIO, Ivo', remarks: "DOB 1970; a.k.a. 'RAPOSA VELHA'." },
      { id: 13, name: 'OCULTO, Rui' },
      { id: 14, name: 'DOCUMENTADO, Zeno', remarks: 'DOB 1950; Tax ID No. 111.444.777-35 (Brazil).' },
      { id: 15, name: 'VULTO, Ada', remarks: "DOB 02 Mar 1980; a.k.a. 'CORUJA BRANCA'." },
    ]),
  },
  { name: 'v1/alt.csv', list: 'OFAC_SDN', bytes: altCsv([[11, 'MORVAYNE, Tercius']]) },
  { name: 'v1/sdn_comments.csv', list: 'OFAC_SDN', bytes: commentsCsv([[13, ' nothing more.']]) },
  {
    name: 'v1/un.xml',
    list: 'UN_SC',
    bytes: unXml(
      unPerson(
        'XXi.001',
        `<FIRST_NAME>KAREL</FIRST_NAME><SECOND_NAME>FANTASMA</SECOND_NAME><INDIVIDUAL_DATE_OF_BIRTH>
         <TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1966-02-11</DATE></INDIVIDUAL_DATE_OF_BIRTH>`,
      ),
    ),
  },
  {
    name: 'v1/ceis.csv',
    list: 'BR_CEIS',
    bytes: cguCsv([
      { id: '300001', document: '900.000.001-75', end: '20/11/2026' },
      { id: '300002', document: '12ABC34501DE35' },
    ]),
  },
  {
    name: 'v1/cnep.csv',
    list: 'BR_CNEP',
    bytes: cguCsv([{ id: '400001', document: '11222333000181' }], 'CNEP'),
  },
  {
    name: 'v1/pep.csv',
    list: 'BR_PEP',
    bytes: pepCsv([
      { cpf: '***.000.002-**', name: 'OTÁVIA DE BRANDT', end: '31/12/2031' },
      { cpf: '***.000.004-**', name: 'DE' },
    ]),
  },
];
