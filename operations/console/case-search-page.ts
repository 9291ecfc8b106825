/**
 * The search of decided review cases. The browser sends it as a POST form, because a CPF must not be in a
 * URL.
 */
import { html } from 'hono/html';
import { LIST_IDS } from '../../functions/domain/screening/lists.ts';
import { DECISIONS } from '../case-search.ts';
import type { Flags } from '../command.ts';
import type { Desk } from '../desk.ts';
import { called } from './called.ts';

import { REVIEWS } from './desk-pages.ts';
import { consolePage, type Html, type SignedFrame, tabsOf } from './layout.ts';
import { shownHtml } from './shown-html.ts';

type Field = { name: string; label: string; hint?: string; choices?: readonly string[] };

const FIELDS = [
  { name: 'cpf', label: 'CPF of the client' },
  { name: 'name', label: 'Name of the listed person' },
  { name: 'list', label: 'List', choices: LIST_IDS },
  { name: 'entry', label: 'Entry', hint: '36216' },
  { name: 'who', label: 'Decided by', hint: 'ana@example.com' },
  { name: 'decision', label: 'Decision', choices: DECISIONS },
  { name: 'partner', label: 'Partner' },
  { name: 'since', label: 'Since', hint: '2026-11-20' },
  { name: 'until', label: 'Before', hint: '2026-12-31' },
] as const satisfies readonly Field[];

type Form = Readonly<Record<string, unknown>>;

export const caseSearchPage = (frame: SignedFrame): Html => searchPage({}, '', frame);

/**
 * Runs the search of the form, and returns the page with the form and the found cases. The search is recorded
 * under the person's name.
 */
export async function foundCasesPage(form: Form, desk: Desk, frame: SignedFrame): Promise<Html> {
  const given = FIELDS.map(({ name }) => [name, typedText(form, name)] as const).filter(
    ([, text]) => text !== '',
  );
  const flags: Flags = Object.fromEntries(given);
  const shown = await called({ name: 'reviews search', flags }, { desk, session: frame.session });
  const found = html`<h2>Found</h2>${shownHtml(shown, 'Found cases', { links: REVIEWS.links })}`;
  return searchPage(form, found, frame);
}

function typedText(form: Form, name: string): string {
  const text = form[name];
  return typeof text === 'string' ? text.trim() : '';
}

function searchPage(form: Form, found: Html | '', frame: SignedFrame): Html {
  const title = 'Search decided reviews';
  // The CPF is not repeated, so that no screen shows it without need.
  const fields = FIELDS.map((field) =>
    searchFieldHtml(field, field.name === 'cpf' ? '' : typedText(form, field.name)),
  );
  const content = html`<h1>${title}</h1>
<p class="lead">The decisions of the last year, unless a period is named. With a CPF, those of all years.
Each search is recorded under your name.</p>
${tabsOf(REVIEWS.besides, '/reviews/search')}
<form class="fields" method="post" action="/console/reviews/search">
${fields}
<button>Search reviews</button>
</form>
${found}`;
  return consolePage({ title, content, frame });
}

function searchFieldHtml({ name, label, hint = '', choices }: Field, text: string): Html {
  const id = `case-${name}`;
  const input = choices
    ? html`<select id="${id}" name="${name}"><option value="">any</option>
${choices.map((choice) => html`<option ${choice === text ? SELECTED : ''}>${choice}</option>`)}</select>`
    : html`<input id="${id}" name="${name}" value="${text}" maxlength="200" autocomplete="off"
spellcheck="false" placeholder="${hint}">`;
  return html`<p><label for="${id}">${label}</label> ${input}</p>
`;
}

const SELECTED = html`selected`;
