/** Finds purchases, partners, acts, cases and KYC records by any id that a person has at hand. */
import { html } from 'hono/html';
import { cpfDigits } from '../../functions/domain/kyc/cpf.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { Desk } from '../desk.ts';
import { findPurchases, LONGEST_SEARCH, maySearch } from '../purchase-search.ts';
import { findShownRecord, purchaseTable } from '../tx.ts';
import { maySee } from './act-readers.ts';
import { called } from './called.ts';
import { CASES, REVIEWS } from './desk-pages.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { remedyHtml } from './remedies.ts';
import { isAtLeast } from './roles.ts';
import type { Session } from './session.ts';
import { shownHtml, tableHtml } from './shown-html.ts';

/**
 * Whether the text may be part of a URL. False for a CPF and a KYC token, because browsers and servers store
 * URLs. False also for a text that is too long.
 */
export const canBeInAddress = (text: string): boolean =>
  text.length <= LONGEST_SEARCH && !/^kyc_/i.test(text) && cpfDigits(text) === undefined;

export type Results = {
  purchases: Transaction[];
  partners: { id: string; name: string }[];
  others: Other[];
  record?: readonly string[];
};
/** A found act or case. `path` is the path of its page below `/console`. */
type Other = { label: string; path: string };

const NOTHING: Results = { purchases: [], partners: [], others: [] };

export async function findSearched(text: string, desk: Desk, { session }: SignedFrame): Promise<Results> {
  if (!maySearch(text) || cpfDigits(text)) return NOTHING;
  const [purchases, partners, others] = await Promise.all([
    findPurchases(text, desk),
    partnersLike(text, desk),
    othersWith(text, desk, session),
  ]);
  const record = purchases.length === 0 ? await findShownRecord(text, desk) : undefined;
  return { purchases, partners, others, record: record?.lines };
}

/** The act and the cases with this id, as far as the person may see them. */
async function othersWith(id: string, desk: Desk, session: Session): Promise<Other[]> {
  const mayReview = isAtLeast(session.role, 'compliance');
  const [act, money, review] = await Promise.all([
    desk.acts.findAct(id.toUpperCase()),
    desk.moneyCases.findCase(id),
    mayReview ? desk.cases.findCase(id) : undefined,
  ]);
  const key = encodeURIComponent(id);
  return [
    ...(act && (await maySee(act, session, desk)) ? [{ label: 'Act', path: `/acts/${act.id}` }] : []),
    ...(money ? [{ label: 'Money case', path: `/cases/case?id=${key}` }] : []),
    ...(review ? [{ label: 'Review case', path: `/reviews/${key}` }] : []),
  ];
}

async function partnersLike(text: string, { register }: Desk) {
  const wanted = text.toLowerCase();
  const isLike = (name: string) => name.toLowerCase().includes(wanted);
  return (await register.listPartners()).filter(({ id, name }) => isLike(id) || isLike(name));
}

/** The page of the only match. Undefined if there are several matches or none, or if the match has no page. */
export function onlyPageOf({ purchases, partners, others }: Results): string | undefined {
  const [only, ...more] = [
    ...purchases.map(({ id }) => `/purchases/${id}`),
    ...partners.map(({ id }) => `/partners/${id}`),
    ...others.map(({ path }) => path),
  ];
  return only === undefined || more.length > 0 ? undefined : `/console${only}`;
}

export function resultsPage(text: string, found: Results, frame: SignedFrame): Html {
  const { purchases, partners, others, record } = found;
  const isEmpty = purchases.length + partners.length + others.length === 0 && !record;
  const content = html`<h1>Search</h1>
${isEmpty ? nothingFound(text) : ''}
${partners.length > 0 ? html`<h2>Partners</h2>${tableHtml(partnerTable(partners), 'Partners')}` : ''}
${purchases.length > 0 ? html`<h2>Purchases</h2>${tableHtml(purchaseTable(purchases), 'Purchases')}` : ''}
${others.map(({ label, path }) => html`<p><a href="/console${path}">${label} ${text}</a></p>`)}
${record ? recordHtml(record, frame) : ''}`;
  return consolePage({ title: 'Search', content, frame, searched: text.slice(0, LONGEST_SEARCH) });
}

const recordHtml = (lines: readonly string[], { session: { role } }: SignedFrame): Html =>
  html`<h2>KYC record</h2><pre tabindex="0" role="region" aria-label="KYC record">${remedyHtml(
    lines.join('\n'),
    { role },
  )}</pre>`;

const PART_LINKS = { reviewCases: REVIEWS.links, moneyCases: CASES.links, blocks: CASES.links };

/**
 * Makes the page about a person. It finds the person by the CPF that was typed into a form, and does not repeat
 * the CPF. An operator sees the purchases alone, because only compliance may read reviews.
 */
export async function personPage(cpf: string, desk: Desk, frame: SignedFrame): Promise<Html> {
  const { session } = frame;
  const seesAll = isAtLeast(session.role, 'compliance');
  const found = await called(
    { name: seesAll ? 'subject show' : 'tx find', flags: { cpf } },
    { desk, session },
  );
  const title = seesAll ? 'The person' : 'Purchases of the person';
  const content = html`<h1>${title}</h1>
<p class="lead">At all partners. This search is recorded under your name.</p>
${shownHtml(found, title, { partLinks: PART_LINKS })}`;
  return consolePage({ title, content, frame });
}

const partnerTable = (partners: Results['partners']) => ({
  head: ['partner', 'name'],
  rows: partners.map(({ id, name }) => [id, name]),
  empty: '',
});

function nothingFound(text: string): Html {
  if (text.length > LONGEST_SEARCH)
    return html`<p>The text is too long: no id has more than ${LONGEST_SEARCH} characters.</p>`;
  if (cpfDigits(text))
    return html`<p>A CPF may not be in an address. Type it into the field above, and search again.</p>`;
  return html`<p>Nothing of this stage has the id <q><bdi>${text}</bdi></q>.</p>
<p>A purchase is found by its id or the first 6 characters of it, by the partner’s externalId, the
end-to-end id of its Pix, the hash of its transfer, its wallet, or its KYC token. A partner is found by its
id or a part of its name, and an act or a case by its whole id.</p>`;
}
