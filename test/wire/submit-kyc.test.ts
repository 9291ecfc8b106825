import { describe, expect, test } from 'vitest';
import { submitKyc as screenClient } from '../../functions/api/submit-kyc.ts';
import { ttlOf } from '../../functions/domain/retention.ts';
import { LIST_IDS } from '../../functions/domain/screening/lists.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { personaOf } from '../../sandbox/providers/persona.ts';
import { scenarios } from '../../sandbox/providers/scenarios.ts';
import { aPartner } from '../support/builders.ts';
import {
  type Data,
  expectRefusal,
  holdingsOf,
  NOTHING,
  rowsWhere,
  submitKyc,
  textOf,
} from '../support/partner-api.ts';
import { openPorts, START_AT } from '../support/ports.ts';
import { registryDownFor, registrySays } from '../support/provider-faults.ts';
import { aSubmission } from '../support/requests.ts';
import { eventually, newPartner, randomCpf, rowOf, sandbox } from '../support/sandbox.ts';
import { aRequest } from '../support/submissions.ts';
import { allRowsIn, memoryTables, tapped } from '../support/tables.ts';

const aCandidate = {
  list: 'OFAC_SDN' as const,
  entryId: '1',
  score: 1,
  threshold: 0.9,
  explanation: 'name exact',
};

const DAY_MS = 24 * 60 * 60 * 1000;
const BRAZIL_MS = 3 * 60 * 60 * 1000;

const recordsOf = (partnerId: string) => rowsWhere('TablesKycRecords', (row) => row.partnerId === partnerId);
const evidenceOf = (token: unknown) => rowsWhere('TablesEvidence', ({ subject }) => subject === token);

async function submit(fields: Data = {}) {
  const { partnerId, apiKey } = await newPartner();
  return { partnerId, apiKey, answer: await submitKyc(apiKey, aSubmission(fields)) };
}

describe('200', () => {
  // Spec, Submit KYC data: "Response 200: token, status, riskTier, expiresAt"
  test('approves a client without list hits, for 24 hours', async () => {
    const before = Date.now();

    const { answer } = await submit();

    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      token: expect.stringMatching(/^kyc_[0-9A-Z]{32}$/),
      status: 'APPROVED',
      riskTier: 'STANDARD',
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const lifeMs = Date.parse(String(answer.data.expiresAt)) - before;
    expect(lifeMs).toBeGreaterThanOrEqual(DAY_MS);
    expect(lifeMs).toBeLessThanOrEqual(DAY_MS + Date.now() - before);
  });

  // Spec, Submit KYC data: "Response 200: token, status, riskTier, expiresAt"
  test.each([
    ['HIGH', '111.444.777-35'],
    ['HIGH', '11144477735'],
    ['PEP', '900.000.001-75'],
  ])('gives the tier %s to %s', async (riskTier, cpf) => {
    const { answer } = await submit({ cpf });

    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ status: 'APPROVED', riskTier });
  });

  test('gives each submission its own token, and the client stays one client', async () => {
    const { partnerId, apiKey } = await newPartner();
    const body = aSubmission();

    const [first, second] = [await submitKyc(apiKey, body), await submitKyc(apiKey, body)];

    expect(second.data.token).not.toBe(first.data.token);
    expect(await holdingsOf(partnerId)).toMatchObject({ TablesKycRecords: 2, TablesClients: 1 });
  });

  test('keeps one client when ten submissions of the same person arrive together', async () => {
    const { partnerId, apiKey } = await newPartner();
    const body = aSubmission();

    const answers = await Promise.all(Array.from({ length: 10 }, () => submitKyc(apiKey, body)));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await holdingsOf(partnerId)).toMatchObject({ TablesKycRecords: 10, TablesClients: 1 });
  });

  test('treats the same person at two partners as two clients', async () => {
    const cpf = randomCpf();

    const [one, other] = [await submit({ cpf }), await submit({ cpf })];

    const [mine, theirs] = [await recordsOf(one.partnerId), await recordsOf(other.partnerId)];
    expect(mine[0]!.clientId).not.toBe(theirs[0]!.clientId);
  });

  // Spec, Submit KYC data: "Value shared is used in Model 3"
  test.each([
    ['1 without a mode', {}, 1],
    ['3 with mode shared', { mode: 'shared' }, 3],
  ])('takes the KYC model %s', async (_, fields, model) => {
    const { answer } = await submit(fields);

    expect(await rowOf('TablesKycRecords', String(answer.data.token))).toMatchObject({ model });
  });

  // Spec, Submit KYC data: "PF (individual, default) or PJ (legal entity / CNPJ holder)"
  // docs/decisions.md, "Data that the partner collected"
  test.each([
    ['of digits and punctuated', '11.222.333/0001-81'],
    ['of digits', '11222333000181'],
    ['of letters and digits', '12.ABC.345/01DE-35'],
    ['not given', undefined],
  ])('takes a legal entity whose CNPJ is %s', async (_, cnpj) => {
    const { answer } = await submit({ personType: 'PJ', cnpj });

    expect(answer.status).toBe(200);
    expect(await rowOf('TablesKycRecords', String(answer.data.token))).toMatchObject({ personType: 'PJ' });
  });

  // Spec, Submit KYC data: "PF (individual, default) or PJ (legal entity / CNPJ holder)"
  // docs/decisions.md, "Data that the partner collected"
  test('takes a submission without personType for an individual', async () => {
    const { answer } = await submit({ personType: undefined });

    expect(answer.status).toBe(200);
    expect(await rowOf('TablesKycRecords', String(answer.data.token))).toMatchObject({ personType: 'PF' });
  });

  test('accepts the registry’s partial answer', async () => {
    expect((await submit({ cpf: '88373571094' })).answer.status).toBe(200);
  });
});

