/** The parked deliveries of each partner. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { deliveryActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { called } from './called.ts';
import { type Html, pageOf, type SignedFrame } from './layout.ts';
import { shownHtml } from './shown-html.ts';

export async function deliveriesPage(desk: Desk, frame: SignedFrame): Promise<Html> {
  const partners = await desk.register.listPartners();
  const all = await Promise.all(
    partners.map(async ({ id }) => {
      const call = { name: 'deliveries list', flags: { partner: id } };
      const shown = await called(call, { desk, session: frame.session });
      return { id, shown, acts: await formsHtml(deliveryActs(id), desk, frame) };
    }),
  );
  const parked = all.filter(({ shown }) => 'rows' in shown && shown.rows.length > 0);
  const title = 'Parked deliveries';
  const content = html`<h1>${title}</h1>
<p class="lead">Events that an endpoint has not taken after all attempts. They wait until somebody sends
them again.</p>
${parked.length === 0 ? html`<p class="empty">No delivery of any partner is parked.</p>` : ''}
${parked.map(
  ({ id, shown, acts }) => html`<h2>${id}</h2>${shownHtml(shown, `Parked deliveries of ${id}`)}${acts}`,
)}`;
  return pageOf({ title, content, frame });
}
