/** Makes the first page: the work that waits for a person, and the newest purchases of all partners. */
import { html } from 'hono/html';
import type { Act } from '../../functions/domain/acts/act.ts';
import type { Asset } from '../../functions/domain/assets.ts';
import { isQuiet } from '../../functions/domain/books/money-case.ts';
import { HOLD_EFFECT, HOLD_WORDS } from '../../functions/domain/treasury/hold.ts';
import type { Desk } from '../desk.ts';
import { listSales, unsoldIn } from '../sales.ts';
import { purchaseTable } from '../tx.ts';
import { mayApprove, passing } from './act-readers.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { openActsFor, proposalMarks } from './proposals.ts';
import { isAtLeast } from './roles.ts';
import { tableHtml } from './shown-html.ts';

const SHOWN = 15;

export async function homePage(desk: Desk, frame: SignedFrame): Promise<Html> {
  const acts = await openActsFor(desk, frame);
  const [waiting, newest] = await Promise.all([readWaiting(acts, desk, frame), newestPurchases(desk)]);
  const marks = proposalMarks(acts);
  const table = { ...purchaseTable(newest), empty: 'There is no purchase yet.' };
  const content = html`<h1>Today</h1>
<ul class="waiting">${waiting.map(waitingHtml)}</ul>
${await holdHtml(desk)}
${unsoldIn(await listSales(desk)).map(unsoldHtml)}
<h2>Newest purchases</h2>${tableHtml(table, 'Newest purchases', { marks })}`;
  return consolePage({ title: 'Today', content, frame });
}

function waitingHtml({ path, labels: [one, several], found }: WaitingRow): Html | '' {
  if (!found) return '';
  const { length } = found;
  const kind = length === 0 ? 'none' : 'some';
  return html`<li class="${kind}"><a href="/console${path}"><strong>${length}</strong>
${length === 1 ? one : several}</a></li>
`;
}

/** A kind of work that waits. `found` is undefined if the person's role may not read this kind. */
type WaitingRow = {
  path: string;
  labels: readonly [one: string, several: string];
  found?: readonly unknown[];
};

/** The work that waits for a person. */
async function readWaiting(open: Act[], desk: Desk, { session }: SignedFrame): Promise<WaitingRow[]> {
  const { cases, moneyCases, register, deliveries } = desk;
  const [acts, reviews, money, partners] = await Promise.all([
    isAtLeast(session.role, 'operator') ? passing(open, (act) => mayApprove(act, session, desk)) : undefined,
    isAtLeast(session.role, 'compliance') ? cases.listOpen() : undefined,
    moneyCases.listOpen(),
    register.listPartners(),
  ]);
  const parked = await Promise.all(partners.map(({ id }) => deliveries.listParked(id)));
  const pending = reviews?.filter(({ opened }) => opened === 'PENDING');
  return [
    { path: '/reviews', labels: ['client to review', 'clients to review'], found: pending },
    { path: '/acts', labels: ['act to approve', 'acts to approve'], found: acts },
    {
      path: '/cases',
      labels: ['open money case', 'open money cases'],
      found: money.filter((each) => !isQuiet(each)),
    },
    { path: '/deliveries', labels: ['parked delivery', 'parked deliveries'], found: parked.flat() },
  ];
}

async function holdHtml({ holds }: Desk): Promise<Html | ''> {
  const hold = await holds.findHold();
  return hold ? html`<p class="alarm">${HOLD_WORDS[hold]}: ${HOLD_EFFECT}.</p>` : '';
}

const unsoldHtml = ([asset, why]: [Asset, string]) =>
  html`<p class="alarm">${asset} is not sold: ${why}. <a href="/console/treasury">Treasury</a></p>
`;

async function newestPurchases({ register, purchaseLists }: Desk) {
  const partners = await register.listPartners();
  const pages = await Promise.all(
    partners.map(({ id }) => purchaseLists.listPurchases({ partnerId: id }, { limit: SHOWN })),
  );
  const all = pages.flatMap(({ purchases }) => purchases);
  return all.sort((one, other) => other.createdAt - one.createdAt).slice(0, SHOWN);
}