describe('the data of a client', () => {
  test('is kept until ten years after the year of the last token, with the record and its evidence', async () => {
    const { answer, partnerId } = await submit();

    const [record] = await recordsOf(partnerId);
    const [evidence] = await evidenceOf(answer.data.token);
    const client = await rowOf('TablesClients', String(record!.clientId));
    const end = ttlOf('kycRecords', Date.parse(String(answer.data.expiresAt)));
    expect([client!.ttl, record!.ttl]).toEqual([end, end]);
    expect(evidence!.ttl).toBe(ttlOf('evidence', Number(evidence!.at)));
  });
});

// docs/decisions.md, "Data that the partner collected"
describe('what the partner collected', () => {
  test('is refused with a code and the field’s name where no model takes it', async () => {
    const { answer } = await submit({ name: 'Ana Lima', birthDate: '1990-02-30', documentNumber: '1' });

    expect(answer.status).toBe(400);
    const issues = answer.error.details.issues as Data[];
    expect(issues.map(({ path }) => path).sort()).toEqual(['birthDate', 'documentNumber', 'name']);
  });

  // Spec, What the service does: "both data sets are cross-checked"
  test.each([
    ['agrees, and is kept as verdicts and keyed hashes only', {}, 200],
    ['differs, and is kept in no row', { documentNumber: '44.444.444-4' }, 422],
  ])('%s', async (_, changes, status) => {
    const { cpf, collected } = scenarios.find((one) => one.collected)!;

    const { answer, partnerId } = await submit({ cpf, mode: 'shared', ...collected, ...changes });

    expect(answer.status).toBe(status);
    const [record] = await recordsOf(partnerId);
    const rows = await evidenceOf(record!.token);
    expect(rows).toMatchObject([
      {
        inputs: { keyedCollected: { birthDate: [expect.stringMatching(/^[0-9a-f]{64}$/)] } },
        findings: { crossCheck: { registry: { name: 'SAME' }, document: { birthDate: 'SAME' } } },
      },
    ]);
    const ours = Object.keys(sandbox().refs).filter((id) => id.startsWith('Tables'));
    const all = textOf(await Promise.all(ours.map((table) => rowsWhere(table, () => true)))).toUpperCase();
    for (const trace of [
      'IOLANDA',
      'BRANCAFORTE',
      '1987-09-23',
      '12345678X',
      '12.345.678',
      '44.444.444',
      '444444444',
    ])
      expect(all).not.toContain(trace);
  });
});

