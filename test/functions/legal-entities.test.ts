import { beforeEach, describe, expect, test } from 'vitest';
import { getKycStatus } from '../../functions/api/get-kyc-status.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { type Candidate, hitsOf } from '../../functions/domain/screening/screening.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { reviewClient } from '../../functions/logic/kyc/review-pending.ts';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS, WALLET } from '../support/builders.ts';
import { START_AT } from '../support/ports.ts';
import { events, indexOf, onList, openWorld, type World } from '../support/rescreening.ts';
import { aRequest, clientIdOf, partnerOf, reviewIs } from '../support/submissions.ts';
import { allRowsIn, memoryTables, type Tables } from '../support/tables.ts';
import { newSigner, type Signer } from '../support/token-signer.ts';

// Each test has its own tables, because a review reads everything.
let world: World & { tables: Tables };
let vendor: Signer;
beforeEach(async () => {
  const tables = memoryTables();
  world = { ...openWorld(tables), tables };
  vendor ??= await newSigner();
});

const VENDOR = { issuer: 'https://vendor.example', audience: 'onramp' };
/** The additional fields of a request in each model. */
const MODELS = {
  1: async () => ({}),
  2: async (cpf: string) => {
    const issuedAt = START_AT / 1000 - 5;
    const times = { iat: issuedAt, exp: issuedAt + 600 };
    const claims = { iss: VENDOR.issuer, aud: VENDOR.audience, sub: cpf, jti: `token ${cpf}`, ...times };
    return { biometricHash: undefined, partnerKycToken: await vendor.sign(claims) };
  },
  3: async () => ({ mode: 'shared' as const }),
};

const SANCTIONED = hitsOf([
  { list: 'OFAC_SDN', entryId: '1', score: 1, threshold: 0.9, explanation: 'equal' },
]);
const WAITS_FOR_CNPJ = { status: 'PENDING', riskTier: 'STANDARD', reason: 'CNPJ_REQUIRED' };

type Changes = Parameters<typeof aRequest>[0];

/** A submission of a legal entity, and the later questions of its partner. */
async function submitted(changes: Changes = {}) {
  const { ports } = world;
  const { partner, submit } = partnerOf(ports, { kycTokens: { ...VENDOR, jwks: { keys: [vendor.jwk] } } });
  const request = aRequest({ personType: 'PJ', ...changes });
  const clientId = await clientIdOf(ports, partner.id, request.cpf);
  const says = (status: 'PENDING' | 'APPROVED' | 'REJECTED') =>
    reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, status);
  await says('APPROVED');
  const answer = await submit(request);
  const ids = reservedIds(newReservation(START_AT, ports.random));
  const caller = { partner, keyId: 'key1', ids };
  return {
    answer,
    clientId,
    says,
    caller,
    lookUp: () => getKycStatus({ kycToken: answer.token }, caller, ports),
    again: (more: Changes) => submit({ ...request, ...more }),
  };
}

async function aMinuteLater() {
  world.ports.clock.advance(MINUTE_MS);
  return reviewPendingKyc(world.ports);
}

