/** One case of money. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { sheetOfMoneyCase } from '../money-case-lines.ts';
import { requireMoneyCase } from '../money-case-search.ts';
import { caseActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { givenOf } from './called.ts';
import { type Html, pageOf, type SignedFrame } from './layout.ts';
import { sheetHtml } from './shown-html.ts';

export async function casePage(id: string, desk: Desk, frame: SignedFrame): Promise<Html> {
  const found = await requireMoneyCase(givenOf([id], {}), desk);
  const content = html`<h1><small>Money case</small> <bdi>${found.id}</bdi></h1>
<section>${sheetHtml(await sheetOfMoneyCase(found, desk))}</section>
${await formsHtml(caseActs(found), desk, frame)}`;
  return pageOf({ title: `Money case ${found.id}`, content, frame });
}
