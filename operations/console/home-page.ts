/** The first page: where to search, and the newest purchases of all partners. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { purchaseTable } from '../tx.ts';
import { type Frame, type Html, pageOf } from './layout.ts';
import { tableHtml } from './shown-html.ts';

const SHOWN = 15;

export async function homePage({ register, purchaseLists }: Desk, frame: Frame): Promise<Html> {
  const partners = await register.listPartners();
  const pages = await Promise.all(
    partners.map(({ id }) => purchaseLists.listPurchases({ partnerId: id }, { limit: SHOWN })),
  );
  const all = pages.flatMap(({ purchases }) => purchases);
  const newest = all.sort((one, other) => other.createdAt - one.createdAt).slice(0, SHOWN);
  const table = { ...purchaseTable(newest), empty: 'There is no purchase yet.' };
  const content = html`<h1>Newest purchases</h1>${tableHtml(table, 'Newest purchases')}`;
  return pageOf({ title: 'Newest purchases', content, frame });
}
