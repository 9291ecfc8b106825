/** Makes the page of a review case: the client next to the listed person, then the basis of the decision. */
import { html } from 'hono/html';
import { requireCase } from '../case-search.ts';
import type { Desk } from '../desk.ts';
import { showingOf } from '../reviews.ts';
import type { Cell } from '../shown.ts';
import { reviewActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { disclosed, givenOf } from './called.ts';
import { COMPARED, comparisonHtml } from './compare.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { proposalsAbout } from './proposals.ts';
import { sheetHtml } from './shown-html.ts';

/** The names of the rows of `reviews show` about the list. `COMPARED` are those about both persons. */
const LISTING = ['entry', 'programme', 'listed until', 'listed now'];
/** The rows about the case itself. All others are evidence. */
const CASE = ['score', 'because', 'status', 'mark', 'before', 'due', 'assigned', 'partner', 'case'];

export async function reviewPage(id: string, desk: Desk, frame: SignedFrame): Promise<Html> {
  const { session } = frame;
  const found = await requireCase(givenOf([id], {}), desk);
  const shown = await disclosed('reviews show', showingOf(found, desk), { desk, session });
  const sheet = 'sheet' in shown ? shown.sheet : [];
  const named = (names: readonly string[]) => sheet.filter(([name]) => names.includes(String(name)));
  const evidence = sheet.filter(([name]) => ![...COMPARED, ...LISTING, ...CASE].includes(String(name)));
  const about = { subject: found.id, path: `/reviews/${encodeURIComponent(found.id)}` };
  const content = html`<h1><small>Review case</small> ${found.id}</h1>
<p class="lead">This reading is recorded under your name.</p>
${await proposalsAbout(about, desk, frame)}
${comparisonHtml({ sheet })}
<div class="pair">
${cardOf('The case', named(CASE))}
${cardOf('The listing', named(LISTING))}
</div>
${await formsHtml(reviewActs(found, session.person.id), desk, frame)}
${cardOf(
  'The evidence',
  evidence.map((row) => row.map(withoutToken)),
)}`;
  return consolePage({ title: `Review case ${found.id}`, content, frame });
}

/** Shortens a KYC token. No page shows a whole token, because its holder can open purchases. */
const withoutToken = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replace(/^kyc_\w+/, 'kyc_…') : cell;

const cardOf = (title: string, sheet: readonly (readonly Cell[])[]) =>
  html`<section><h2>${title}</h2>${sheetHtml({ sheet })}</section>`;
