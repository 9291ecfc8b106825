import type { Table } from '../shown.ts';
import type { ActForm } from './act-forms.ts';

/** Lets a person choose from the cells of the page's tables, instead of typing an id or an address. */
export function withChoices({ fields = [], ...form }: ActForm, tables: readonly Table[]): ActForm {
  const filled = fields.map((field) =>
    field.column ? { ...field, choices: cellsBelow(field.column, tables) } : field,
  );
  return { ...form, fields: filled };
}

function cellsBelow(column: string, tables: readonly Table[]): string[] {
  const cells = tables.flatMap(({ head, rows }) => rows.map((row) => row[head.indexOf(column)]));
  return [...new Set(cells.filter((cell) => typeof cell === 'string'))];
}
