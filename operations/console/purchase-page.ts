/** Makes the page of a purchase: its story, in the words of `tx show`, next to its way through the state machine. */
import { html } from 'hono/html';
import { instantOf } from '../../functions/domain/ports.ts';
import { executionName } from '../../functions/domain/purchase/execution.ts';
import { type ExecutionWay, type Stay, wayOf } from '../../functions/domain/purchase/execution-way.ts';
import { type DeskStory, deskStoryOf } from '../../functions/domain/purchase/story-desk.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { brlIn } from '../../functions/domain/wording.ts';
import type { Desk } from '../desk.ts';
import { deskFacts } from '../purchase-facts.ts';
import type { Cell } from '../shown.ts';
import { headOf } from '../tx-lines.ts';
import { spanWords } from '../words.ts';
import { purchaseActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { graphOf } from './graph.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { MACHINE } from './machine.ts';
import { proposalsAbout } from './proposals.ts';
import { remedyHtml } from './remedies.ts';
import type { Role } from './roles.ts';
import { tableHtml } from './shown-html.ts';
import { timeHtml } from './times.ts';

/** `waiting` are the acts about the purchase that wait for a second person. */
type ShownPurchase = {
  role: Role;
  purchase: Transaction;
  story: DeskStory;
  way?: ExecutionWay;
  now: number;
  waiting: Html | '';
};

export async function purchasePage(purchase: Transaction, desk: Desk, frame: SignedFrame): Promise<Html> {
  const at = instantOf(desk.clock);
  const name = executionName(purchase.id, purchase.executions);
  const about = { subject: purchase.id, path: `/purchases/${purchase.id}` };
  const [facts, record, waiting] = await Promise.all([
    deskFacts(purchase, desk),
    desk.executions.findExecution(name),
    proposalsAbout(about, desk, frame),
  ]);
  const story = deskStoryOf(facts, at);
  const { role } = frame.session;
  const shown = { purchase, role, story, way: record && wayOf(record), now: at.now, waiting };
  const content = html`${contentOf(shown)}${await formsHtml(purchaseActs(purchase), desk, frame)}`;
  return consolePage({ title: `Purchase ${purchase.id}`, content, frame });
}

function contentOf(shown: ShownPurchase): Html {
  return html`${purchaseTitleHtml(shown.purchase)}
${shown.waiting}
${purchaseHeadHtml(shown)}
<div class="beside">
<section aria-labelledby="way"><h2 id="way">State machine</h2>
${graphOf(MACHINE, shown.way, shown.now)}
${legend()}
</section>
<div>
<section aria-labelledby="happened"><h2 id="happened">What happened</h2>${happenedHtml(shown.story)}</section>
<section aria-labelledby="parts"><h2 id="parts">Where its parts stand</h2>${partsHtml(shown.story)}</section>
<section aria-labelledby="stays"><h2 id="stays">The way through the states</h2>${wayHtml(shown)}</section>
</div>
</div>`;
}

function purchaseTitleHtml({ id, amountCentavos, asset, partnerId, externalId }: Transaction): Html {
  const partner = html`<a href="/console/partners/${partnerId}">${partnerId}</a>`;
  const reference = externalId === undefined ? '' : html`, its reference <bdi>${externalId}</bdi>`;
  return html`<h1><small>Purchase</small> ${id}</h1>
<p class="lead">${brlIn('en', amountCentavos)} in ${asset}, of ${partner}${reference}</p>`;
}

/** The first lines of `tx show`, without the very first, which the page's title contains. */
function purchaseHeadHtml({ purchase, role, story, now }: ShownPurchase): Html {
  const { id: transactionId, partnerId } = purchase;
  const about = { role, partnerId, transactionId };
  const [, ...all] = headOf(purchase, story, now);
  const rows = all.filter(([, words]) => words !== '-');
  return html`<dl class="head ${story.state.status.toLowerCase()}">${rows.map(
    ([name, words]) => html`<div><dt>${name}</dt><dd>${remedyHtml(words ?? '', about)}</dd></div>
`,
  )}</dl>`;
}

const legend = () => html`<p class="legend"><span class="key taken">taken</span>
<span class="key last">where it stands or ended</span> <span class="key troubled">with errors</span>
<span class="key possible">possible</span> <span class="key catch">after an error</span></p>`;

const happenedHtml = ({ happened }: DeskStory) =>
  html`<ol class="happened">${happened.map(
    ({ at, text }) => html`<li>${timeHtml(at)} <span>${text}</span></li>
`,
  )}</ol>`;

const partsHtml = ({ parts }: DeskStory) =>
  html`<dl class="facts">${parts.map(
    ({ name, text, at }) => html`<div><dt>${name}</dt><dd>${text}</dd>${
      at === undefined ? '' : html`<dd class="soft">${timeHtml(at)}</dd>`
    }</div>
`,
  )}</dl>`;

/**
 * The most stays that the page shows. A stay is one visit of the execution to a state. If there are more,
 * only the newest are shown, because they tell most.
 */
const MOST_STAYS = 50;

function wayHtml({ way, now }: ShownPurchase): Html {
  if (!way)
    return html`<p class="empty">Step Functions does not know this execution, or no longer keeps it.</p>`;
  const shown = way.stays.slice(-MOST_STAYS);
  const left = way.stays.length - shown.length;
  const more = left > 0 ? [`${left} earlier stays are left out.`] : [];
  const rows = shown.map((stay) => stayCells(stay, now));
  const table = { head: HEAD, rows, empty: 'It has just begun.', more };
  return html`<p>Execution <bdi>${way.name}</bdi>: ${way.status}</p>
${tableHtml(table, 'The way through the states')}`;
}

const HEAD = ['state', 'entered', 'for', 'tries', 'errors'];

function stayCells({ state, enteredAt, leftAt, tries, errors }: Stay, now: number): Cell[] {
  const spent = leftAt === undefined ? `${spanWords(now - enteredAt)} so far` : spanWords(leftAt - enteredAt);
  const words = [...errors].map(([name, times]) => (times === 1 ? name : `${name}, ${times} times`));
  return [state, new Date(enteredAt), spent, tries || undefined, words.join('; ')];
}
