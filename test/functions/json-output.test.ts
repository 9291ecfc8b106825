import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Flags } from '../../operations/command.ts';
import { readAllCommands } from '../../operations/commands.ts';
import { actWorld } from '../support/act-world.ts';
import { type DataSubjectWorld, dataSubject } from '../support/data-subject.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newEndToEndId, newId, putPurchaseIn, START_AT } from '../support/ports.ts';
import { openCase } from '../support/review-cases.ts';

type Call = { words?: string; flags?: Flags; typed?: string };
type World = Pick<DataSubjectWorld, 'partnerId' | 'cpf' | 'purchase'> &
  Record<'act' | 'block' | 'review' | 'moneyCase' | 'open', string>;

const CAPS = 'none';
const EVENT = { event: 'unknown.1' };
/** A call of each command. A new command needs a line here. */
const CALLS: Readonly<Record<string, (world: World) => Call>> = {
  'acts list': () => ({}),
  'acts show': ({ act }) => ({ words: act }),
  'acts approve': ({ act }) => ({ words: act }),
  'acts withdraw': ({ act }) => ({ words: act }),
  'audit list': () => ({}),
  'tx show': ({ open }) => ({ words: open }),
  'tx list': () => ({}),
  'tx find': ({ cpf }) => ({ typed: cpf }),
  'partners list': () => ({}),
  'partners show': ({ partnerId }) => ({ words: partnerId }),
  'partners create': () => ({ words: 'acme', flags: { name: 'Acme', spread: '100' } }),
  'partners suspend': ({ partnerId }) => ({ words: partnerId }),
  'partners reinstate': ({ partnerId }) => ({ words: partnerId }),
  'partners kyc-tokens': ({ partnerId }) => ({
    words: partnerId,
    flags: {
      issuer: 'https://v.example',
      audience: 'a',
      jwks: '{"keys":[{"kty":"OKP","kid":"k","crv":"Ed25519","x":"AA"}]}',
    },
  }),
  'partners limits': ({ partnerId }) => ({ words: partnerId, flags: { tier: 'STANDARD', caps: CAPS } }),
  'partners quota': ({ partnerId }) => ({ words: partnerId, flags: { amount: '7' } }),
  'keys create': ({ partnerId }) => ({ words: partnerId }),
  'keys approve': ({ partnerId }) => ({ words: `${partnerId} key1` }),
  'keys revoke': ({ partnerId }) => ({ words: `${partnerId} key1` }),
  'vendor-keys list': ({ partnerId }) => ({ words: partnerId }),
  'vendor-keys approve': ({ partnerId }) => ({ words: `${partnerId} k1` }),
  'vendor-keys withdraw': ({ partnerId }) => ({ words: `${partnerId} k1` }),
  'endpoints add': ({ partnerId }) => ({ words: partnerId, flags: { url: 'https://partner.example/hook' } }),
  'endpoints rotate': ({ partnerId }) => ({ words: `${partnerId} one` }),
  'endpoints remove': ({ partnerId }) => ({ words: `${partnerId} one` }),
  'totp reset': ({ partnerId, cpf }) => ({ flags: { partner: partnerId }, typed: cpf }),
  'deliveries list': ({ partnerId }) => ({ flags: { partner: partnerId } }),
  'deliveries redeliver': () => ({ flags: EVENT }),
  'reviews list': () => ({}),
  'reviews search': () => ({}),
  'reviews assign': ({ review }) => ({ words: `${review} rui` }),
  'reviews unassign': ({ review }) => ({ words: review }),
  'reviews show': ({ review }) => ({ words: review }),
  'reviews clear': ({ review }) => ({ words: review }),
  'reviews confirm': ({ review }) => ({ words: review }),
  'reviews undo': ({ review }) => ({ words: review }),
  'reviews close': () => ({}),
  'lists show': () => ({}),
  'unmatched list': () => ({}),
  'cases list': () => ({}),
  'cases show': ({ moneyCase }) => ({ words: moneyCase }),
  'cases export': ({ moneyCase }) => ({ words: moneyCase, flags: { out: join(tmpdir(), newId()) } }),
  'cases close': ({ moneyCase }) => ({ words: moneyCase, flags: { outcome: 'EXPLAINED' } }),
  'clients blocked': () => ({}),
  'clients unblock': () => ({ words: 'unknown' }),
  'clients limits': ({ partnerId, cpf }) => ({ words: partnerId, flags: { cpf, caps: CAPS } }),
  'fraud list': () => ({}),
  'fraud block': ({ cpf }) => ({ flags: { cpf } }),
  'fraud lift': ({ block }) => ({ words: block }),
  books: () => ({}),
  'books verify': () => ({}),
  'ledger day': () => ({ words: '2099-01-01' }),
  'evidence export': ({ purchase }) => ({ flags: { transaction: purchase.id } }),
  'history verify': () => ({}),
  'history show': ({ purchase }) => ({ words: purchase.id }),
  'subject show': ({ cpf }) => ({ typed: cpf }),
  'subject export': ({ cpf }) => ({ typed: cpf }),
  'subject holds': () => ({}),
  'subject hold': ({ cpf }) => ({ typed: cpf }),
  'subject release': () => ({ words: 'unknown' }),
  'subject correct': ({ cpf }) => ({ flags: { field: 'name' }, typed: cpf }),
  'subject erase': ({ cpf }) => ({ typed: cpf }),
  'treasury wallets': () => ({}),
  'treasury hold': () => ({ flags: { all: true } }),
  'treasury release': () => ({ flags: { all: true } }),
  'treasury cancel': ({ purchase }) => ({ words: purchase.id }),
  'treasury show': () => ({}),
  'treasury resume': () => ({ flags: { asset: 'USDC' } }),
  'treasury allow': () => ({ flags: { asset: 'USDC', amount: '10' } }),
  'treasury replay': () => ({ flags: { since: '2099-01-01' } }),
};

