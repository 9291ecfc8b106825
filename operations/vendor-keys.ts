import { vendorKeyEvent } from '../functions/domain/partners/account-events.ts';
import type { Partner } from '../functions/domain/partners/partner.ts';
import type { ProposedKey } from '../functions/domain/partners/partner-token.ts';
import {
  requireVendorKey,
  vendorKeysOf,
  withApproved,
  withoutVendorKey,
} from '../functions/domain/partners/vendor-key.ts';
import { reservedIds } from '../functions/logic/ids.ts';
import { type Command, type Given, type Order, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { requireOwnIssuer } from './partners.ts';
import type { Table } from './shown.ts';
import { misused, refuseOrder } from './words.ts';

export const vendorKeyCommands: Command[] = [
  {
    name: 'vendor-keys list',
    takes: '<partner>',
    about: 'the keys of its KYC vendor (Model 2): what waits, what counts, and what was withdrawn',
    run: listKeys,
  },
  {
    name: 'vendor-keys approve',
    takes: '<partner> <kid> [--issuer <iss> --audience <aud>]',
    about: 'accepts tokens of a proposed key; the issuer and the audience for its first key alone',
    options: ['issuer', 'audience'],
    needsReason: true,
    run: approveVendorKey,
  },
  {
    name: 'vendor-keys withdraw',
    takes: '<partner> <kid>',
    about: 'refuses a proposed key, or the tokens of an active one, and the KYC tokens of its clients',
    needsReason: true,
    run: withdrawKey,
  },
];

async function listKeys(given: Given, desk: Desk): Promise<Table> {
  const [id] = requireWords(given, '<partner>');
  const keys = vendorKeysOf(await requirePartner(desk, id));
  const rows = keys.map(async ({ jwk, status, proposedAt }) => [
    jwk.kid,
    status,
    jwk.alg,
    (await desk.partnerTokens.thumbprintOf(jwk)) ?? 'no usable key',
    proposedAt === undefined ? undefined : new Date(proposedAt),
  ]);
  const head = ['kid', 'status', 'alg', 'thumbprint', 'proposed'];
  return { head, rows: await Promise.all(rows), empty: `No key of a KYC vendor is known for ${id}.` };
}

/** Approves exactly the key that was shown. A thief could meanwhile propose another key with the same `kid`. */
async function approveVendorKey(given: Given, desk: Desk): Promise<Plan> {
  const [id, kid] = requireWords(given, '<partner>', '<kid>');
  const partner = await requirePartner(desk, id);
  if (await wasApproved({ partner, kid, order: given.resumed }, desk)) return approvedBefore(id, kid);
  const proposed = partner.proposedKeys?.find(({ jwk }) => jwk.kid === kid) ?? noKey(id, kid);
  const vendor = await vendorOf(given, partner, desk);
  const thumbprint = await desk.partnerTokens.thumbprintOf(proposed.jwk);
  return {
    subject: id,
    will: [
      `accept KYC tokens of ${vendor.issuer} for ${vendor.audience}, signed by ${kid}, for clients of ${id}`,
      `the key ${proposed.by} proposed it; compare its thumbprint with the partner first: ${thumbprint}`,
    ],
    facts: { kid, thumbprint, issuer: vendor.issuer, audience: vendor.audience },
    before: { kid, thumbprint, status: 'PENDING' },
    after: { kid, status: 'ACTIVE', issuer: vendor.issuer, audience: vendor.audience },
    async perform(order) {
      await changeWithEvent(desk, { id, kid, thumbprint, status: 'ACTIVE', order }, (row) =>
        approvedIn(row, proposed, vendor),
      );
      return [`Tokens that ${kid} signs are accepted. The earlier keys count until they are withdrawn.`];
    },
  };
}

/** Whether an earlier run of the order has approved the key. */
async function wasApproved(asked: { partner: Partner; kid: string; order?: Order }, { events }: Desk) {
  const { partner, kid, order } = asked;
  if (!order) return false;
  const { id } = newsEvent(partner, { kid, status: 'ACTIVE', order }, order.at);
  return (await events.findEvent(id)) !== undefined;
}

const approvedBefore = (subject: string, kid: string): Plan => ({
  subject,
  will: [`nothing: ${kid} was approved before`],
  facts: { kid },
  before: {},
  after: {},
  isDone: true,
  perform: async () => [],
});

const approvedIn = (row: Partner, proposed: ProposedKey, vendor: Parameters<typeof withApproved>[2]) =>
  withApproved(row, proposed, vendor) ??
  refuseOrder(`The proposal ${proposed.jwk.kid} has changed: look again.`);

async function vendorOf(given: Given, { id, kycTokens }: Partner, desk: Desk) {
  const isNamed = given.flags.issuer !== undefined || given.flags.audience !== undefined;
  if (kycTokens && isNamed) misused(`${id} has its issuer and its audience already: partners show ${id}`);
  if (kycTokens) return { issuer: kycTokens.issuer, audience: kycTokens.audience };
  const own = { issuer: requireText(given, 'issuer'), audience: requireText(given, 'audience') };
  await requireOwnIssuer(own, id, desk);
  return own;
}

async function withdrawKey(given: Given, desk: Desk): Promise<Plan> {
  const [id, kid] = requireWords(given, '<partner>', '<kid>');
  const partner = await requirePartner(desk, id);
  const found = vendorKeysOf(partner).find(({ jwk }) => jwk.kid === kid) ?? noKey(id, kid);
  if (found.status === 'WITHDRAWN') refuseOrder(`The key ${kid} of ${id} is withdrawn already.`);
  const thumbprint = await desk.partnerTokens.thumbprintOf(requireVendorKey(partner, kid).jwk);
  return {
    subject: id,
    will: [`withdraw the ${found.status} key ${kid} of the vendor of ${id}; this cannot be undone`],
    facts: { kid, thumbprint, was: found.status },
    before: { kid, thumbprint, status: found.status },
    after: { kid, status: 'WITHDRAWN' },
    async perform(order) {
      await changeWithEvent(desk, { id, kid, thumbprint, status: 'WITHDRAWN', order }, (row) =>
        withoutVendorKey(row, kid),
      );
      return [`The key ${kid} of ${id} is WITHDRAWN.`];
    },
  };
}

const noKey = (id: string, kid: string): never =>
  refuseOrder(`${id} has no such key ${kid}: vendor-keys list ${id}`);

type OrderedKeyNews = { kid: string; thumbprint?: string; status: 'ACTIVE' | 'WITHDRAWN'; order: Order };

/**
 * Makes the event about a change of a vendor's key. Its id is computed from the order, so a later run of the
 * same order can find the event.
 */
function newsEvent(partner: Partner, { order: { by, at }, ...news }: OrderedKeyNews, now: number) {
  const request = reservedIds({ at, seed: [partner.id, news.kid, news.status, by, at].join('#') }).request();
  return vendorKeyEvent(partner, { ...news, request, now });
}

/** Changes the partner's row and writes the event for its endpoints in one transaction. */
async function changeWithEvent(
  desk: Desk,
  { id, ...news }: OrderedKeyNews & { id: string },
  set: (row: Partner) => Parameters<Desk['vendorKeys']['save']>[1],
) {
  const row = await requirePartner(desk, id);
  if (!(await desk.vendorKeys.save(row, set(row), newsEvent(row, news, desk.clock.now()))))
    refuseOrder(`${id} is being changed by others: try again.`);
}
