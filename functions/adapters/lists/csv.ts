import Papa from 'papaparse';
import { fold } from '../../domain/person-name.ts';

type Dialect = { encoding: 'utf-8' | 'windows-1252'; delimiter: ',' | ';' };

const END_MARK = '\u001a';

/** OFAC's files: no header, a fixed number of columns, `-0-` for nothing, and mostly the end mark of CP/M. */
export function ofacRows(bytes: Uint8Array, columns: number): string[][] {
  const rows = rowsOf(bytes, { encoding: 'utf-8', delimiter: ',' });
  requireWidth(rows, columns);
  return rows.map((row) => row.map((field) => (field.trim() === '-0-' ? '' : field)));
}

/** The end mark is the one sign that a file of whole rows was not cut short. */
export function requireEndMark(bytes: Uint8Array): void {
  if (bytes.at(-1) !== END_MARK.charCodeAt(0)) throw new Error('the end mark is missing');
}

/** The files of the Brazilian transparency portal: a header, and columns that we know by name. */
export function portalRecords<Column extends string>(
  bytes: Uint8Array,
  columns: readonly Column[],
): Record<Column, string>[] {
  const [header = [], ...rows] = rowsOf(bytes, { encoding: 'windows-1252', delimiter: ';' });
  requireWidth(rows, header.length);
  const places = columns.map((column) => [column, placeOf(column, header)] as const);
  return rows.map((row) => {
    const fields = places.map(([column, place]) => [column, row[place]?.trim() ?? '']);
    return Object.fromEntries(fields) as Record<Column, string>;
  });
}

/** `dd/mm/aaaa` → ISO. "Não informada" and anything else unreadable is no date. */
export function portalDate(text: string): string | undefined {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  return match ? `${match[3]}-${match[2]}-${match[1]}` : undefined;
}

function rowsOf(bytes: Uint8Array, { encoding, delimiter }: Dialect): string[][] {
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes).trimEnd();
  const body = text.endsWith(END_MARK) ? text.slice(0, -1) : text;
  const { data, errors } = Papa.parse<string[]>(body, { delimiter, skipEmptyLines: true });
  if (errors[0]) throw new Error(`row ${(errors[0].row ?? 0) + 1}: ${errors[0].code}`);
  return data;
}

/** A file cut short, or one in another format, shows first in a row of the wrong width. */
function requireWidth(rows: string[][], width: number): void {
  const wrong = rows.findIndex((row) => row.length !== width);
  if (wrong !== -1) throw new Error(`row ${wrong + 1} has ${rows[wrong]?.length} columns, not ${width}`);
}

/** Headers have changed case, spaces and underscores over the years. */
function placeOf(column: string, header: string[]): number {
  const plain = (text: string) => fold(text).replaceAll('_', ' ').trim();
  const place = header.findIndex((title) => plain(title) === plain(column));
  if (place === -1) throw new Error(`column ${column} is missing`);
  return place;
}