describe('the evidence of a decision', () => {
  // Spec, What the service does: "sanctions lists from Brazil, the US and the UN"
  test('is one row with lists and digests, and without CPF or name', async () => {
    const cpf = randomCpf();

    const { answer } = await submit({ cpf });

    const rows = await evidenceOf(answer.data.token);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ kind: 'kyc', decidedBy: 'SubmitKyc', decision: { status: 'APPROVED' } });
    const { lists } = (rows[0]!.findings as { screening: { lists: Data[] } }).screening;
    expect(lists.map(({ list }) => list).sort()).toEqual([...LIST_IDS].sort());
    for (const { sha256, version, entries } of lists) {
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(version).toBeTruthy();
      expect(Number(entries)).toBeGreaterThan(0);
    }
    const text = JSON.stringify(rows).toUpperCase();
    for (const part of [cpf, ...personaOf(cpf).name.toUpperCase().split(' ')]) {
      expect(text).not.toContain(part);
    }
  });

  test('agrees with the record if the first try died in its write and the lists have changed', async () => {
    let isDying = true;
    const tables = memoryTables();
    const mortal = tapped(tables, (send) => async (command) => {
      if (!isDying || !JSON.stringify(command).includes(tables.names.evidence)) return send(command);
      isDying = false;
      throw new Error('the function died');
    });
    const findings = [[], [aCandidate]];
    const ports = openPorts(mortal);
    ports.sanctions.search = async () => ({ lists: [], candidates: findings.shift()! });
    const caller = { partner: aPartner(), ids: reservedIds(newReservation(START_AT, ports.random)) };
    const request = aRequest();

    await expect(screenClient(request, caller, ports)).rejects.toThrow('died');
    await expect(screenClient(request, caller, ports)).rejects.toMatchObject({ code: 'KYC_REJECTED' });

    const token = caller.ids.kycToken();
    expect(await ports.kycRecords.findRecord(token)).toMatchObject({ status: 'REJECTED' });
    const evidence = (await allRowsIn(tables)).filter(({ subject }) => subject === token);
    expect(evidence.map(({ decision }) => (decision as Data).status)).toEqual(['REJECTED']);
  });

  test('is written once for a repeated request', async () => {
    const { apiKey } = await newPartner();
    const body = aSubmission();
    const headers = { 'Idempotency-Key': 'once' };

    const [first] = [await submitKyc(apiKey, body, { headers }), await submitKyc(apiKey, body, { headers })];

    expect(await evidenceOf(first!.data.token)).toHaveLength(1);
  });
});

