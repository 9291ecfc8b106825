/** The output of a command: lines for people, or data for scripts (`--json`). */
import { columns, instant } from './words.ts';

/** A cell. An instant is a `Date`: people read it in Brasília's time, and scripts in ISO. */
export type Cell = string | number | Date | undefined;
type Rows = readonly (readonly Cell[])[];

/** The names of the attributes whose numbers are instants. */
const INSTANT = /^(at|until)$|At$/;

/** Makes the cell for a value. A number is shown as an instant if the name of its attribute says so. */
export function cellOf(name: string, value: unknown): Cell {
  if (typeof value === 'number') return INSTANT.test(name) ? new Date(value) : value;
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/** A table. `empty` is printed if it has no rows. `more` are lines below it. */
export type Table = { head: readonly string[]; rows: Rows; empty: string; more?: readonly string[] };
/** Names with their values. A name may occur several times. */
export type Sheet = { sheet: Rows };
/** Lines of text for people, and the same facts as data for scripts. */
export type Told = { lines: readonly string[]; json: unknown };

/** Several tables about one subject. `name` is the key of the table's rows for scripts. */
export type TitledTable = { name: string; title: string; table: Table };
type ShownParts = { parts: readonly TitledTable[] };

export type Shown = readonly string[] | Table | Sheet | Told | ShownParts;

export function shownLines(shown: Shown): readonly string[] {
  if (isLines(shown)) return shown;
  if ('lines' in shown) return shown.lines;
  if ('sheet' in shown) return columns(texts(shown.sheet));
  if ('parts' in shown) return shown.parts.flatMap(linesOfPart);
  const { head, rows, empty, more = [] } = shown;
  if (rows.length === 0) return [empty, ...more];
  return [...columns([head.map((name) => name.toUpperCase()), ...texts(rows)]), ...more];
}

const linesOfPart = ({ title, table }: TitledTable, at: number): string[] => [
  ...(at > 0 ? [''] : []),
  title,
  ...shownLines(table).map((line) => `  ${line}`),
];

export function shownJson(shown: Shown): unknown {
  if (isLines(shown)) return shown;
  if ('lines' in shown) return shown.json;
  if ('sheet' in shown) return objectOf(shown.sheet);
  if ('parts' in shown)
    return Object.fromEntries(shown.parts.map(({ name, table }) => [name, shownJson(table)]));
  return shown.rows.map((row) => Object.fromEntries(shown.head.map((name, index) => [name, row[index]])));
}

/** The whole output as a text: for people, or as JSON. */
export const textOfShown = (shown: Shown, isJson: boolean): string =>
  `${isJson ? JSON.stringify(shownJson(shown), null, 2) : shownLines(shown).join('\n')}\n`;

export const isLines = (shown: Shown): shown is readonly string[] => Array.isArray(shown);

const texts = (rows: Rows) => rows.map((row) => row.map(cellText));

function cellText(cell: Cell): string {
  if (cell instanceof Date) return instant(cell.getTime());
  return cell === undefined ? '-' : String(cell);
}

/** If a name occurs several times, its values become a list. */
function objectOf(rows: Rows): Record<string, unknown> {
  const byName = Map.groupBy(rows, ([name]) => String(name));
  const cellOf = ([, ...values]: readonly Cell[]) => (values.length === 1 ? values[0] : values);
  return Object.fromEntries(
    [...byName].map(([name, found]) => {
      const values = found.map(cellOf);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
