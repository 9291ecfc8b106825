/** Makes the page with the books of a period, and a CSV file with the same figures. */
import { html } from 'hono/html';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import type { Flags } from '../command.ts';
import type { Desk } from '../desk.ts';
import { shownLines } from '../shown.ts';
import { type CommandCall, called } from './called.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { shownHtml } from './shown-html.ts';

/** The query of the page's form. */
type BooksQuery = { from?: string; to?: string; partners?: string };

export async function booksPage(query: BooksQuery, desk: Desk, frame: SignedFrame): Promise<Html> {
  const { from, to, partners } = booksPeriod(query, desk.clock.now());
  const shown = await called(booksCall({ from, to, partners }), { desk, session: frame.session });
  const file = `/console/books/csv?${new URLSearchParams({ from, to, ...(partners && { partners }) })}`;
  const content = html`<h1>Books</h1>
<form class="day" method="get" action="/console/books">
<label>From <input name="from" type="date" value="${from}" required></label>
<label>to <input name="to" type="date" value="${to}" required></label>
<label><input name="partners" type="checkbox" value="each" ${partners ? CHECKED : ''}> each partner</label>
<button>Show</button></form>
${shownHtml(shown, `The books from ${from} to ${to}`)}
<p><a href="${file}" download>As CSV</a></p>`;
  return consolePage({ title: `Books from ${from} to ${to}`, content, frame });
}

const CHECKED = html`checked`;

export async function booksFile(query: BooksQuery, desk: Desk, { session }: SignedFrame) {
  const period = booksPeriod(query, desk.clock.now());
  const lines = shownLines(await called(booksCall(period, { csv: true }), { desk, session }));
  return { name: `books-${period.from}-${period.to}.csv`, text: lines.map((line) => `${line}\r\n`).join('') };
}

/** The period of the form. Before the form was sent, it is this month until today. */
function booksPeriod({ from, to, partners }: BooksQuery, now: number) {
  const today = dayInBrasilia(now);
  return { from: from || `${today.slice(0, 'YYYY-MM'.length)}-01`, to: to || today, partners };
}

const booksCall = (
  { from, to, partners }: ReturnType<typeof booksPeriod>,
  flags: Flags = {},
): CommandCall => ({
  name: 'books',
  words: [from, to],
  flags: { ...flags, ...(partners && { 'by-partner': true }) },
});
