import Papa from 'papaparse';
import { fold } from '../../domain/kyc/person-name.ts';
import {
  ListDamaged,
  type ListFile,
  MAX_FIELD,
  requireFewRows,
  requireMostlyRead,
  utf8Of,
  westernOf,
} from './list-file.ts';

/**
 * A row of the file. It spans several lines if a field contains line breaks. `isWhole` is false if a quote is
 * wrong and may have joined several rows.
 */
type CsvRow = { fields: string[]; lines: number; isWhole: boolean };

/**
 * The number of characters that are parsed at a time, and the longest allowed row. A file with a longer row
 * is refused.
 */
const BATCH = 32 * 1024;
const MAX_ROW = 16 * MAX_FIELD;

const END_MARK = '\u001a';

type OfacFile = { columns: number; endMark: 'required' | 'optional' };

/**
 * Reads OFAC's files. They have no header, a fixed number of columns, and `-0-` for an empty field. Most end
 * with CP/M's end mark (0x1A). No other sign shows that the file was not cut between two rows. `visit`
 * returns whether it could use the row. Returns how many rows were unreadable.
 */
export function forEachOfacRow(
  file: ListFile,
  { columns, endMark }: OfacFile,
  visit: (row: string[]) => boolean,
): number {
  const tally = { rows: 0, skipped: 0 };
  for (const row of csvRows(file, untilEndMark(file, endMark === 'required'), ',')) {
    const fields = row.fields.map((field) => (field.trim() === '-0-' ? '' : field));
    tallyRow(tally, row, isReadable(row, columns) && visit(fields));
    requireFewRows(file.name, tally.rows);
  }
  requireMostlyRead(file.name, tally);
  return tally.skipped;
}

/**
 * The columns of a file. A file without a needed column is refused. Without an optional column, the field is empty in
 * each record.
 */
type Columns<Column> = { needed: readonly Column[]; optional?: readonly Column[] };

/**
 * Reads files of the Brazilian transparency portal, which begin with a header of known column titles. `visit`
 * returns whether it could use the record. Returns how many rows were unreadable. A row that is cut at the
 * end of the file is one of them.
 */
export function forEachPortalRecord<Column extends string>(
  file: ListFile,
  { needed, optional = [] }: Columns<Column>,
  visit: (record: Record<Column, string>) => boolean,
): number {
  const tally = { rows: 0, skipped: 0 };
  let header: { width: number; places: (readonly [Column, number])[] } | undefined;
  for (const row of csvRows(file, westernOf(file), ';')) {
    if (header) {
      const isRead = isReadable(row, header.width) && visit(csvRecord(row.fields, header.places));
      tallyRow(tally, row, isRead);
      requireFewRows(file.name, tally.rows);
    } else {
      const places = [
        ...needed.map((column) => [column, requirePlace(column, row.fields, file)] as const),
        ...optional.map((column) => [column, columnPlace(column, row.fields)] as const),
      ];
      header = { width: row.fields.length, places };
    }
  }
  requireMostlyRead(file.name, tally);
  return tally.skipped;
}

function csvRecord<Column extends string>(fields: string[], places: (readonly [Column, number])[]) {
  const entries = places.map(([column, place]) => [column, fields[place]?.trim() ?? '']);
  return Object.fromEntries(entries) as Record<Column, string>;
}

/**
 * Counts a row. A wrong quote may join several lines to one row. Therefore each line of an unreadable row is
 * counted as an unreadable row.
 */
function tallyRow(tally: { rows: number; skipped: number }, { lines }: CsvRow, isRead: boolean): void {
  tally.rows += isRead ? 1 : lines;
  tally.skipped += isRead ? 0 : lines;
}

function isReadable({ fields, isWhole }: CsvRow, columns: number): boolean {
  const isSound = (field: string) => field.length <= MAX_FIELD && !field.includes('\0');
  return isWhole && fields.length === columns && fields.every(isSound);
}

/**
 * Converts `dd/mm/aaaa` (day, month, year) to an ISO day. Undefined for "Não informada" and any other text.
 */
export function portalDate(text: string): string | undefined {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  return match ? `${match[3]}-${match[2]}-${match[1]}` : undefined;
}

/** Yields the text before the end mark. Throws if a required mark is missing, or if text follows the mark. */
function* untilEndMark(file: ListFile, isRequired: boolean): Generator<string> {
  let isOver = false;
  for (const text of utf8Of(file)) {
    const [body = '', ...others] = isOver ? ['', text] : text.split(END_MARK);
    isOver ||= others.length > 0;
    if (others.join(END_MARK).trim()) throw new ListDamaged(file.name, 'it goes on after its end mark');
    yield body;
  }
  if (isRequired && !isOver) throw new ListDamaged(file.name, 'the end mark is missing');
}

/** Yields the rows of a CSV, without empty ones. Only one batch of text is in memory at a time. */
function* csvRows(file: ListFile, texts: Iterable<string>, delimiter: ',' | ';'): Generator<CsvRow> {
  let text = '';
  let parsed = 0;
  for (const piece of texts) {
    text += piece;
    if (text.length - parsed < BATCH) continue;
    const { rows, cursor } = parseCsv(file, text, { delimiter, isLast: false });
    yield* rows;
    text = text.slice(cursor);
    parsed = text.length;
    if (parsed > MAX_ROW) throw rowTooLong(file);
  }
  yield* parseCsv(file, text, { delimiter, isLast: true }).rows;
}

type Batch = { delimiter: ',' | ';'; isLast: boolean };

/**
 * Parses the whole rows of `text`. `cursor` is the position in `text` where the first incomplete row begins.
 */
function parseCsv(
  file: ListFile,
  text: string,
  { delimiter, isLast }: Batch,
): { rows: CsvRow[]; cursor: number } {
  const rows: CsvRow[] = [];
  let cursor = 0;
  const step = ({ data, errors, meta }: Papa.ParseStepResult<string[][]>) => {
    if (meta.cursor - cursor > MAX_ROW) throw rowTooLong(file);
    cursor = meta.cursor;
    const fields = data[0] ?? [];
    if (fields.some((field) => field.trim())) rows.push(csvRow(fields, errors));
  };
  new Papa.Parser({ delimiter, newline: '\n', fastMode: false, step }).parse(text, 0, !isLast);
  return { rows, cursor };
}

/** Makes a row. A stray quote within a field is harmless if the row has only one line. */
function csvRow(fields: string[], errors: Papa.ParseError[]): CsvRow {
  const lines = fields.reduce((sum, field) => sum + field.split('\n').length - 1, 1);
  const isOpen = errors.some(({ code }) => code === 'MissingQuotes');
  return { fields, lines, isWhole: !isOpen && (!errors.length || lines === 1) };
}

function rowTooLong(file: ListFile): ListDamaged {
  return new ListDamaged(file.name, 'a row is too long');
}

/**
 * Finds a column by its title, and answers -1 without it. It ignores case, accents, spaces and underscores, because the
 * publisher has changed them over the years.
 */
function columnPlace(column: string, header: string[]): number {
  const plain = (text: string) => fold(text).replaceAll(/[^0-9a-z]/gi, '');
  return header.findIndex((title) => plain(title) === plain(column));
}

function requirePlace(column: string, header: string[], file: ListFile): number {
  const place = columnPlace(column, header);
  if (place === -1) throw new ListDamaged(file.name, `column ${column} is missing`);
  return place;
}
