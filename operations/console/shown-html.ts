/** The output of a command as HTML: the same rows that the terminal shows. */
import { html } from 'hono/html';
import type { Cell, Sheet, Table } from '../shown.ts';
import type { Html } from './layout.ts';
import { timeOf } from './times.ts';

/** The page that a cell leads to, by the head of its column. */
export type Links = Readonly<Record<string, (text: string) => string>>;

const LINKS: Links = {
  purchase: (id) => `/console/purchases/${encodeURIComponent(id)}`,
  partner: (id) => `/console/partners/${encodeURIComponent(id)}`,
};

/** On a phone each row is a card, where `data-head` names each value. Roles keep it a table for a screen reader. */
export function tableHtml({ head, rows, empty, more = [] }: Table, label: string): Html {
  const notes = html`${more.map((line) => html`<p>${line}</p>`)}`;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>${notes}`;
  const heads = head.map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
  return html`<table role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => rowHtml(row, head))}</tbody></table>${notes}`;
}

const rowHtml = (row: readonly Cell[], head: readonly string[]) =>
  html`<tr role="row">${row.map((cell, at) => cellHtml(cell, head[at]))}</tr>\n`;

/** On a phone an absent value takes no line. */
function cellHtml(cell: Cell, head = ''): Html {
  const kind = cell === undefined || cell === '' ? 'none' : '';
  return html`<td role="cell" data-head="${head}" class="${kind}">${valueHtml(cell, LINKS[head])}</td>`;
}

function valueHtml(cell: Cell, linkOf?: (text: string) => string): Html | string {
  if (cell instanceof Date) return timeOf(cell.getTime());
  if (cell === undefined || cell === '') return '–';
  return linkOf ? html`<a href="${linkOf(String(cell))}">${cell}</a>` : String(cell);
}

/** Names with their values. */
export const sheetHtml = ({ sheet }: Sheet): Html =>
  html`<dl class="facts">${sheet.map(
    ([name, ...values]) =>
      html`<div><dt>${valueHtml(name)}</dt>${values.map((value) => html`<dd>${valueHtml(value)}</dd>`)}</div>
`,
  )}</dl>`;
