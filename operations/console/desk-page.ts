/** Makes one of the pages in `DESK_PAGES`, which show what commands print. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { withChoices } from './act-choices.ts';
import { formsHtml } from './act-html.ts';
import { subjectPath } from './act-subjects.ts';
import { called } from './called.ts';
import type { DeskPage } from './desk-pages.ts';
import { consolePage, type Html, type SignedFrame, tabsOf } from './layout.ts';
import { openActsFor, proposalMarks, proposalsHtml } from './proposals.ts';
import { shownHtml } from './shown-html.ts';

export async function deskPage(page: DeskPage, desk: Desk, frame: SignedFrame): Promise<Html> {
  const { path, title, about, calls, besides, links, acts = [], isOnRows } = page;
  const parts = await Promise.all(
    calls.map(async (call) => ({ call, shown: await called(call, { desk, session: frame.session }) })),
  );
  const waiting = await openActsFor(desk, frame);
  const here = waiting.filter(({ first }) => subjectPath(first.name, first.subject) === path);
  const notes = { links, marks: proposalMarks(waiting) };
  const partsHtml = parts.map(({ call, shown }) => {
    const heading = call.title ? html`<h2>${call.title}</h2>` : '';
    return html`${heading}${shownHtml(shown, call.title ?? title, notes)}`;
  });
  const tables = parts.map(({ shown }) => shown).filter((shown) => 'rows' in shown);
  const offered = isOnRows && tables.every(({ rows }) => rows.length === 0) ? [] : acts;
  const content = html`<h1>${title}</h1><p class="lead">${about}</p>
${await proposalsHtml(here, desk, frame)}
${besides ? tabsOf(besides, path) : ''}${partsHtml}
${await formsHtml(
  offered.map((form) => withChoices(form, tables)),
  desk,
  frame,
)}`;
  return consolePage({ title, content, frame });
}
