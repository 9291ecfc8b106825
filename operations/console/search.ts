/** Finds purchases, partners and KYC records by any id that a person has at hand. */
import { html } from 'hono/html';
import { cpfDigits } from '../../functions/domain/kyc/cpf.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { Desk } from '../desk.ts';
import { findPurchases } from '../purchase-search.ts';
import { findShownRecord, purchaseTable } from '../tx.ts';
import { called } from './called.ts';
import { type Frame, type Html, pageOf, type SignedFrame } from './layout.ts';
import { shownHtml, tableHtml } from './shown-html.ts';

/** The longest text of a search. No searched id is longer. */
export const LONGEST_SEARCH = 200;

/**
 * Whether the text may be part of a URL. False for a CPF and a KYC token, because browsers and servers store
 * URLs. False also for a text that is too long.
 */
export const canBeInAddress = (text: string): boolean =>
  text.length <= LONGEST_SEARCH && !/^kyc_/i.test(text) && cpfDigits(text) === undefined;

export type Found = {
  purchases: Transaction[];
  partners: { id: string; name: string }[];
  record?: readonly string[];
};

const NOTHING: Found = { purchases: [], partners: [] };

export async function findAll(text: string, desk: Desk): Promise<Found> {
  // No id of the service is empty, longer than `LONGEST_SEARCH`, a CPF, or a text with a control character.
  if (text === '' || text.length > LONGEST_SEARCH || /\p{Cc}/u.test(text) || cpfDigits(text)) return NOTHING;
  const [purchases, partners] = await Promise.all([findPurchases(text, desk), partnersLike(text, desk)]);
  const record = purchases.length === 0 ? await findShownRecord(text, desk) : undefined;
  return { purchases, partners, record: record?.lines };
}

async function partnersLike(text: string, { register }: Desk) {
  const wanted = text.toLowerCase();
  const isLike = (name: string) => name.toLowerCase().includes(wanted);
  return (await register.listPartners()).filter(({ id, name }) => isLike(id) || isLike(name));
}

/** The page of the only match. Undefined if there are several matches or none, or if the match has no page. */
export function onlyPageOf({ purchases, partners }: Found): string | undefined {
  const [purchase, partner] = [purchases[0], partners[0]];
  if (purchases.length + partners.length !== 1) return undefined;
  return purchase ? `/console/purchases/${purchase.id}` : `/console/partners/${partner?.id}`;
}

export function resultsPage(text: string, { purchases, partners, record }: Found, frame: Frame): Html {
  const isEmpty = purchases.length + partners.length === 0 && !record;
  const content = html`<h1>Search</h1>
${isEmpty ? nothingFound(text) : ''}
${partners.length > 0 ? html`<h2>Partners</h2>${tableHtml(partnerTable(partners), 'Partners')}` : ''}
${purchases.length > 0 ? html`<h2>Purchases</h2>${tableHtml(purchaseTable(purchases), 'Purchases')}` : ''}
${record ? html`<h2>KYC record</h2>${shownHtml(record, 'KYC record')}` : ''}`;
  return pageOf({ title: 'Search', content, frame, searched: text.slice(0, LONGEST_SEARCH) });
}

/**
 * Makes the page with a person's purchases. It finds them by the CPF that was typed into a form, and does not
 * repeat the CPF.
 */
export async function personPage(cpf: string, desk: Desk, frame: SignedFrame): Promise<Html> {
  const found = await called({ name: 'tx find', flags: { cpf } }, { desk, session: frame.session });
  const title = 'Purchases of the person';
  const content = html`<h1>${title}</h1>
<p class="lead">At all partners. This search is recorded under your name.</p>${shownHtml(found, title)}`;
  return pageOf({ title, content, frame });
}

const partnerTable = (partners: Found['partners']) => ({
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
id or a part of its name.</p>`;
}
