// Parses a list of many megabytes, made while it is read, in the small memory of the test.
import { parentPort, workerData } from 'node:worker_threads';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';
import { ofacFile, unXml } from './lists-fixtures.ts';

/** `persons` is the number of persons on the list. Their rows are long enough for the megabytes. */
export type Work = { list: ListId; megabytes: number; persons: number };
const { list, megabytes, persons } = workerData as Work;

/** Columns that the parser ignores are most of the published text. */
const NOISE = 'Ministério das Ficções, '.repeat(40);

type Format = { head: string; row: (person: number) => string; tail: string };
const [unHead = '', unTail = ''] = unXml('<!---->').toString().split('<!---->');

const FORMATS: Partial<Record<ListId, Format>> = {
  OFAC_SDN: {
    head: '',
    row: (person) =>
      `${person},"NOME, de ${person}","individual",${'-0- ,'.repeat(8)}"DOB 1966; ${NOISE}."\r\n`,
    tail: '\u001a',
  },
  UN_SC: {
    head: unHead,
    row: (person) =>
      `<INDIVIDUAL><REFERENCE_NUMBER>X.${person}</REFERENCE_NUMBER><FIRST_NAME>NOME DE MUITAS LETRAS ${person}` +
      `</FIRST_NAME><COMMENTS1>${NOISE}</COMMENTS1></INDIVIDUAL>`,
    tail: unTail,
  },
  BR_PEP: {
    head: 'CPF;Nome_PEP;Descrição_Função;Data_Fim_Carência\r\n',
    row: (person) => `"***.444.777-**";"NOME DE MUITAS LETRAS ${person}";"${NOISE}";"31/12/2031"\r\n`,
    tail: '',
  },
};

function* chunks({ head, row, tail }: Format): Generator<Uint8Array> {
  const rows = (megabytes * 2 ** 20) / Buffer.byteLength(row(persons));
  yield Buffer.from(head);
  for (let i = 0; i < rows; i++) yield Buffer.from(row(i % persons));
  yield Buffer.from(tail);
}

const format = FORMATS[list];
if (!format) throw new Error(`no format of ${list}`);
const files = [
  { name: 'sdn.csv', chunks: chunks(format) },
  { name: 'alt.csv', chunks: [ofacFile([])] },
  { name: 'sdn_comments.csv', chunks: [ofacFile([])] },
];
const parsed = parseList(list, list === 'OFAC_SDN' ? files : files.slice(0, 1));
parentPort?.postMessage({ entries: parsed.entries.length, skipped: parsed.skipped });