/** The acts that this world refuses, and the history, of which nothing is archived. */
const REFUSED = [
  'partners reinstate',
  ...['keys approve', 'keys revoke', 'vendor-keys approve', 'vendor-keys withdraw'],
  ...['endpoints rotate', 'endpoints remove', 'deliveries redeliver'],
  ...['reviews unassign', 'reviews undo', 'reviews close', 'clients unblock'],
  ...['history show', 'subject release', 'subject erase'],
  ...['treasury release', 'treasury cancel', 'treasury resume', 'treasury replay'],
];

/** The acts that ask a provider, an exchange or a chain. They print as all acts do. */
const OUTSIDE = ['psp verify', 'treasury pause', 'treasury reprice', 'treasury decide'];

const all = (await readAllCommands()).map(({ name }) => name);
const names = all.filter((name) => !OUTSIDE.includes(name));
async function fullWorld() {
  const world = await dataSubject();
  const block = await world.blocked();
  const act = await world.proposed(block);
  const review = (await openCase(world.ports)).id;
  const { partnerId, clientId, purchase } = world;
  const open = (await putPurchaseIn(world.ports, 'AWAITING_PIX', { partnerId, clientId })).id;
  const about = { partnerId, clientId, transactionId: purchase.id, openedAt: START_AT };
  const found = aMoneyCase('REFUND_FAILED', newEndToEndId(), { ...about, amountCentavos: 250_00 });
  await world.ports.moneyCases.open(found);
  return { world, ids: { ...world, act, block: block.id, review, moneyCase: found.id, open } };
}

const UNKNOWN: World = {
  partnerId: 'nobody',
  cpf: '529.982.247-25',
  act: 'AAAAAAAAAA',
  block: 'none',
  review: newId(),
  moneyCase: 'unknown',
  open: newId(),
  purchase: { id: newId() } as World['purchase'],
};

async function printed(world: Pick<DataSubjectWorld, 'call'>, name: string, ids: World) {
  const { words = '', flags, typed } = CALLS[name]!(ids);
  return world.call('bia', `${name} ${words}`, { role: 'admin', flags: { ...flags, json: true }, typed });
}

/** Expects that the output is JSON data, and not lines for people: a list of texts, or a text that is no JSON. */
function expectData(out: string): void {
  const data = JSON.parse(out) as unknown;
  expect(data).toBeInstanceOf(Object);
  if (Array.isArray(data)) for (const row of data) expect(row).toBeInstanceOf(Object);
}

/** The paths of the instants that became empty objects. */
function emptyInstantsIn(data: unknown, path = ''): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => {
    const at = `${path}.${key}`;
    const isLost = /^(at|since|until|when)$|At$/.test(key) && JSON.stringify(value) === '{}';
    return isLost ? [at] : emptyInstantsIn(value, at);
  });
}

// docs/operations.md, "The operations command"
describe('--json', () => {
  test('is tried with every command', () => {
    expect([...Object.keys(CALLS), ...OUTSIDE].sort()).toEqual(all.toSorted());
  });

  test.each(names)('%s prints data and nothing else', async (name) => {
    const { world, ids } = await fullWorld();
    const { out } = await printed(world, name, ids);

    if (out !== '') expectData(out);
    expect(out === '').toBe(REFUSED.includes(name));
  });

  test.each(names)('%s prints each instant as a text', async (name) => {
    const { world, ids } = await fullWorld();
    const { out } = await printed(world, name, ids);

    if (out !== '') expect(emptyInstantsIn(JSON.parse(out))).toEqual([]);
  });

  test.each(names)(
    '%s prints data and nothing else, or nothing, where there is nothing yet',
    async (name) => {
      const { out } = await printed(actWorld(), name, UNKNOWN);

      if (out !== '') expectData(out);
    },
  );
});
