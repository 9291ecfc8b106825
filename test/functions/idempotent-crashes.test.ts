import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { handler as confirmHandler, confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { createQuote } from '../../functions/api/create-quote.ts';
import { handler as initiateHandler, initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { addWebhookEndpoint } from '../../functions/api/partner/add-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../functions/api/partner/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../functions/api/partner/test-webhook-endpoint.ts';
import { submitKyc } from '../../functions/api/submit-kyc.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { type Details, Refusal } from '../../functions/domain/errors.ts';
import type { CpfRegistry } from '../../functions/domain/kyc/registry-ports.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import type { WebhookEndpoint } from '../../functions/domain/partners/webhook-endpoint.ts';
import type { SanctionsLists } from '../../functions/domain/screening/screening-ports.ts';
import { dataOf, success } from '../../functions/entry/answer.ts';
import type { Caller } from '../../functions/entry/endpoint.ts';
import { type Answered, claimKey, runOnce } from '../../functions/entry/idempotency.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { readUsage } from '../../functions/logic/purchase/claim-charge.ts';
import { newTotpSecret } from '../../functions/logic/purchase/totp.ts';
import {
  aClient,
  aKycRecord,
  anEvidence,
  aPartner,
  type KycRecordChanges,
  MINUTE_MS,
  WALLET,
} from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { type Fate, mortalOutside } from '../support/mortal-process.ts';
import { MFA_UNTIL, newId, openPorts, putPurchaseIn, START_AT } from '../support/ports.ts';
import { memoryTables, tapped } from '../support/tables.ts';

const tables = memoryTables();

const TIMEOUT_MS = 25_000;
const LEASE_MS = TIMEOUT_MS + 5000;
const CPF = '52998224725';

const cpfRegistry: CpfRegistry = {
  findCpf: async (cpf) => ({ cpf, name: 'MARIA DA SILVA', birthDate: '1990-01-01', situation: 'REGULAR' }),
};
const index = { version: '2026-01-01T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' } as const;
const sanctions: SanctionsLists = {
  search: async () => ({ index, lists: [], candidates: [] }),
  findIndex: async () => index,
};

/** A partner whose requests run in processes that may die at any call to AWS or to a provider. */
function openWorld() {
  const outside = mortalOutside();
  const real = openPorts(tables);
  const opened = openPorts(
    tapped(tables, (send) => (command) => outside.reach(command.constructor.name, () => send(command))),
  );
  const ports = {
    ...opened,
    vault: outside.around('vault', opened.vault, 'encrypt', 'decrypt'),
    lookup: outside.around('lookup', opened.lookup, 'fingerprint'),
    totpSealer: outside.around('totpSealer', opened.totpSealer, 'encrypt'),
    totpOpener: outside.around('totpOpener', opened.totpOpener, 'decrypt'),
    webhookSealer: outside.around('webhookSealer', opened.webhookSealer, 'encrypt'),
    cpfRegistry: outside.around('cpfRegistry', cpfRegistry, 'findCpf'),
    sanctions: outside.around('sanctions', sanctions, 'search'),
    prices: outside.around('prices', opened.prices, 'findBooks'),
    walletRisk: outside.around('walletRisk', opened.walletRisk, 'check'),
    machine: outside.around('machine', opened.machine, 'start', 'resume'),
    pix: outside.around('pix', opened.pix, 'createCharge'),
    identity: outside.around('identity', opened.identity, 'openApplicant', 'findReview', 'livenessLink'),
  };
  const partner = aPartner({ id: `p${newId().slice(-12).toLowerCase()}` });
  return { outside, ports, partner, stubs: opened, read: real };
}

type World = ReturnType<typeof openWorld>;
type Operation = (caller: Caller) => Promise<Details>;
type Replay = (answer: never, ports: never, partner: Partner) => Promise<Details>;

/** One request under its key: a process that fails, then repetitions until one is answered. */
function aKeyedRequest({ outside, ports, partner }: World, operation: Operation, replay?: Replay) {
  const keyed = { key: newId(), scope: `${partner.id} POST /path`, request: {}, timeoutMs: TIMEOUT_MS };
  const first = async () =>
    runOnce(ports, await claimKey(ports, keyed), async (reservation, besides) =>
      success(await operation({ partner, keyId: 'key1', ids: reservedIds(reservation), besides })),
    );
  const ask = async (): Promise<Answered> => {
    const { answer, isReplay } = await first();
    if (!isReplay || !replay || answer.statusCode !== 200) return { answer, isReplay };
    return { answer: success(await replay(dataOf(answer) as never, ports as never, partner)), isReplay };
  };
  const askOrFail = (): Promise<Answered | { error: unknown }> => ask().catch((error) => ({ error }));

  /**
   * Repeats the request until it is answered. The lease of a killed process must run out first. A process that failed
   * has given its lease back, unless the claim itself failed.
   */
  async function repeat(afterMs: number): Promise<Answered> {
    if (afterMs > 0) ports.clock.advance(afterMs);
    const answered = await outside.run(askOrFail);
    if (answered === 'KILLED') throw new Error('nothing kills a repetition');
    if (!('error' in answered)) return answered;
    if (!(answered.error instanceof Refusal) || answered.error.code !== 'IDEMPOTENCY_IN_PROGRESS') {
      throw answered.error;
    }
    return repeat(LEASE_MS);
  }

  return {
    meet: (fate: Fate) => outside.run(askOrFail, fate),
    repeat: (fate: Fate, afterMs = fate.kind === 'killed' ? LEASE_MS : 0) => repeat(afterMs),
  };
}

const NO_FATE: Fate = { at: 0, kind: 'failed', when: 'before' };
const FATES = (['killed', 'failed'] as const).flatMap((kind) =>
  (['before', 'after'] as const).map((when) => ({ kind, when })),
);

/**
 * Lets a process fail at its first call, at its second, and so on, until one succeeds; each in a new world. Gives the
 * names of the calls, so that a test can check that the interesting calls were among them. /
 */
async function atEveryCall(
  fate: Omit<Fate, 'at'>,
  open: () => Promise<{
    world: World;
    operation: Operation;
    replay?: Replay;
    expectOnce: (data: Details) => Promise<void>;
  }>,
): Promise<string[]> {
  const calls: string[] = [];
  for (let at = 1; at < 60; at++) {
    const { world, operation, replay, expectOnce } = await open();
    const request = aKeyedRequest(world, operation, replay);
    await request.meet({ ...fate, at });
    const call = world.outside.struckAt();
    if (call === undefined) return calls;
    calls.push(call);

    const repeated = await request.repeat({ ...fate, at });
    const replayed = await request.repeat({ ...fate, at }, 1);

    expect({ at, call, ...repeated }).toMatchObject({ answer: { statusCode: 200 } });
    expect(replayed).toEqual({ answer: repeated.answer, isReplay: true });
    await expectOnce(dataOf(repeated.answer));
  }
  throw new Error('more calls than an operation may make');
}

async function rowsOf(
  table: 'transactions' | 'kycRecords' | 'clients' | 'evidence' | 'events' | 'promises',
  partnerId: string,
) {
  const { Items = [] } = await tables.client.send(
    new ScanCommand({ TableName: tables.names[table], ConsistentRead: true }),
  );
  return Items.filter((item) => item.partnerId === partnerId);
}

/** A world with a stored partner that has these endpoints. */
async function withPartnerRow(webhookEndpoints: WebhookEndpoint[] = []): Promise<World> {
  const world = openWorld();
  const Item = { ...world.partner, webhookEndpoints, id: partnerRowId(world.partner.id) };
  await tables.client.send(new PutCommand({ TableName: tables.names.partners, Item }));
  return world;
}

const floats = floatStore(tables.client, tables.names, dice);

/** The treasury has just been read. Without free tokens the stub reserves them, after the other parts. */
async function withFloat({ ports }: World, free: bigint) {
  for (const asset of ASSET_NAMES) {
    const wallets = {
      largest: 10n ** 12n,
      hourlyPayout: 10n ** 12n,
      readAt: START_AT,
      block: 1,
      isGasLow: false,
      hotWallets: ['0xA'],
    };
    const revision = await floats.findRevision(asset);
    await floats.save({ asset, free, ...wallets }, { revision, over: [] });
  }
  return free > 0n ? { ...ports, liquidity: floats } : ports;
}

async function putClient({ ports, read, partner }: World, changes: KycRecordChanges = {}) {
  const clientId = `client-${newId()}`;
  const secret = newTotpSecret(ports.random);
  const cipher = (text: string) => ports.vault.encrypt(text, clientId);
  await read.clients.create(
    aClient({
      id: clientId,
      partnerId: partner.id,
      totpCipher: await ports.totpSealer.encrypt(secret, clientId),
      cpfCipher: await cipher(CPF),
    }),
  );
  const times = { issuedAt: START_AT, expiresAt: START_AT + 24 * 60 * MINUTE_MS };
  const kyc = aKycRecord({ token: `kyc_${newId()}`, partnerId: partner.id, clientId, ...times, ...changes });
  await read.kycRecords.create(kyc, anEvidence('kyc', { subject: kyc.token, at: START_AT }));
  return { kyc, clientId, secret };
}

describe.each(FATES)('a function that is $kind $when any call, repeated with its key', (fate) => {
  test.each(['STANDARD', 'HIGH'] as const)('opens one transaction (%s)', async (riskTier) => {
    const calls = await atEveryCall(fate, async () => {
      const world = openWorld();
      const { kyc, clientId } = await putClient(world, { riskTier });
      const body = { kycToken: kyc.token, amountBrl: 250, asset: 'USDC', walletAddress: WALLET };
      return {
        world,
        operation: (caller) => initiateTransaction(body, caller, world.ports),
        replay: initiateHandler.replay,
        async expectOnce(data) {
          const rows = await rowsOf('transactions', world.partner.id);
          expect(rows).toMatchObject([{ id: data.transactionId, status: 'AWAITING_MFA' }]);
          const started = world.stubs.machine.started.map((each) => [each.transactionId, each.executions]);
          expect(new Set(started.map(String))).toEqual(new Set([`${data.transactionId},0`]));
          expect(await world.read.clients.findClient(clientId)).toMatchObject({ wallets: [WALLET] });
          const checks = world.stubs.identity.links.map(({ livenessId }) => livenessId);
          expect(new Set(checks).size).toBe(riskTier === 'HIGH' ? 1 : 0);
        },
      };
    });

    expect(calls).toEqual(expect.arrayContaining(['PutCommand', 'machine.start', 'UpdateCommand']));
    if (riskTier === 'HIGH') expect(calls).toContain('identity.livenessLink');
  });

  // docs/decisions.md, "Quotes and open promises"
  test('makes one quote', async () => {
    const calls = await atEveryCall(fate, async () => {
      const world = openWorld();
      return {
        world,
        operation: (caller) => createQuote({ asset: 'USDC', amountBrl: 250 }, caller, world.ports),
        async expectOnce(data) {
          const quotes = await rowsOf('promises', world.partner.id);
          expect(quotes).toMatchObject([{ id: data.quoteId, quote: { rate: data.rate } }]);
        },
      };
    });

    expect(calls).toEqual(expect.arrayContaining(['prices.findBooks', 'PutCommand']));
  });

  test('uses a quote once, and opens one transaction with its price', async () => {
    const calls = await atEveryCall(fate, async () => {
      const world = openWorld();
      const { kyc } = await putClient(world);
      const caller = { partner: world.partner, ids: reservedIds({ at: START_AT, seed: newId() }) };
      const quote = await createQuote({ asset: 'USDC', amountBrl: 250 }, caller, world.stubs);
      world.stubs.prices.ask = '5.60';
      const { quoteId } = quote;
      const body = { kycToken: kyc.token, amountBrl: 250, asset: 'USDC', walletAddress: WALLET, quoteId };
      return {
        world,
        operation: (caller) => initiateTransaction(body, caller, world.ports),
        replay: initiateHandler.replay,
        async expectOnce(data) {
          const rows = await rowsOf('transactions', world.partner.id);
          expect(rows).toMatchObject([{ id: data.transactionId, quote: { rate: quote.rate } }]);
          expect(await rowsOf('promises', world.partner.id)).toMatchObject([{ usedBy: data.transactionId }]);
        },
      };
    });

    expect(calls).toContain('TransactWriteCommand');
  });

  // docs/decisions.md, "Quotes and open promises"
  test.each(['one part after another', 'all parts at once'] as const)(
    'makes one charge that takes %s, and does not use up the code',
    async (taking) => {
      const calls = await atEveryCall(fate, async () => {
        const world = openWorld();
        const { clientId, secret } = await putClient(world);
        const { partner, read, stubs } = world;
        const ports = await withFloat(world, taking === 'all parts at once' ? 10n ** 12n : 0n);
        const wait = { status: 'AWAITING_MFA', token: newId() } as const;
        const { id } = await putPurchaseIn(stubs, 'AWAITING_MFA', { partnerId: partner.id, clientId, wait });
        const totpCode = generateSync({ secret, epoch: START_AT / 1000 });
        return {
          world,
          operation: (caller) => confirmMfa({ id, totpCode }, caller, ports),
          replay: confirmHandler.replay,
          async expectOnce(data) {
            expect(data).toMatchObject({ transactionId: id, status: 'AWAITING_PIX' });
            expect([...stubs.pix.charges.keys()]).toEqual([id]);
            expect(stubs.machine.resumed[0]).toMatchObject({ token: wait.token });
            expect(data.pixPayload).toBe(stubs.pix.charges.get(id)!.payload);
            const { history, mfaAttempts } = (await read.transactions.findTransaction(id))!;
            expect(history.map(({ status }) => status)).toEqual(['AWAITING_MFA', 'AWAITING_PIX']);
            expect(mfaAttempts).toBeLessThanOrEqual(2);
            expect(await read.clients.findClient(clientId)).toMatchObject({ wrongCodes: 0 });
            expect(await readUsage(clientId, read)).toMatchObject({ charges: 1, day: 250_00 });
            const { USDC, USDT } = await floats.listReserved();
            const reserved = [...USDC, ...USDT].filter((each) => each.id === id);
            expect(reserved).toHaveLength(taking === 'all parts at once' ? 1 : 0);
          },
        };
      });

      expect(calls).toEqual(expect.arrayContaining(['pix.createCharge', 'UpdateCommand', 'machine.resume']));
    },
  );

  test('makes one KYC record', async () => {
    const calls = await atEveryCall(fate, async () => {
      const world = openWorld();
      const body = { cpf: CPF, biometricHash: `sha256:${'ab'.repeat(32)}`, personType: 'PF' } as const;
      return {
        world,
        operation: (caller) => submitKyc(body, caller, world.ports),
        async expectOnce(data) {
          expect(await rowsOf('kycRecords', world.partner.id)).toMatchObject([{ id: data.token }]);
          expect(await rowsOf('clients', world.partner.id)).toHaveLength(1);
        },
      };
    });

    expect(calls).toContain('TransactWriteCommand');
  });

  test('adds one webhook endpoint, with the secret that was shown', async () => {
    await atEveryCall(fate, async () => {
      const world = await withPartnerRow();
      const { ports, partner, stubs, read } = world;
      return {
        world,
        operation: (caller) => addWebhookEndpoint({ url: 'https://partner.example/hook' }, caller, ports),
        async expectOnce(data) {
          const { webhookEndpoints } = (await read.partners.findPartner(partner.id))!;
          expect(webhookEndpoints.map(({ id }) => id)).toEqual([data.id]);
          const { secretCipher } = webhookEndpoints[0]!;
          expect(await stubs.webhookOpener.decrypt(secretCipher, partner.id)).toBe(data.secret);
        },
      };
    });
  });

  test('announces one test of a webhook endpoint', async () => {
    await atEveryCall(fate, async () => {
      const endpoint = { id: 'hook', url: 'https://partner.example/hook', createdAt: START_AT };
      const world = openWorld();
      const webhookEndpoints = [{ ...endpoint, secretCipher: 'cipher' }];
      return {
        world,
        operation: (caller) =>
          testWebhookEndpoint(
            { endpointId: 'hook' },
            { ...caller, partner: { ...world.partner, webhookEndpoints } },
            world.ports,
          ),
        async expectOnce(data) {
          const announced = await rowsOf('events', world.partner.id);
          expect(announced).toMatchObject([{ id: data.eventId, endpointIds: ['hook'] }]);
        },
      };
    });
  });

  test('rotates a secret once, so that the former secret still signs', async () => {
    await atEveryCall(fate, async () => {
      const endpoint = { id: 'hook', url: 'https://partner.example/hook', createdAt: START_AT };
      const world = await withPartnerRow([{ ...endpoint, secretCipher: 'former' }]);
      const { ports, partner, stubs, read } = world;
      return {
        world,
        operation: (caller) => rotateWebhookSecret({ endpointId: 'hook' }, caller, ports),
        async expectOnce(data) {
          const { webhookEndpoints } = (await read.partners.findPartner(partner.id))!;
          expect(webhookEndpoints).toMatchObject([{ id: 'hook', formerSecret: { cipher: 'former' } }]);
          const { secretCipher } = webhookEndpoints[0]!;
          expect(await stubs.webhookOpener.decrypt(secretCipher, partner.id)).toBe(data.secret);
        },
      };
    });
  });
});

// docs/decisions.md, "Codes of a challenge"
describe('a confirmation that broke off after its code was accepted', () => {
  async function brokenOff(at: string, when: Fate['when'] = 'before') {
    const world = openWorld();
    const { clientId, secret } = await putClient(world);
    const { id } = await putPurchaseIn(world.stubs, 'AWAITING_MFA', {
      partnerId: world.partner.id,
      clientId,
      wait: { status: 'AWAITING_MFA', token: newId() },
    });
    const totpCode = generateSync({ secret, epoch: START_AT / 1000 });
    const confirm: Operation = (caller) => confirmMfa({ id, totpCode }, caller, world.ports);
    const request = aKeyedRequest(world, confirm);
    const fate = { at, when, kind: 'killed' } as const;
    expect(await request.meet(fate)).toBe('KILLED');
    return { world, id, clientId, repeat: (afterMs: number) => request.repeat(fate, afterMs), confirm };
  }

  test.each([
    ['before', 'TransactWriteCommand'],
    ['before', 'pix.createCharge'],
    ['after', 'pix.createCharge'],
  ] as const)(
    'continues with its key after a failure %s %s, long after the code has ended',
    async (when, at) => {
      const { repeat, world, id } = await brokenOff(at, when);

      const { answer } = await repeat(10 * MINUTE_MS);

      expect(dataOf(answer)).toMatchObject({ status: 'AWAITING_PIX' });
      expect((await world.read.transactions.findTransaction(id))!.mfaAttempts).toBe(1);
    },
  );

  test('ends with the deadline of its Pix if its charge was written', async () => {
    const { repeat, world, id } = await brokenOff('machine.resume');
    const { status, expiresAt } = (await world.read.transactions.findTransaction(id))!;
    expect(status).toBe('AWAITING_PIX');

    const { answer } = await repeat(expiresAt! - world.ports.clock.now());

    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'TRANSACTION_EXPIRED' } });
  });

  test('does not continue for another request with the same code', async () => {
    const { confirm, world } = await brokenOff('pix.createCharge');
    world.ports.clock.advance(10 * MINUTE_MS);

    const { answer } = await aKeyedRequest(world, confirm).repeat(NO_FATE);

    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'MFA_INVALID_CODE' } });
  });

  test('does not continue after its time, nor after a reset of the secret', async () => {
    const late = await brokenOff('pix.createCharge');
    const { answer } = await late.repeat(MFA_UNTIL - START_AT);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'TRANSACTION_EXPIRED' } });

    const reset = await brokenOff('pix.createCharge');
    await reset.world.read.clients.resetTotp(reset.clientId, await cipherOf(reset), 1);
    const refused = await reset.repeat(LEASE_MS);

    expect(JSON.parse(refused.answer.body)).toMatchObject({ error: { code: 'MFA_INVALID_CODE' } });
    expect([...reset.world.stubs.pix.charges.keys()]).toEqual([]);
  });
});

// docs/decisions.md, "Codes of a challenge"
test('the repetition of a purchase that broke off before a reset of the secret hides the new secret', async () => {
  const world = openWorld();
  const { kyc, clientId } = await putClient(world);
  const body = { kycToken: kyc.token, amountBrl: 250, asset: 'USDC', walletAddress: WALLET };
  const request = aKeyedRequest(world, (caller) => initiateTransaction(body, caller, world.ports));
  const fate = { at: 'machine.start', when: 'before', kind: 'killed' } as const;
  expect(await request.meet(fate)).toBe('KILLED');
  await world.read.clients.resetTotp(clientId, await cipherOf({ world, clientId }), START_AT);

  const { answer, isReplay } = await request.repeat(fate);

  expect([isReplay, dataOf(answer)]).toEqual([
    false,
    expect.objectContaining({ authChallenge: expect.objectContaining({ type: 'MFA_TOTP' }) }),
  ]);
  expect(answer.body).not.toContain('otpauth');
});

const cipherOf = ({ world, clientId }: { world: World; clientId: string }) =>
  world.stubs.totpSealer.encrypt(newTotpSecret(world.ports.random), clientId);
