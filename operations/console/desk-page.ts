/** Makes one of the pages in `DESK_PAGES`, which show what commands print. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { formsHtml } from './act-html.ts';
import { called } from './called.ts';
import type { DeskPage } from './desk-pages.ts';
import { type Html, pageOf, type SignedFrame, tabsOf } from './layout.ts';
import { shownHtml } from './shown-html.ts';

export async function deskPage(page: DeskPage, desk: Desk, frame: SignedFrame): Promise<Html> {
  const { path, title, about, calls, besides, links, acts = [] } = page;
  const parts = await Promise.all(
    calls.map(async (call) => {
      const shown = await called(call, { desk, session: frame.session });
      const heading = call.title ? html`<h2>${call.title}</h2>` : '';
      return html`${heading}${shownHtml(shown, call.title ?? title, links)}`;
    }),
  );
  const content = html`<h1>${title}</h1><p class="lead">${about}</p>
${besides ? tabsOf(besides, path) : ''}${parts}
${await formsHtml(acts, desk, frame)}`;
  return pageOf({ title, content, frame });
}
