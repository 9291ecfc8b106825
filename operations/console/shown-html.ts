/** Shows the output of a command as HTML, with the same rows as in the terminal. */
import { html } from 'hono/html';
import { type Cell, type Sheet, type Shown, shownLines, type Table } from '../shown.ts';
import type { Html } from './layout.ts';
import { timedHtml, timeHtml } from './times.ts';

/** For the head of a column, the function that makes the URL to which the column's cells link. */
export type Links = Readonly<Record<string, LinkOf>>;
/**
 * `marks` are notes below a cell of the first column, by the text of the cell. `partLinks` are the links of each
 * table, by the name of its part, if the command prints several tables.
 */
export type Notes = {
  links?: Links;
  marks?: ReadonlyMap<string, Html>;
  partLinks?: Readonly<Record<string, Links>>;
};

const LINKS: Links = {
  act: (id) => `/console/acts/${encodeURIComponent(id)}`,
  // An event has no page of its own. The link searches for its id, which finds its purchase.
  event: (id) => `/console/search?q=${encodeURIComponent(id)}`,
  transactionId: (id) => `/console/purchases/${encodeURIComponent(id)}`,
  partnerId: (id) => `/console/partners/${encodeURIComponent(id)}`,
  purchase: (id) => `/console/purchases/${encodeURIComponent(id)}`,
  partner: (id) => `/console/partners/${encodeURIComponent(id)}`,
};

export function shownHtml(shown: Shown, label: string, notes?: Notes): Html {
  if ('head' in shown) return tableHtml(shown, label, notes);
  if ('sheet' in shown) return sheetHtml(shown);
  if ('parts' in shown)
    return html`${shown.parts.map(
      ({ name, title, table }) =>
        html`<h2>${title}</h2>${tableHtml(table, title, { links: notes?.partLinks?.[name] })}`,
    )}`;
  // Lines in columns are wider than a phone. They scroll in their own box, which the keyboard can reach.
  const text = shownLines(shown).join('\n');
  return html`<pre tabindex="0" role="region" aria-label="${label}">${timedHtml(text)}</pre>`;
}

/**
 * Shows a table. On a phone the style sheet shows each row as a card, with each value's name from
 * `data-head`. The `role` attributes let screen readers still treat it as a table.
 */
export function tableHtml(
  { head, rows, empty, more = [] }: Table,
  label: string,
  { links = {}, marks }: Notes = {},
): Html {
  const notes = html`${more.map((line) => html`<p>${line}</p>`)}`;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>${notes}`;
  const all = { ...LINKS, ...links };
  const columns = head.map((name, at): Column => {
    const side = isOfAmounts(rows.map((row) => row[at])) ? 'right' : '';
    return { name, side, linkOf: all[name], marks: at === 0 ? marks : undefined };
  });
  return html`<table role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${columns.map(headHtml)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => rowHtml(row, columns))}</tbody></table>${notes}`;
}

/** The URL of a cell with this text. Undefined if there is no page about it. */
export type LinkOf = (text: string, row: readonly Cell[]) => string | undefined;
type Column = { name: string; side: 'right' | ''; linkOf?: LinkOf; marks?: Notes['marks'] };

const headHtml = ({ name, side }: Column) =>
  html`<th role="columnheader" scope="col" class="${side}">${name}</th>`;

const rowHtml = (row: readonly Cell[], columns: readonly Column[]) =>
  html`<tr role="row">${columns.map((column, at) => cellHtml(row[at], row, column))}</tr>\n`;

const isEmpty = (cell: Cell) => cell === undefined || cell === '';

/** Whether a column has amounts alone, at least one with decimals. Such a column is aligned to the right. */
function isOfAmounts(cells: readonly Cell[]): boolean {
  const texts = cells.filter((cell) => !isEmpty(cell)).map(String);
  return texts.some((text) => DECIMAL.test(text)) && texts.every((text) => NUMBER.test(text));
}

/** Shows a cell. An empty one gets a class, by which the style sheet hides it on a phone. */
function cellHtml(cell: Cell, row: readonly Cell[], { name, side, linkOf, marks }: Column): Html {
  const kinds = `${side} ${isEmpty(cell) ? 'none' : ''}`.trim();
  const mark = marks?.get(String(cell));
  const value = valueHtml(cell, row, linkOf);
  const shown = mark ? html`<div>${value} ${mark}</div>` : value;
  return html`<td role="cell" data-head="${name}" class="${kinds}">${shown}</td>`;
}

function valueHtml(cell: Cell, row: readonly Cell[], linkOf?: LinkOf): Html | string {
  if (cell instanceof Date) return timeHtml(cell.getTime());
  if (isEmpty(cell)) return '–';
  const text = String(cell);
  const kind = KINDS.find(([form]) => form.test(text))?.[1];
  // One element, because a phone shows a cell as a grid: each further element would become a row of its own.
  const shown = kind
    ? html`<span class="${kind}">${grouped(text)}</span>`
    : html`<span>${codeHtml(text)}</span>`;
  const to = linkOf?.(text, row);
  return to ? html`<a href="${to}">${shown}</a>` : shown;
}

/** Texts name commands and settings between backticks. */
export const codeHtml = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : timedHtml(part)))}`;

const NUMBER = /^(R\$ ?)?-?\d[\d.,]*( [A-Za-z]{2,5})?$/;
const DECIMAL = /\d\.\d/;

/**
 * Separates the thousands of an amount, unless its text does so already. A number without decimals may be an id,
 * and stays as it is.
 */
const grouped = (text: string): string =>
  NUMBER.test(text) && !text.includes(',')
    ? text.replace(/\d+(?=\.)/, (whole) => BigInt(whole).toLocaleString('en'))
    : text;

/** Patterns of texts, such as ids and numbers, with the CSS class that a matching cell gets. */
const KINDS: readonly (readonly [form: RegExp, kind: string])[] = [
  [/^([0-9a-f]{16}|(?=.*\d)[0-9A-Z]{10})$/, 'id short'],
  [/^(0x[0-9a-f]{40,64}|[0-9A-Z]{26}(\.\d+)?|[0-9a-f]{16,64})$/i, 'id'],
  [NUMBER, 'number'],
  [/^[A-Z]+(_[A-Z]+)*$/, 'word'],
];

/** Functions that show the values of a sheet in another way, each by the name of its row. */
type Shows = Readonly<Record<string, (text: string) => Html>>;
type SheetNotes = { links?: Links; shows?: Shows };

/** Shows a sheet: names with their values. */
export function sheetHtml({ sheet }: Sheet, { links = {}, shows = {} }: SheetNotes = {}): Html {
  const all = { ...LINKS, ...links };
  return html`<dl class="facts">${sheet.map((row) => sheetRow(row, { links: all, shows }))}</dl>`;
}

function sheetRow(row: readonly Cell[], { links, shows }: Required<SheetNotes>): Html {
  const [name, ...values] = row;
  const show = shows[String(name)];
  const shown = values.map((value) => {
    const words = show ? show(String(value)) : valueHtml(value, row, links[String(name)]);
    return html`<dd>${words}</dd>`;
  });
  return html`<div><dt>${name}</dt>${shown}</div>\n`;
}
