/** One case of money. */
import { html } from 'hono/html';
import type { Desk } from '../desk.ts';
import { requireMoneyCase } from '../money-case-search.ts';
import { caseActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { called, givenOf } from './called.ts';
import { type Html, pageOf, type SignedFrame } from './layout.ts';
import { shownHtml } from './shown-html.ts';

export async function casePage(id: string, desk: Desk, frame: SignedFrame): Promise<Html> {
  const shown = await called({ name: 'cases show', words: [id] }, { desk, session: frame.session });
  const found = await requireMoneyCase(givenOf([id], {}), desk);
  const content = html`<h1>Money case</h1><section>${shownHtml(shown, 'The case')}</section>
${await formsHtml(caseActs(found), desk, frame)}`;
  return pageOf({ title: 'Money case', content, frame });
}