describe('422 KYC_REJECTED', () => {
  // Spec, Errors: "KYC_REJECTED 422: Client failed compliance screening; details.reason"
  // docs/decisions.md, "Decisions are made from facts alone"
  // docs/compliance.md, "Effect of a hit"
  test.each([
    ['SANCTIONS_HIT', 'whom a sanctions list knows', '90000000256'],
    ['CPF_IRREGULAR', 'whose CPF is suspended', '40532176871'],
    ['CPF_IRREGULAR', 'whose CPF is void', '98302514705'],
    ['UNDERAGE', 'whose data the law keeps closed', '30272095079'],
    ['DECEASED', 'who has died', '05137518743'],
  ])('with reason %s refuses a client %s', async (reason, _, cpf) => {
    const { answer } = await submit({ cpf });

    expectRefusal(answer, 'KYC_REJECTED', { reason });
  });

  test('with reason UNDERAGE refuses a client one day before the eighteenth birthday', async () => {
    const [today, tomorrow] = [randomCpf(), randomCpf()];
    await registrySays(today, { birthDate: eighteenYearsBefore(0) });
    await registrySays(tomorrow, { birthDate: eighteenYearsBefore(1) });

    expectRefusal((await submit({ cpf: tomorrow })).answer, 'KYC_REJECTED', { reason: 'UNDERAGE' });
    // Model 2, because the document of this CPF shows another birth date.
    const { apiKey, client } = await newPartner();
    const { partnerKycToken } = await client.sandbox.partnerKycToken({ cpf: today });
    expect((await submitKyc(apiKey, { cpf: today, partnerKycToken })).status).toBe(200);
  });

  test('with reason CPF_IRREGULAR refuses a CPF that the registry does not know', async () => {
    const cpf = randomCpf();
    await registrySays(cpf, { missing: true });

    expectRefusal((await submit({ cpf })).answer, 'KYC_REJECTED', { reason: 'CPF_IRREGULAR' });
  });

  test.each([
    ['a.b.c', 'MALFORMED'],
    ['eyJhbGciOiJub25lIn0.e30.', 'ALGORITHM'],
    ['x', 'MALFORMED'],
  ])(
    'with reason PARTNER_TOKEN_INVALID refuses the partner token %s, names %s, and stores nothing',
    async (partnerKycToken, fault) => {
      const { partnerId, answer } = await submit({ partnerKycToken, biometricHash: undefined });

      expectRefusal(answer, 'KYC_REJECTED', { reason: 'PARTNER_TOKEN_INVALID', fault });
      expect(await holdingsOf(partnerId)).toEqual(NOTHING);
    },
  );

  test('leaves a record and its evidence, and gives no token to the partner', async () => {
    const { partnerId, answer } = await submit({ cpf: '90000000256' });

    const [record] = await recordsOf(partnerId);
    expect(record).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(answer.text).not.toContain(record!.token);
    const [evidence] = await evidenceOf(record!.token);
    expect(evidence).toMatchObject({ decision: { status: 'REJECTED', reason: 'SANCTIONS_HIT' } });
    expect((evidence!.decision as { rules: string[] }).rules).toContainEqual(
      expect.stringMatching(/^hit: OFAC_SDN \d+ \(score .*name equal/),
    );
  });
});

describe('200 PENDING', () => {
  // Spec, Submit KYC data: "Response 200: token, status, riskTier, expiresAt"
  // Spec, What the service does: "sanctions lists from Brazil, the US and the UN"
  // docs/decisions.md, "A provider is down"
  test('is the answer while the registry is down, with tier HIGH until it answers; later kyc.approved', async () => {
    const { apiKey, client } = await newPartner();
    const body = aSubmission();
    const registry = await registryDownFor(body.cpf);

    const { status, data } = await submitKyc(apiKey, body);
    await registry.heal();
    const told = await eventually(
      () => client.getKycStatus(String(data.token)),
      (record) => record.status !== 'PENDING',
    );

    expect(status).toBe(200);
    expect(data).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    expect(data).not.toHaveProperty('verificationUrl');
    expect(told).toEqual({ ...data, status: 'APPROVED', riskTier: 'STANDARD' });
    const [evidence] = await evidenceOf(data.token);
    expect(evidence!.findings).toMatchObject({ unavailable: ['CPF_REGISTRY'] });
    const { webhooks } = await eventually(
      () => client.sandbox.webhooks(),
      ({ webhooks }) => webhooks.length > 0,
    );
    expect(webhooks[0]).toMatchObject({ verified: true, event: { type: 'kyc.approved', data: told } });
  });
});

describe('400 INVALID_REQUEST', () => {
  test('refuses a CNPJ for an individual', async () => {
    const { partnerId, answer } = await submit({ personType: 'PF', cnpj: '11222333000181' });

    expectRefusal(answer, 'INVALID_REQUEST', {
      issues: [{ path: 'cnpj', message: 'goes with personType PJ only' }],
    });
    expect(await holdingsOf(partnerId)).toEqual(NOTHING);
  });
});

function eighteenYearsBefore(daysFromNow: number): string {
  // The day in Brazil, which differs from that of UTC for three hours.
  const day = new Date(Date.now() - BRAZIL_MS + daysFromNow * DAY_MS);
  return `${day.getUTCFullYear() - 18}${day.toISOString().slice(4, 10)}`;
}
