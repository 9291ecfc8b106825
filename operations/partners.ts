import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { keyScopes } from '../functions/domain/partners/api-key.ts';
import { keyStatus, makerIn } from '../functions/domain/partners/made-key.ts';
import { isPartnerId, type Partner } from '../functions/domain/partners/partner.ts';
import type { PartnerTokenIssuer, PublicJwk } from '../functions/domain/partners/partner-token.ts';
import type { ChangedQuota } from '../functions/domain/partners/registry-quota.ts';
import { PRIVATE_MEMBERS } from '../functions/domain/partners/vendor-key.ts';
import { endpointStatus } from '../functions/domain/partners/webhook-endpoint.ts';
import { dayInBrasilia } from '../functions/domain/time.ts';
import { type Command, type Given, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import type { Table, Told } from './shown.ts';
import { columns, instant, misused, refuseOrder } from './words.ts';

const MOST_BASIS_POINTS = 2000;

export const partnerCommands: Command[] = [
  { name: 'partners list', takes: '', about: 'every partner', run: listPartners },
  {
    name: 'partners show',
    takes: '<partner>',
    about: 'its keys, endpoints, and use of look-ups',
    run: showPartnerSheet,
  },
  {
    name: 'partners create',
    takes: '<partner> --name <name> --spread <basis points>',
    about: 'makes a partner without keys; the id (a-z, 0-9) is part of every key',
    options: ['name', 'spread'],
    run: createPartner,
  },
  {
    name: 'partners suspend',
    takes: '<partner>',
    about: 'refuses its requests, makes no more charges for it, and holds its webhooks',
    needsReason: true,
    run: (given, desk) => setStatus(given, desk, 'SUSPENDED'),
  },
  {
    name: 'partners reinstate',
    takes: '<partner>',
    about: 'serves a suspended partner again, and sends what was held',
    run: (given, desk) => setStatus(given, desk, 'ACTIVE'),
  },
  {
    name: 'partners kyc-tokens',
    takes: '<partner> --issuer <iss> --audience <aud> --jwks <file or text>',
    about: 'registers the vendor whose KYC tokens vouch for its clients (Model 2)',
    options: ['issuer', 'audience', 'jwks'],
    needsReason: true,
    run: registerIssuer,
  },
];

async function listPartners(given: Given, { register }: Desk): Promise<Table> {
  requireWords(given);
  const partners = await register.listPartners();
  const rows = partners.map(({ id, status, spreadBasisPoints, name }) => [
    id,
    status,
    `${spreadBasisPoints} bp`,
    name,
  ]);
  return { head: ['partner', 'status', 'margin', 'name'], rows, empty: 'There are no partners.' };
}

async function showPartnerSheet(given: Given, desk: Desk): Promise<Told> {
  const [id] = requireWords(given, '<partner>');
  const partner = await requirePartner(desk, id);
  const [keys, used] = await Promise.all([
    desk.partners.listKeys(partner),
    desk.registryUse.findUsed(id, dayInBrasilia(desk.clock.now())),
  ]);
  const { name, status, spreadBasisPoints, createdAt, kycTokens, webhookEndpoints, registryQuota } = partner;
  const shownKeys = keys.map((key) => ({
    key: key.keyId,
    status: keyStatus(key, makerIn(keys, key), desk.clock.now()),
    scopes: keyScopes(key),
    createdAt: new Date(key.createdAt),
  }));
  const endpoints = webhookEndpoints.map((endpoint) => ({
    endpoint: endpoint.id,
    status: endpointStatus(endpoint),
    url: endpoint.url,
    createdAt: new Date(endpoint.createdAt),
  }));
  const lines = [
    `${partner.id}  ${name}  ${status}  ${spreadBasisPoints} bp  since ${instant(createdAt)}`,
    kycTokens ? `KYC tokens of ${kycTokens.issuer} for ${kycTokens.audience}` : 'no KYC tokens',
    `${used} paid look-ups since midnight in Brasília, of ${wordsOfQuota(registryQuota)}`,
    ...columns(shownKeys.map((each) => ['key', each.key, each.status, each.scopes.join(','), takenAt(each)])),
    ...columns(endpoints.map((each) => ['endpoint', each.endpoint, each.status, each.url, takenAt(each)])),
  ];
  const vendor = kycTokens && { issuer: kycTokens.issuer, audience: kycTokens.audience };
  const lookUps = { used, perDay: registryQuota?.perDay };
  const own = { partner: id, name, status, spreadBasisPoints, createdAt: new Date(createdAt) };
  return { lines, json: { ...own, kycTokens: vendor, lookUps, keys: shownKeys, endpoints } };
}

const takenAt = ({ createdAt }: { createdAt: Date }): string => instant(createdAt.getTime());

export const wordsOfQuota = ({ perDay }: ChangedQuota = {}): string =>
  `${perDay ?? 'the default number of'} paid look-ups a day`;

async function createPartner(given: Given, { register, partners, clock }: Desk): Promise<Plan> {
  const [id] = requireWords(given, '<partner>');
  if (!isPartnerId(id)) misused('A partner’s id is 1 to 32 of a-z and 0-9.');
  const name = requireText(given, 'name');
  const spreadBasisPoints = basisPointsOf(requireText(given, 'spread'));
  if (await partners.findPartner(id)) refuseOrder(`There is a partner ${id} already.`);
  const partner: Partner = {
    id: id,
    name,
    status: 'ACTIVE',
    spreadBasisPoints,
    webhookEndpoints: [],
    keyIds: [],
    createdAt: clock.now(),
    version: 1,
  };
  return {
    subject: id,
    will: [`make the partner ${id}, ${name}, with a margin of ${spreadBasisPoints / 100} %`],
    facts: { name, spreadBasisPoints },
    before: {},
    after: { name, spreadBasisPoints },
    async perform() {
      if (!(await register.create(partner))) refuseOrder(`There is a partner ${id} already.`);
      return [`${id} is there. It has no key yet: keys create ${id}`];
    },
  };
}

/**
 * Our margin in basis points. It has no default, because it decides about money. It must be a whole number up to a
 * limit.
 */
function basisPointsOf(text: string): number {
  const points = Number(text);
  if (/^\d+$/.test(text) && points <= MOST_BASIS_POINTS) return points;
  return misused(`--spread is a whole number of basis points from 0 to ${MOST_BASIS_POINTS}.`);
}

const CONSEQUENCES = {
  SUSPENDED: 'Nothing more is charged for it. Paid purchases go on; its webhooks are held.',
  ACTIVE: 'Webhooks that were held are queued within a minute, by turns with those of others.',
} as const satisfies Record<Partner['status'], string>;

async function setStatus(given: Given, desk: Desk, status: Partner['status']): Promise<Plan> {
  const [id] = requireWords(given, '<partner>');
  const was = await requirePartner(desk, id);
  if (was.status === status) refuseOrder(`${id} is ${status} already.`);
  return {
    subject: id,
    will: [`make ${id} (${was.name}) ${status}, from its very next request on`],
    facts: { from: was.status, to: status },
    before: { status: was.status },
    after: { status },
    async perform() {
      await changePartnerRow(desk, id, { status });
      return [`${id} is ${status}.`, CONSEQUENCES[status]];
    },
  };
}

async function registerIssuer(given: Given, desk: Desk): Promise<Plan> {
  const [id] = requireWords(given, '<partner>');
  const issuer = requireText(given, 'issuer');
  const audience = requireText(given, 'audience');
  const keys = readKeys(requireText(given, 'jwks'));
  const { kycTokens: was, withdrawnKids = [] } = await requirePartner(desk, id);
  await requireOwnIssuer({ issuer, audience }, id, desk);
  const kids = keys.map(({ kid }) => kid);
  const withdrawn = kids.find((kid) => kid !== undefined && withdrawnKids.includes(kid));
  if (withdrawn !== undefined)
    refuseOrder(`${id} has withdrawn the key ${withdrawn}: ask for a key of another kid.`);
  const wanted: PartnerTokenIssuer = { issuer, audience, jwks: { keys } };
  const [before, after] = await Promise.all([tokenIssuerState(was, desk), tokenIssuerState(wanted, desk)]);
  return {
    subject: id,
    // The approving person does not have the file. The proposed call therefore contains the keys, which are public.
    flags: { jwks: JSON.stringify({ keys }) },
    will: [
      `accept KYC tokens of ${issuer} for ${audience}, signed by ${kids.join(', ')}, for clients of ${id}`,
      was ? `instead of those of ${was.issuer}` : 'it had no vendor until now',
      `compare the thumbprints with the vendor first: ${after.keys?.join(', ')}`,
    ],
    facts: { issuer, audience, kids, formerIssuer: was?.issuer },
    before,
    after,
    isDone: given.resumed !== undefined && isDeepStrictEqual(before, after),
    async perform() {
      await changePartnerRow(desk, id, { kycTokens: wanted });
      return [`${id} may submit KYC tokens of ${issuer}.`];
    },
  };
}

/** The vendor as an act shows it, with the thumbprint of each key. */
async function tokenIssuerState(vendor: PartnerTokenIssuer | undefined, { partnerTokens }: Desk) {
  if (!vendor) return {};
  const { issuer, audience, jwks } = vendor;
  const keys = jwks.keys.map(
    async (jwk) => `${jwk.kid} ${(await partnerTokens.thumbprintOf(jwk)) ?? 'not usable'}`,
  );
  return { issuer, audience, keys: await Promise.all(keys) };
}

/**
 * Refuses an issuer and an audience that another partner already has. One token could then be used at both
 * partners, because each partner's uses of tokens are counted separately.
 */
export async function requireOwnIssuer(
  own: { issuer: string; audience: string },
  id: string,
  { register }: Desk,
) {
  const others = (await register.listPartners()).filter((each) => each.id !== id);
  const same = others.find(
    ({ kycTokens }) => kycTokens?.issuer === own.issuer && kycTokens.audience === own.audience,
  );
  if (same)
    refuseOrder(`${same.id} accepts tokens of ${own.issuer} for ${own.audience}: ask for another audience.`);
}

const KINDS = ['EC', 'OKP', 'RSA'];

/** Reads a JWK Set (RFC 7517) of public keys from a file, or from its text. Each key must have its own `kid`. */
function readKeys(given: string): PublicJwk[] {
  const path = given.startsWith('{') ? '--jwks' : given;
  const { keys } = readJson(given) as { keys?: (PublicJwk & Record<string, unknown>)[] };
  if (!Array.isArray(keys) || keys.length === 0) misused(`${path} holds no "keys".`);
  if (keys.some((key) => PRIVATE_MEMBERS.some((member) => member in key)))
    misused(`${path} holds a private key. It has left its owner: replace it, and register the public half.`);
  if (!keys.every(({ kty, kid }) => KINDS.includes(kty) && kid))
    misused(`Every key of ${path} needs a kid, and a kty of ${KINDS.join(', ')}.`);
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) misused(`${path} holds two keys of one kid.`);
  return keys.map(({ kty, kid, alg, use, crv, x, y, n, e }) => ({ kty, kid, alg, use, crv, x, y, n, e }));
}

function readJson(given: string): object {
  const isText = given.startsWith('{');
  try {
    return Object(JSON.parse(isText ? given : readFileSync(given, 'utf8')));
  } catch (error) {
    return misused(`${isText ? '--jwks' : given}: ${(error as Error).message}`);
  }
}

const ROUNDS = 5;

/**
 * Sets fields of a partner. If another command changed the row since it was read, reads the row again and
 * repeats. Refuses after `ROUNDS` tries.
 */
export async function changePartnerRow(
  desk: Desk,
  id: string,
  set: Partial<Omit<Partner, 'id' | 'version'>>,
) {
  for (let round = 0; round < ROUNDS; round++) {
    if (await desk.partners.save(await requirePartner(desk, id), set)) return;
  }
  refuseOrder(`${id} is being changed by others: try again.`);
}
