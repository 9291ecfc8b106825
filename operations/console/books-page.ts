/** The books of one day. */
import { html } from 'hono/html';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import type { Desk } from '../desk.ts';
import { called } from './called.ts';
import { type Html, pageOf, type SignedFrame } from './layout.ts';
import { shownHtml } from './shown-html.ts';

export async function booksPage(wanted: string | undefined, desk: Desk, frame: SignedFrame): Promise<Html> {
  const day = wanted ?? dayInBrasilia(desk.clock.now());
  const shown = await called({ name: 'ledger day', words: [day] }, { desk, session: frame.session });
  const content = html`<h1>Books</h1>
<form class="day" method="get" action="/console/books"><label for="day">Day in Brasília</label>
<input id="day" name="day" type="date" value="${day}" required> <button>Show</button></form>
${shownHtml(shown, `The books of ${day}`)}`;
  return pageOf({ title: `Books of ${day}`, content, frame });
}
