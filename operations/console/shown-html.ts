/** Shows the output of a command as HTML, with the same rows as in the terminal. */
import { html } from 'hono/html';
import { type Cell, linesOf, type Sheet, type Shown, type Table } from '../shown.ts';
import type { Html } from './layout.ts';
import { timeOf } from './times.ts';

/** For the head of a column, the function that makes the URL to which the column's cells link. */
export type Links = Readonly<Record<string, (text: string) => string>>;

const LINKS: Links = {
  act: (id) => `/console/acts/${encodeURIComponent(id)}`,
  transactionId: (id) => `/console/purchases/${encodeURIComponent(id)}`,
  partnerId: (id) => `/console/partners/${encodeURIComponent(id)}`,
  purchase: (id) => `/console/purchases/${encodeURIComponent(id)}`,
  partner: (id) => `/console/partners/${encodeURIComponent(id)}`,
};

export function shownHtml(shown: Shown, label: string, links?: Links): Html {
  if ('head' in shown) return tableHtml(shown, label, links);
  if ('sheet' in shown) return sheetHtml(shown);
  // Lines in columns are wider than a phone. They scroll in their own box, which the keyboard can reach.
  return html`<pre tabindex="0" role="region" aria-label="${label}">${linesOf(shown).join('\n')}</pre>`;
}

/**
 * Shows a table. On a phone the style sheet shows each row as a card, with each value's name from
 * `data-head`. The `role` attributes let screen readers still treat it as a table.
 */
export function tableHtml({ head, rows, empty, more = [] }: Table, label: string, links: Links = {}): Html {
  const notes = html`${more.map((line) => html`<p>${line}</p>`)}`;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>${notes}`;
  const all = { ...LINKS, ...links };
  const heads = head.map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
  return html`<table role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => rowHtml(row, head, all))}</tbody></table>${notes}`;
}

const rowHtml = (row: readonly Cell[], head: readonly string[], links: Links) =>
  html`<tr role="row">${row.map((cell, at) => cellHtml(cell, head[at] ?? '', links))}</tr>\n`;

/** Shows a cell. An empty one gets a class, by which the style sheet hides it on a phone. */
function cellHtml(cell: Cell, head: string, links: Links): Html {
  const kind = cell === undefined || cell === '' ? 'none' : '';
  return html`<td role="cell" data-head="${head}" class="${kind}">${valueHtml(cell, links[head])}</td>`;
}

function valueHtml(cell: Cell, linkOf?: (text: string) => string): Html | string {
  if (cell instanceof Date) return timeOf(cell.getTime());
  if (cell === undefined || cell === '') return '–';
  const text = String(cell);
  const kind = KINDS.find(([form]) => form.test(text))?.[1];
  const shown = kind ? html`<span class="${kind}">${text}</span>` : text;
  return linkOf ? html`<a href="${linkOf(text)}">${shown}</a>` : shown;
}

/** The forms of texts that get their own style. */
const KINDS: readonly (readonly [form: RegExp, kind: string])[] = [
  [/^(0x[0-9a-f]{40,64}|[0-9A-Z]{26}(\.\d+)?|[0-9a-f]{16,64})$/i, 'id'],
  [/^-?\d[\d.,]*( [A-Za-z]{2,5})?$/, 'number'],
  [/^[A-Z]+(_[A-Z]+)*$/, 'word'],
];

const sheetRow = ([name, ...values]: readonly Cell[]) => {
  const shown = values.map((value) => html`<dd>${valueHtml(value, LINKS[String(name)])}</dd>`);
  return html`<div><dt>${name}</dt>${shown}</div>\n`;
};

/** Names with their values. */
export const sheetHtml = ({ sheet }: Sheet): Html => html`<dl class="facts">${sheet.map(sheetRow)}</dl>`;