describe('a legal entity without a CNPJ', () => {
  // Spec, Submit KYC data: "PF (individual, default) or PJ (legal entity / CNPJ holder)"
  // docs/decisions.md, "Data that the partner collected"
  test.each([1, 2, 3] as const)(
    'is PENDING at submit and at the lookup, with the reason, in Model %d',
    async (model) => {
      const { cpf } = aRequest();

      const { answer, lookUp } = await submitted({ cpf, ...(await MODELS[model](cpf)) });

      expect(answer).toMatchObject(WAITS_FOR_CNPJ);
      const { token, expiresAt } = answer;
      expect(await lookUp()).toEqual({ token, expiresAt, ...WAITS_FOR_CNPJ });
    },
  );

  test('is not approved by a schedule or by news before its day is over, and costs no more answers', async () => {
    const { ports } = world;
    const { lookUp, clientId } = await submitted();
    const asked = [ports.cpfRegistry.asked.length, ports.sanctions.searched.length];

    for (let minute = 0; minute < 20; minute++) await aMinuteLater();
    await reviewClient(clientId, ports);
    world.publish(2);
    await rescreenClients(ports);
    await aMinuteLater();

    expect(await lookUp()).toMatchObject(WAITS_FOR_CNPJ);
    expect(ports.cpfRegistry.asked).toHaveLength(asked[0]!);
    ports.clock.advance(24 * 60 * MINUTE_MS);
    await aMinuteLater();
    expect(await lookUp()).not.toHaveProperty('reason');
    expect(await lookUp()).toMatchObject({ status: 'EXPIRED' });
    expect(await events(ports)).toEqual([]);
  });

  test('is not approved when a silent source answers', async () => {
    const { ports } = world;
    ports.cpfRegistry.isDown = true;
    const { lookUp } = await submitted();
    ports.cpfRegistry.isDown = false;

    await aMinuteLater();

    expect(await lookUp()).toMatchObject({ status: 'PENDING', reason: 'CNPJ_REQUIRED' });
  });

  test('opens no purchase', async () => {
    const { answer, caller } = await submitted();
    const request = { kycToken: answer.token, amountBrl: 250, asset: 'USDC', walletAddress: WALLET };

    await expect(initiateTransaction(request, caller, world.ports)).rejects.toMatchObject({
      code: 'KYC_NOT_APPROVED',
      details: { status: 'PENDING' },
    });
  });

  test('is rejected for findings about its representative', async () => {
    const { ports } = world;
    ports.sanctions.isDown = true;
    const { lookUp } = await submitted();
    ports.sanctions.isDown = false;
    ports.sanctions.search = async () => ({ index: indexOf(3), lists: [], candidates: SANCTIONED });

    await aMinuteLater();

    expect(await lookUp()).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
  });

  test('is rejected for documents that the provider refuses', async () => {
    const { clientId, says, lookUp } = await submitted();
    await says('REJECTED');
    // The id of evidence contains its instant, so the next decision needs a later one.
    world.ports.clock.advance(1);

    await reviewClient(clientId, world.ports);

    expect(await lookUp()).toMatchObject({ status: 'REJECTED', reason: 'DOCUMENT_REJECTED' });
  });

  test('is approved by another submission with its CNPJ', async () => {
    const { again } = await submitted();
    world.ports.clock.advance(MINUTE_MS);

    const answer = await again({ cnpj: '11222333000181' });

    expect(answer).toMatchObject({ status: 'APPROVED' });
    expect(answer).not.toHaveProperty('reason');
  });
});

const CNPJ = '11222333000181';
const COMPANY = { name: 'CRIMSON TIDEWATER LTDA', situation: 'ACTIVE' } as const;
const onCompany = (score: number): Candidate => ({
  ...onList('OFAC_SDN', score),
  of: 'COMPANY',
  listed: 'crimson tidewater group',
  explanation: 'company name alike',
});
/** The lists have an entry with the company's name. */
const listCompany = (score: number, day = 1) => {
  const { sanctions } = world.ports;
  sanctions.search = async (identity) => {
    sanctions.searched.push(identity);
    const candidates = identity.companyName === COMPANY.name ? [onCompany(score)] : [];
    return { index: indexOf(day), lists: [], candidates };
  };
  sanctions.index = indexOf(day);
};
const recordOf = async (token: string) => (await world.ports.kycRecords.findRecord(token))!;

