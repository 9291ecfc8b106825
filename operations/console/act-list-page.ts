/** Makes the pages with the acts that wait for a second person, and with the search of all acts. */
import { html } from 'hono/html';
import type { Act, ActShownState } from '../../functions/domain/acts/act.ts';
import { actCells, HEAD } from '../act-list.ts';
import { findActs } from '../audit.ts';
import type { Desk } from '../desk.ts';
import type { Cell, Table } from '../shown.ts';
import { maySee, passing } from './act-readers.ts';
import { subjectLink } from './act-subjects.ts';
import { givenOf } from './called.ts';
import { consolePage, type Html, type SignedFrame, tabsOf } from './layout.ts';
import { openActsFor } from './proposals.ts';
import { tableHtml } from './shown-html.ts';

const LINKS = { subject: subjectLink };

const TABS = [
  ['/acts', 'Waiting'],
  ['/acts/past', 'Past'],
] as const;

export async function waitingPage(desk: Desk, frame: SignedFrame): Promise<Html> {
  const acts = await openActsFor(desk, frame);
  const table = { head: WAITING, rows: acts.map(waitingRow), empty: 'Nothing waits for a second person.' };
  const content = html`<h1>Acts</h1>
<p class="lead">Changes that one person has proposed, and that another person approves or refuses.</p>
${tabsOf(TABS, '/acts')}${tableHtml(table, 'Waiting acts', { links: LINKS })}`;
  return consolePage({ title: 'Acts', content, frame });
}

const WAITING = ['act', 'what', 'subject', 'who', 'why', 'before', 'after', 'until'];

function waitingRow({ id, first }: Act): Cell[] {
  const { name, subject, who, reason, before, after } = first;
  const until = first.kind === 'PROPOSED' ? new Date(first.expiresAt) : undefined;
  return [id, name, subject, who.id, reason, stateText(before, subject), stateText(after, subject), until];
}

/** The state as a text. The act's subject is left out, because it has a column of its own. */
const stateText = (state: ActShownState = {}, subject: string): string =>
  Object.entries(state)
    .filter(([, value]) => value !== subject)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** The person's search, as options of `audit list`. */
export type Searched = { text?: string; who?: string; since?: string };

export async function pastPage(query: Searched, desk: Desk, frame: SignedFrame): Promise<Html> {
  const searched: Searched = { text: query.text, who: query.who, since: query.since };
  const flags = Object.fromEntries(Object.entries(searched).filter(([, value]) => value));
  const found = await findActs(givenOf([], flags), desk);
  const acts = await passing(found, (act) => maySee(act, frame.session, desk));
  const now = desk.clock.now();
  const rows = acts.toReversed().map((act) => actCells(act, now));
  const table: Table = { head: HEAD, rows, empty: 'No act is like that.' };
  const content = html`<h1>Past acts</h1>
<p class="lead">All that people did, wanted and approved, in the last 30 days if you name no day.</p>
${tabsOf(TABS, '/acts/past')}${actSearchForm(searched)}${tableHtml(table, 'Past acts', { links: LINKS })}`;
  return consolePage({ title: 'Past acts', content, frame });
}

const actSearchForm = ({
  text,
  who,
  since,
}: Searched): Html => html`<form class="fields" method="get" action="/console/acts/past">
<p><label for="text">Words</label>
<input id="text" name="text" type="search" value="${text ?? ''}" maxlength="200"></p>
<p><label for="who">Person</label>
<input id="who" name="who" type="search" value="${who ?? ''}" maxlength="200"></p>
<p><label for="since">Since</label>
<input id="since" name="since" type="date" value="${since ?? ''}"></p>
<button>Search acts</button></form>`;
