/** Makes one of the pages in `DESK_PAGES`, which show what commands print. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { called } from './called.ts';
import type { DeskPage } from './desk-pages.ts';
import { CURRENT, type Html, pageOf, type SignedFrame } from './layout.ts';
import { shownHtml } from './shown-html.ts';

export async function deskPage(page: DeskPage, desk: Desk, frame: SignedFrame): Promise<Html> {
  const { path, title, about, calls, besides = [], links } = page;
  const parts = await Promise.all(
    calls.map(async (call) => {
      const shown = await called(call, { desk, session: frame.session });
      const heading = call.title ? html`<h2>${call.title}</h2>` : '';
      return html`${heading}${shownHtml(shown, call.title ?? title, links)}`;
    }),
  );
  const content = html`<h1>${title}</h1><p class="lead">${about}</p>${tabsOf(besides, path)}${parts}`;
  return pageOf({ title, content, frame });
}

export function tabsOf(besides: NonNullable<DeskPage['besides']>, path: string): Html | '' {
  if (besides.length === 0) return '';
  const items = besides.map(
    ([to, label]) => html`<li><a href="/console${to}" ${to === path ? CURRENT : ''}>${label}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="Views"><ul>${items}</ul></nav>`;
}
