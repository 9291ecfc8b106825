/** Makes the page of a partner: its keys and endpoints, its newest purchases, and the acts about it. */
import { html } from 'hono/html';
import { keyScopes } from '../../functions/domain/partners/api-key.ts';
import { keyStatus, makerIn } from '../../functions/domain/partners/made-key.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { vendorKeysOf } from '../../functions/domain/partners/vendor-key.ts';
import { endpointStatus } from '../../functions/domain/partners/webhook-endpoint.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import type { Desk } from '../desk.ts';
import { wordsOfQuota } from '../partners.ts';
import type { Cell, Table } from '../shown.ts';
import { purchaseTable } from '../tx.ts';
import { partnerActs } from './act-forms.ts';
import { formsHtml } from './act-html.ts';
import { consolePage, type Html, type SignedFrame } from './layout.ts';
import { proposalsAbout } from './proposals.ts';
import { sheetHtml, tableHtml } from './shown-html.ts';

const SHOWN = 25;

export async function partnerPage(partner: Partner, desk: Desk, frame: SignedFrame): Promise<Html> {
  const { id, name } = partner;
  const [{ purchases }, keys, used] = await Promise.all([
    desk.purchaseLists.listPurchases({ partnerId: id }, { limit: SHOWN }),
    readKeyRows(partner, desk),
    desk.registryUse.findUsed(id, dayInBrasilia(desk.clock.now())),
  ]);
  const newest = { ...purchaseTable(purchases), empty: 'The partner has no purchase.' };
  const registered = {
    keys: keys.map(named),
    vendorKeys: vendorKeysIn(partner),
    endpoints: endpointsIn(partner),
  };
  const content = html`<h1><small>Partner</small> <bdi>${name}</bdi></h1>
${await proposalsAbout({ subject: id, path: `/partners/${id}` }, desk, frame)}
<section>${sheetHtml({ sheet: partnerSheet(partner, used) })}</section>
<h2>Keys</h2>${tableHtml({ head: KEYS, rows: keys, empty: 'The partner has no key.' }, 'Keys')}
<h2>Endpoints</h2>${tableHtml(endpointTable(partner), 'Endpoints')}
<h2>Newest purchases</h2>${tableHtml(newest, 'Newest purchases')}
${await formsHtml(partnerActs(partner, registered), desk, frame)}`;
  return consolePage({ title: `Partner ${id}`, content, frame });
}

function partnerSheet(
  { id, status, spreadBasisPoints, createdAt, kycTokens, registryQuota }: Partner,
  used: number,
): Cell[][] {
  return [
    ['partner', id],
    ['status', status],
    ['margin', `${spreadBasisPoints} bp`],
    ['since', new Date(createdAt)],
    ['KYC vendor', kycTokens ? `${kycTokens.issuer} for ${kycTokens.audience}` : 'none'],
    ['look-ups', `${used} since midnight in Brasília, of ${wordsOfQuota(registryQuota)}`],
  ];
}

const KEYS = ['key', 'status', 'scopes', 'since'];
type KeyRow = [id: string, status: string, scopes: string, since: Date];

async function readKeyRows(partner: Partner, { partners, clock }: Desk): Promise<KeyRow[]> {
  const keys = await partners.listKeys(partner);
  return keys.map((key) => {
    const status = keyStatus(key, makerIn(keys, key), clock.now());
    return [key.keyId, status, keyScopes(key).join(', '), new Date(key.createdAt)];
  });
}

const named = ([id, status]: KeyRow) => ({ id, status });

const vendorKeysIn = (partner: Partner) =>
  vendorKeysOf(partner).map(({ jwk: { kid = '' }, status }) => ({ id: kid, status }));

const endpointsIn = ({ webhookEndpoints }: Partner) =>
  webhookEndpoints.map((endpoint) => ({ id: endpoint.id, status: endpointStatus(endpoint) }));

function endpointTable({ webhookEndpoints }: Partner): Table {
  const rows = webhookEndpoints.map((endpoint) => {
    const { id, url, createdAt } = endpoint;
    return [id, endpointStatus(endpoint), url, new Date(createdAt)];
  });
  return { head: ['endpoint', 'status', 'address', 'since'], rows, empty: 'The partner has no endpoint.' };
}
