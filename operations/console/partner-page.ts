/** One partner, with its newest purchases. */
import { html } from 'hono/html';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import type { Desk } from '../desk.ts';
import { purchaseTable } from '../tx.ts';
import { type Frame, type Html, pageOf } from './layout.ts';
import { sheetHtml, tableHtml } from './shown-html.ts';

const SHOWN = 25;

export async function partnerPage(partner: Partner, { purchaseLists }: Desk, frame: Frame): Promise<Html> {
  const { id, name, status, spreadBasisPoints, createdAt } = partner;
  const { purchases } = await purchaseLists.listPurchases({ partnerId: id }, { limit: SHOWN });
  const sheet = [
    ['partner', id],
    ['status', status],
    ['margin', `${spreadBasisPoints} bp`],
    ['since', new Date(createdAt)],
  ];
  const table = { ...purchaseTable(purchases), empty: 'The partner has no purchase.' };
  const content = html`<h1><small>Partner</small> <bdi>${name}</bdi></h1>
<section>${sheetHtml({ sheet })}</section>
<h2>Newest purchases</h2>${tableHtml(table, 'Newest purchases')}`;
  return pageOf({ title: `Partner ${id}`, content, frame });
}
