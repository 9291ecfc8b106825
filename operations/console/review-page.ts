/** Makes the page of a review case: the client next to the listed person, then the basis of the decision. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import type { Cell, Shown } from '../shown.ts';
import { reviewActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { called } from './called.ts';
import { type Html, pageOf, type SignedFrame } from './layout.ts';
import { sheetHtml, shownHtml } from './shown-html.ts';

/** The names of the rows of `reviews show` about the client, and about the listed person. */
const CLIENT = ['client', 'CPF', 'company', 'CNPJ'];
const LISTED = [
  'listed',
  'listed as',
  'listed birth',
  'listed document',
  'programme',
  'listed until',
  'listed now',
  'entry',
];
const WHY = ['score', 'because'];

export async function reviewPage(id: string, desk: Desk, frame: SignedFrame): Promise<Html> {
  const shown = await called({ name: 'reviews show', words: [id] }, { desk, session: frame.session });
  const title = 'Review case';
  return pageOf({
    title,
    content: html`<h1>${title}</h1>${contentOf(shown)}
${await formsHtml(reviewActs(id), desk, frame)}`,
    frame,
  });
}

function contentOf(shown: Shown): Html {
  if (!('sheet' in shown)) return shownHtml(shown, 'The case');
  const named = (names: readonly string[]) => shown.sheet.filter(([name]) => names.includes(String(name)));
  const rest = shown.sheet
    .filter(([name]) => ![...CLIENT, ...LISTED, ...WHY].includes(String(name)))
    .map((row) => row.map(withoutToken));
  return html`<div class="pair">
${cardOf('The client', named(CLIENT))}
${cardOf('The listed person or company', named(LISTED))}
</div>
${cardOf('Why this is a case', named(WHY))}
${cardOf('The case and its evidence', rest)}
<p class="soft">This reading is recorded under your name. Only the terminal takes back a wrong confirmation:
<code>reviews undo</code>.</p>`;
}

/** Shortens a KYC token. No page shows a whole token, because its holder can open purchases. */
const withoutToken = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replace(/^kyc_\w+/, 'kyc_…') : cell;

const cardOf = (title: string, sheet: readonly (readonly Cell[])[]) =>
  html`<section><h2>${title}</h2>${sheetHtml({ sheet })}</section>`;