describe('a legal entity with a CNPJ', () => {
  beforeEach(() => {
    world.ports.companyRegistry.entry = { ...COMPANY };
  });

  // docs/decisions.md, "Data that the partner collected"
  test.each([1, 2, 3] as const)(
    'is searched by its registered name and its CNPJ, in Model %d',
    async (model) => {
      const cpf = aRequest().cpf;

      const { answer } = await submitted({ cpf, cnpj: CNPJ, ...(await MODELS[model](cpf)) });

      expect(answer).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
      expect(world.ports.companyRegistry.asked).toEqual([CNPJ]);
      expect(world.ports.sanctions.searched).toEqual([
        expect.objectContaining({
          cpf,
          cnpj: CNPJ,
          companyName: COMPANY.name,
          name: 'MARIA APARECIDA TESTE',
        }),
      ]);
    },
  );

  test('leaves neither its name nor its number in the evidence', async () => {
    const { answer } = await submitted({ cnpj: CNPJ });

    const rows = await allRowsIn(world.tables);

    expect(rows.filter(({ subject }) => subject === answer.token)).toMatchObject([
      {
        findings: { company: { situation: 'ACTIVE' }, companyHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${CNPJ}|TIDEWATER`, 'i'));
  });

  test('is rejected for its own name, and so are the older tokens of its representative', async () => {
    const { again, clientId } = await submitted({ personType: 'PF' });
    world.ports.clock.advance(MINUTE_MS);
    listCompany(0.95);

    await expect(again({ personType: 'PJ', cnpj: CNPJ })).rejects.toMatchObject({
      code: 'KYC_REJECTED',
      details: { reason: 'SANCTIONS_HIT' },
    });
    expect(await world.ports.clients.findClient(clientId)).toMatchObject({ rejectedFor: 'SANCTIONS_HIT' });
  });

  test.each([
    ['is not active', { ...COMPANY, situation: 'INACTIVE' as const }],
    ['is not known to the registry', undefined],
  ])('is rejected if it %s, and its representative is not', async (_, entry) => {
    const { again, clientId, lookUp } = await submitted({ personType: 'PF' });
    world.ports.clock.advance(MINUTE_MS);
    world.ports.companyRegistry.entry = entry;

    await expect(again({ personType: 'PJ', cnpj: CNPJ })).rejects.toMatchObject({
      code: 'KYC_REJECTED',
      details: { reason: 'CNPJ_IRREGULAR' },
    });
    expect(await world.ports.clients.findClient(clientId)).not.toHaveProperty('rejectedAt');
    expect(await lookUp()).toMatchObject({ status: 'APPROVED' });
  });

  test('is PENDING while the registry is down, and is searched by its name later', async () => {
    const { ports } = world;
    ports.companyRegistry.isDown = true;
    const { answer, lookUp } = await submitted({ cnpj: CNPJ });
    expect(answer).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    expect(answer).not.toHaveProperty('reason');
    await aMinuteLater();
    expect(await lookUp()).toMatchObject({ status: 'PENDING' });
    ports.companyRegistry.isDown = false;

    await aMinuteLater();

    expect(await lookUp()).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    expect(ports.sanctions.searched.map(({ companyName }) => companyName)).toEqual([
      ...[undefined, undefined],
      COMPANY.name,
    ]);
    expect(await events(ports)).toMatchObject([{ type: 'kyc.approved' }]);
  });

  test('stays cleared of an entry that its CNPJ finds while the registry is down', async () => {
    const { ports, cases, decide } = world;
    const { again } = await submitted({ personType: 'PF' });
    ports.sanctions.search = async () => ({ index: indexOf(1), lists: [], candidates: [onCompany(1)] });
    await expect(again({ personType: 'PJ', cnpj: CNPJ })).rejects.toMatchObject({ code: 'KYC_REJECTED' });
    for (const found of await cases.listOpen()) await decide(found, 'CLEARED');
    ports.clock.advance(MINUTE_MS);
    ports.companyRegistry.isDown = true;

    const answer = await again({ personType: 'PJ', cnpj: CNPJ });

    expect(answer).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    ports.companyRegistry.isDown = false;
    await aMinuteLater();
    expect(await recordOf(answer.token)).toMatchObject({ status: 'APPROVED' });
  });

  test('is rejected later for the registry’s answer', async () => {
    world.ports.companyRegistry.isDown = true;
    const { lookUp } = await submitted({ cnpj: CNPJ });
    Object.assign(world.ports.companyRegistry, { isDown: false, entry: undefined });

    await aMinuteLater();

    expect(await lookUp()).toMatchObject({ status: 'REJECTED', reason: 'CNPJ_IRREGULAR' });
  });

  test('is not looked up in the company registry for an individual', async () => {
    await submitted({ personType: 'PF' });

    expect(world.ports.companyRegistry.asked).toEqual([]);
  });

  test('waits for a person if its name is close to a listed one; a clearance holds for this company only', async () => {
    listCompany(0.8);
    const { answer, again, lookUp } = await submitted({ cnpj: CNPJ });
    expect(answer).toMatchObject({ status: 'PENDING' });
    const [opened] = await world.cases.listOpen();
    await world.decide(opened!, 'CLEARED');
    await aMinuteLater();
    expect(await lookUp()).toMatchObject({ status: 'APPROVED' });

    expect(await again({ cnpj: CNPJ })).toMatchObject({ status: 'APPROVED' });
    expect(await again({ cnpj: '12ABC34501DE35' })).toMatchObject({ status: 'PENDING' });
  });
});

describe('changed lists', () => {
  beforeEach(() => {
    world.ports.companyRegistry.entry = { ...COMPANY };
  });

  test.each([
    [0.95, { status: 'REJECTED', reason: 'SANCTIONS_HIT' }],
    [0.8, { status: 'PENDING' }],
  ])(
    'find the company by its name with score %d, without asking the registry again',
    async (score, outcome) => {
      const { answer, lookUp } = await submitted({ cnpj: CNPJ });
      listCompany(score, 2);
      world.ports.clock.advance(MINUTE_MS);

      await rescreenClients(world.ports);

      expect(await lookUp()).toMatchObject(outcome);
      expect(world.ports.companyRegistry.asked).toHaveLength(1);
      expect(await recordOf(answer.token)).toMatchObject({ screenedWith: indexOf(2).version });
    },
  );

  test('hold a company that waits for a person, who may clear it', async () => {
    const { lookUp } = await submitted({ cnpj: CNPJ });
    listCompany(0.8, 2);
    world.ports.clock.advance(MINUTE_MS);
    await rescreenClients(world.ports);
    const [opened] = await world.cases.listOpen();

    await world.decide(opened!, 'CLEARED');
    await aMinuteLater();

    expect(opened).toMatchObject({ candidate: { of: 'COMPANY' } });
    expect(await lookUp()).toMatchObject({ status: 'APPROVED' });
  });
});
