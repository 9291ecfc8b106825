import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDelivery } from '../../functions/domain/partners/deliveries.ts';
import type { ExecutionRecord } from '../../functions/domain/purchase/execution.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { clientIdOf, outcomeEventIdOf } from '../../functions/logic/kyc/client-id.ts';
import type { Flags } from '../../operations/command.ts';
import type { Desk } from '../../operations/desk.ts';
import { evidenceCommands } from '../../operations/evidence.ts';
import type { EvidenceBundle } from '../../operations/evidence-bundle.ts';
import { run } from '../../operations/run.ts';
import { dossier } from '../../operations/stores/dossier.ts';
import { AT, aClient, aKycRecord, anEvidence, aPartner } from '../support/builders.ts';
import { signedIn } from '../support/operators.ts';
import { aPurchaseIn, aReceivedPix, newId, openPorts, START_AT } from '../support/ports.ts';
import { randomCpf } from '../support/sandbox.ts';
import { allRowsIn, rowIn, startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());
const folder = mkdtempSync(join(tmpdir(), 'exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ports = () => openPorts(tables);
type Row = Record<string, unknown>;
const put = (table: keyof typeof tables.names, Item: Row) =>
  tables.client.send(new PutCommand({ TableName: tables.names[table], Item }));

const INDEX = { version: '2098-12-31T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' };
const IDENTITY = { name: 'MARIA DA SILVA', birthDate: '1990-01-01' };
/** The form in older rows, from before hashes were keyed. */
const UNKEYED = `sha256:${'ef'.repeat(32)}`;
const LINK = 'https://identity.example/link';

/** A client with a KYC record and a completed purchase, with all rows of such a purchase. */
async function aWorld() {
  const all = ports();
  const { vault, lookup, kycRecords, transactions, evidence, events, deliveries, callbacks, clients } = all;
  const partnerId = `p${newId().slice(-12).toLowerCase()}`;
  await put('partners', { ...aPartner(), id: `PARTNER#${partnerId}` });
  const cpf = randomCpf();
  const clientId = await clientIdOf({ partnerId, cpf }, lookup);
  const [cpfCipher, totpCipher, identityCipher] = await Promise.all(
    [cpf, 'TOTPSECRET', JSON.stringify(IDENTITY)].map((text) => vault.encrypt(text, clientId)),
  );
  await clients.create(aClient({ id: clientId, partnerId, cpfCipher, totpCipher, wallets: ['0xB', '0xA'] }));
  const times = { issuedAt: START_AT - 1000, expiresAt: START_AT + 1000 };
  const token = `kyc_${newId()}`;
  const kyc = aKycRecord({ token, partnerId, clientId, identityCipher, ...times });
  const shared = { clientId, inputs: { biometricHash: UNKEYED } };
  const findings = { screening: { index: INDEX, candidates: [] } };
  await kycRecords.create(
    kyc,
    anEvidence('kyc', { ...shared, subject: token, at: START_AT - 1000, findings }),
  );
  const liveness = { url: LINK, urlExpiresAt: START_AT, attempt: 1 };
  const wait = { status: 'AWAITING_PIX' as const, token: 'TASK_TOKEN' };
  const opened = aPurchaseIn('PROCESSING', { partnerId, clientId, kycToken: token, liveness, wait });
  const purchase = await transactions.create(opened);
  await evidence.record(anEvidence('wallet', { ...shared, subject: purchase.id, at: START_AT }));
  await transactions.save(
    advance(purchase, 'stablecoin settled on-chain', { ...AT, now: START_AT }, { txHash: '0xhash' })!,
  );
  await put('settlements', paymentOf(purchase));
  await events.assign(`${purchase.id}.1`, ['one']);
  await deliveries.save(openDelivery({ id: `${purchase.id}.1`, partnerId, at: START_AT }, 'one'));
  await callbacks.store({ id: newId(), hints: [{ endToEndId: purchase.payment!.endToEndId }], at: START_AT });
  await callbacks.store({ id: newId(), hints: [{ endToEndId: 'E-of-another' }], at: START_AT });
  const { clock } = all;
  const named = { purchase, clientId, partnerId, cpf, token, kyc };
  return {
    ...named,
    all,
    clock,
    secrets: [cpfCipher, totpCipher, identityCipher, 'TASK_TOKEN', LINK, '0xraw', UNKEYED],
  };
}
type World = Awaited<ReturnType<typeof aWorld>>;

function paymentOf({ id }: Transaction, changes: Row = {}): Row {
  const attempts = [{ hash: '0xhash', raw: '0xraw', at: START_AT }];
  return { id: `PAY#${id}`, transactionId: id, state: 'CONFIRMED', tries: [], attempts, ...changes };
}

/** The only form of a KYC token in an export. */
const shortOf = (token: string) => `kyc_…${token.slice(-6)}`;

const execution = (name: string): ExecutionRecord => ({
  name,
  status: 'SUCCEEDED',
  events: [
    { id: 1, type: 'TaskScheduled', details: { parameters: { Payload: { taskToken: 'TASK_TOKEN' } } } },
  ],
});

function deskOf({ all }: World, { forgotten = false } = {}): Desk {
  const findExecution = async (name: string) => (forgotten ? undefined : execution(name));
  return {
    ...(all as unknown as Desk),
    ...signedIn('ana'),
    dossier: dossier(tables.client, tables.names),
    executions: { findExecution },
  };
}

/** Runs the command as an operator does. The answer is the bundle and the other output. */
async function exported(world: World, flags: Flags, desk = deskOf(world)) {
  const [said, told]: [string[], string[]] = [[], []];
  const terminal = { say: (line: string) => said.push(line), tell: (line: string) => told.push(line) };
  const given = {
    words: [],
    flags: { reason: 'ticket 1', ...flags },
    ask: async () => world.cpf,
  };
  await run(evidenceCommands[0]!, given, {
    desk,
    terminal: { ...terminal, ask: async () => 'yes' },
    call: { reason: 'ticket 1', isSure: true },
  });
  const text = said.join('\n');
  return {
    text,
    told: told.join('\n'),
    bundle: text.startsWith('{') ? (JSON.parse(text) as Told) : undefined!,
  };
}
type Told = { header: EvidenceBundle['header'] } & Record<Exclude<keyof EvidenceBundle, 'header'>, Row[]>;

describe('the export of a purchase', () => {
  it('has all data of the purchase, and lists only data as missing that never existed', async () => {
    const world = await aWorld();
    const { purchase, clientId, token } = world;
    const published = { subject: INDEX.version, at: START_AT - 9000, decidedBy: 'RefreshLists' };
    await world.all.evidence.record(anEvidence('lists', { ...published, decision: { added: 1 } }));

    const { bundle } = await exported(world, { transaction: purchase.id });

    expect(bundle.header).toEqual({
      format: 'onramp-evidence/1',
      exportedAt: new Date(START_AT).toISOString(),
      stage: 'sandbox',
      by: 'ana',
      reason: 'ticket 1',
      personal: false,
      missing: [],
      subject: { transactionId: purchase.id, clientId },
    });
    expect(bundle).toMatchObject({
      clients: [{ id: clientId, wallets: ['0xA', '0xB'] }],
      kycRecords: [{ token: shortOf(token), status: 'APPROVED' }],
      transactions: [{ id: purchase.id, status: 'COMPLETED', quote: { assetUnits: 45_566_968 } }],
      settlements: [{ id: `PAY#${purchase.id}`, attempts: [{ hash: '0xhash' }] }],
      events: [{ id: `${purchase.id}.1`, type: 'transaction.completed' }],
      deliveries: [{ id: `${purchase.id}.1#one` }],
      evidence: [
        { subject: shortOf(token), kind: 'kyc' },
        { subject: purchase.id, kind: 'wallet' },
      ],
      cases: [],
      executions: [{ name: purchase.id, status: 'SUCCEEDED' }],
      callbacks: [{ hints: [{ endToEndId: purchase.payment!.endToEndId }] }],
      lists: [{ digest: INDEX.digest, publication: { kind: 'lists', decision: { added: 1 } } }],
    });
  });

  it('has no secret in any table, and no personal data in clear text', async () => {
    const world = await aWorld();

    const { text, told } = await exported(world, { transaction: world.purchase.id });

    for (const secret of [...world.secrets, world.cpf, IDENTITY.name, IDENTITY.birthDate, 'TOTPSECRET'])
      expect(text + told).not.toContain(secret);
    expect(text).not.toMatch(/Cipher|taskToken|"wait"/);
  });

  // A token opens purchases for a day.
  it('shows only the end of a KYC token, in every part that names it', async () => {
    const world = await aWorld();
    const { token, clientId, partnerId } = world;
    await put('cases', { id: newId(), clientId, partnerId, status: 'OPEN', openedAt: START_AT, token });
    const id = await outcomeEventIdOf({ token, sequence: 1 }, world.all.lookup);
    await put('events', { id, partnerId, type: 'kyc.approved', at: START_AT, data: { token } });

    const { text, told, bundle } = await exported(world, { partner: partnerId, personal: true });

    expect(text + told).not.toContain(token.slice(0, -6));
    for (const part of ['kycRecords', 'evidence', 'cases', 'transactions', 'events'] as const)
      expect(JSON.stringify(bundle[part]), part).toContain(shortOf(token));
  });

  it('has no data of the client’s other purchases', async () => {
    const world = await aWorld();
    const { clientId, partnerId } = world;
    const other = await world.all.transactions.create(aPurchaseIn('EXPIRED', { clientId, partnerId }));
    await world.all.evidence.record(anEvidence('wallet', { subject: other.id, clientId, at: START_AT }));

    const { text } = await exported(world, { transaction: world.purchase.id });

    expect(text).not.toContain(other.id);
  });

  it('is the same each time, except the header', async () => {
    const world = await aWorld();
    const desk = deskOf(world);
    const before = await exported(world, { transaction: world.purchase.id }, desk);
    world.clock.advance(60_000);

    const after = await exported(world, { transaction: world.purchase.id }, desk);

    expect(after.bundle.evidence.length).toBe(before.bundle.evidence.length + 1);
    const parts = ({ bundle }: typeof before) => JSON.stringify({ ...bundle, header: 0, evidence: 0 });
    expect(parts(after)).toBe(parts(before));
    expect(after.bundle.evidence).toEqual(expect.arrayContaining(before.bundle.evidence));
  });

  it('has the nonces of tries that failed', async () => {
    const world = await aWorld();
    const { purchase } = world;
    await put('settlements', paymentOf(purchase, { tries: ['REVERTED'] }));
    const slot = { id: `SLOT#31337#0xw#${newId()}`, transactionId: purchase.id, reason: 'REVERTED' };
    await put('settlements', slot);
    await put('settlements', { ...slot, id: `SLOT#31337#0xw#${newId()}`, transactionId: 'another' });

    const { bundle } = await exported(world, { transaction: purchase.id });

    expect(bundle.settlements.map(({ id }) => id)).toEqual([`PAY#${purchase.id}`, slot.id]);
  });

  it('names the data that it did not find', async () => {
    const world = await aWorld();
    const { purchase, all } = world;
    const unmatched = await all.transactions.create(aPurchaseIn('EXPIRED', { executions: 1 }));
    world.clock.advance(91 * 24 * 60 * 60 * 1000);

    const { bundle } = await exported(
      world,
      { transaction: unmatched.id },
      deskOf(world, { forgotten: true }),
    );

    expect(bundle.header.missing).toEqual([
      expect.stringContaining(`the KYC record ${shortOf(unmatched.kycToken)}:`),
      expect.stringContaining('the client’s row'),
      expect.stringContaining(`the execution ${unmatched.id}:`),
      expect.stringContaining(`the execution ${unmatched.id}-r1:`),
      expect.stringContaining('callbacks older than 90 days'),
    ]);
    expect(purchase.id).not.toBe(unmatched.id);
  });

  it('is refused in the same words for an unknown purchase and for another partner’s', async () => {
    const world = await aWorld();
    const unknown = newId();
    const refusalOf = (id: string, flags: Flags = {}) =>
      exported(world, { transaction: id, ...flags }).then(
        () => 'exported',
        ({ name, message }: Error) => `${name}: ${message}`,
      );

    expect(await refusalOf(unknown)).toBe(`Refused: There is no transaction ${unknown}.`);
    expect(await refusalOf(world.purchase.id, { partner: 'other' })).toBe(
      `Refused: There is no transaction ${world.purchase.id}.`,
    );
    expect(await refusalOf(world.purchase.id, { partner: world.partnerId })).toBe('exported');
    expect(await refusalOf(world.purchase.id, { cpf: world.cpf })).toContain('Misused');
  });
});

describe('the export of a client', () => {
  it('has every purchase and KYC record of the CPF at that partner, and all acts of operators', async () => {
    const world = await aWorld();
    const { clientId, partnerId, all, purchase, token } = world;
    const later = { createdAt: START_AT + 1, clientId, partnerId, kycToken: token };
    const second = await all.transactions.create(aPurchaseIn('EXPIRED', later));
    const eventId = await outcomeEventIdOf({ token, sequence: 1 }, all.lookup);
    await put('events', { id: eventId, partnerId, type: 'kyc.approved', at: START_AT - 500, data: {} });
    await put('cases', { id: newId(), clientId, status: 'CLEARED', openedAt: START_AT, token });
    const command = { subject: `${partnerId}#X`, clientId, at: START_AT, decidedBy: 'ana' };
    await all.evidence.record(anEvidence('operation', { ...command, inputs: { command: 'totp reset' } }));

    const pix = aReceivedPix(second);
    await all.unmatchedPayments.create(
      newUnmatchedPayment(pix, { transaction: second, mayReturn: true }, START_AT),
    );

    const { bundle, text } = await exported(world, { partner: partnerId });

    expect(bundle.header.subject).toEqual({ clientId });
    expect(bundle.unmatchedPayments).toMatchObject([
      { id: pix.endToEndId, transactionId: second.id, reason: 'PAID_LATE' },
    ]);
    for (const key of ['open', 'sweep']) expect(bundle.unmatchedPayments[0]).not.toHaveProperty(key);
    const posted = bundle.ledger.filter(({ transactionId }) => transactionId === second.id);
    expect(posted).toMatchObject([{ kind: 'UNMATCHED_RECEIVED', endToEndId: pix.endToEndId }]);
    expect(posted[0]?.entries).toEqual([
      { account: 'pix', amount: pix.amountCentavos, currency: 'BRL' },
      { account: 'unmatched', amount: -pix.amountCentavos, currency: 'BRL' },
    ]);
    expect(bundle.transactions.map(({ id }) => id)).toEqual([purchase.id, second.id]);
    expect(bundle.kycRecords.map((record) => record.token)).toEqual([shortOf(token)]);
    expect(bundle.events.map(({ type }) => type)).toEqual(['kyc.approved', 'transaction.completed']);
    expect(bundle.evidence.map(({ kind }) => kind)).toEqual(['kyc', 'wallet', 'operation']);
    expect(bundle.cases).toMatchObject([{ status: 'CLEARED' }]);
    expect(text).not.toContain(world.cpf);
  });

  it('finds old evidence, which names no client', async () => {
    const world = await aWorld();
    await world.all.evidence.record(anEvidence('liveness', { subject: world.purchase.id, at: START_AT + 5 }));

    const { bundle } = await exported(world, { partner: world.partnerId });

    expect(bundle.evidence.map(({ kind }) => kind)).toEqual(['kyc', 'wallet', 'liveness']);
  });

  it('has the client’s identity only on request, and says so', async () => {
    const world = await aWorld();
    const { partnerId, cpf } = world;

    const { bundle, text, told } = await exported(world, { partner: partnerId, personal: true });

    expect(bundle.header.personal).toBe(true);
    expect(bundle.clients).toMatchObject([{ cpf }]);
    expect(bundle.kycRecords).toMatchObject([{ identity: IDENTITY }]);
    expect(told).toContain('with CPF, name and birth date in clear');
    for (const secret of [...world.secrets, 'TOTPSECRET']) expect(text).not.toContain(secret);
  });

  it('is refused for a CPF without data', async () => {
    const world = await aWorld();
    const unknown = { ...world, cpf: randomCpf() };

    await expect(exported(unknown, { partner: world.partnerId })).rejects.toThrow('no records');
    await expect(exported(world, { partner: world.partnerId, cpf: '1' })).rejects.toThrow('no CPF');
    await expect(exported(world, {})).rejects.toThrow('--partner is missing');
  });
});

describe('an export', () => {
  it('is recorded first: operator, reason, client, and whether it has personal data in clear text', async () => {
    const world = await aWorld();
    const { clientId, partnerId } = world;

    await exported(world, { partner: partnerId, personal: true });

    const { bundle } = await exported(world, { partner: partnerId });
    expect(bundle.evidence.filter(({ kind }) => kind === 'operation')).toMatchObject([
      {
        clientId,
        decidedBy: 'ana',
        inputs: { command: 'evidence export', clientId, personal: true },
        decision: { reason: 'ticket 1', outcome: 'ORDERED' },
      },
    ]);
  });

  it('writes a file that only its owner can read, and never replaces a file', async () => {
    const world = await aWorld();
    const out = join(folder, 'one.json');
    const flags = { transaction: world.purchase.id, out };

    const { text } = await exported(world, flags);

    const bundle = readFileSync(out, 'utf8');
    expect(JSON.parse(bundle).header.subject.transactionId).toBe(world.purchase.id);
    expect(text).toMatch(new RegExp(`^${out} {2}sha256 [0-9a-f]{64}$`));
    expect(statSync(out).mode & 0o777).toBe(0o600);
    await expect(exported(world, flags)).rejects.toThrow(`${out} exists: name a new file.`);
    expect(readFileSync(out, 'utf8')).toBe(bundle);
  });

  it('records no act for a file that exists', async () => {
    const world = await aWorld();
    const out = join(folder, 'two.json');
    writeFileSync(out, '{}');

    await expect(exported(world, { transaction: world.purchase.id, out })).rejects.toThrow('exists');

    const rows = await allRowsIn(tables);
    const acts = rows.filter(({ subject }) => String(subject).startsWith(world.purchase.id));
    expect(acts.filter(({ decidedBy }) => decidedBy === 'ana')).toEqual([]);
  });

  it('changes no row', async () => {
    const world = await aWorld();
    const rows = () =>
      Promise.all([
        rowIn(tables, 'transactions', world.purchase.id),
        rowIn(tables, 'kycRecords', world.token),
        rowIn(tables, 'clients', world.clientId),
      ]);
    const before = await rows();

    await exported(world, { partner: world.partnerId, personal: true });

    expect(await rows()).toEqual(before);
  });
});
