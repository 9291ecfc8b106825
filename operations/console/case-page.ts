/** Makes the page of one money case. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { sheetOfMoneyCase } from '../money-case-lines.ts';
import { requireMoneyCase } from '../money-case-search.ts';
import { caseActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { givenOf } from './called.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { proposalsAbout } from './proposals.ts';
import { remedyHtml } from './remedies.ts';
import { sheetHtml } from './shown-html.ts';

export async function casePage(id: string, desk: Desk, frame: SignedFrame): Promise<Html> {
  const found = await requireMoneyCase(givenOf([id], {}), desk);
  const about = { subject: found.id, path: `/cases/case?id=${encodeURIComponent(found.id)}` };
  const { partnerId, transactionId } = found;
  const reader = { role: frame.session.role, partnerId, transactionId };
  const remedy = (text: string) => remedyHtml(text, reader);
  const content = html`<h1><small>Money case</small> <bdi>${found.id}</bdi></h1>
${await proposalsAbout(about, desk, frame)}
<section>${sheetHtml(await sheetOfMoneyCase(found, desk), { shows: { do: remedy } })}</section>
${await formsHtml(caseActs(found), desk, frame)}`;
  return consolePage({ title: `Money case ${found.id}`, content, frame });
}
