/** Makes the page with the parked deliveries of each partner. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { withChoices } from './act-choices.ts';
import { deliveryActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { called } from './called.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { tableHtml } from './shown-html.ts';

export async function deliveriesPage(desk: Desk, frame: SignedFrame): Promise<Html> {
  const partners = await desk.register.listPartners();
  const parts = await Promise.all(partners.map(({ id }) => deliveriesHtml(id, desk, frame)));
  const title = 'Parked deliveries';
  const content = html`<h1>${title}</h1>
<p class="lead">Events that an endpoint has not taken after all attempts. They wait until somebody sends
them again.</p>
${parts.every((part) => part === '') ? NOTHING : parts}`;
  return consolePage({ title, content, frame });
}

const NOTHING = html`<p class="empty">No delivery of any partner is parked.</p>`;

/** The parked deliveries of one partner. Empty if there are none. */
async function deliveriesHtml(partner: string, desk: Desk, frame: SignedFrame): Promise<Html | ''> {
  const call = { name: 'deliveries list', flags: { partner } };
  const shown = await called(call, { desk, session: frame.session });
  if (!('rows' in shown) || shown.rows.length === 0) return '';
  const acts = deliveryActs(partner).map((form) => withChoices(form, [shown]));
  return html`<h2>${partner}</h2>${tableHtml(shown, `Parked deliveries of ${partner}`)}
${await formsHtml(acts, desk, frame)}`;
}
