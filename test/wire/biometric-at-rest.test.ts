import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { call, type Data, rowsWhere, submitKyc, textOf } from '../support/partner-api.ts';
import { aSubmission } from '../support/requests.ts';
import { approvedClient, onList, openWorld, recordOf, type World } from '../support/rescreening.ts';
import { newPartner, randomCpf, sandbox } from '../support/sandbox.ts';
import { aRequest, clientIdOf, HOLDER, partnerOf } from '../support/submissions.ts';
import { allRowsIn, startTables } from '../support/tables.ts';

// Each test has its own tables, because a review reads everything.
let tables: Awaited<ReturnType<typeof startTables>>;
const started: (() => Promise<void>)[] = [];
beforeEach(async () => {
  tables = await startTables();
  started.push(tables.stop);
});
afterAll(() => Promise.all(started.map((stop) => stop())));

const DAY_MS = 24 * 60 * MINUTE_MS;
const digits = () => randomBytes(32).toString('hex');
const PENDING = 'PENDING';

const holding = (rows: Data[], text: string) =>
  rows.filter((row) => textOf(row).toLowerCase().includes(text));
const evidenceIn = (rows: Data[]) => rows.filter(({ kind }) => kind === 'kyc') as { inputs: Data }[];

/** A client whom the identity provider has not approved yet, and its present review. */
async function pendingClient({ ports }: World, changes: Parameters<typeof aRequest>[0]) {
  const { partner, submit } = partnerOf(ports);
  const request = aRequest(changes);
  const clientId = await clientIdOf(ports, partner.id, request.cpf);
  const says = (status: 'PENDING' | 'APPROVED', biometricHash?: string) =>
    ports.identity.reviews.set(clientId, { applicantId: 'a1', status, holder: HOLDER, biometricHash });
  says(PENDING);
  return { ...(await submit(request)), says };
}

function review({ ports }: World) {
  ports.clock.advance(MINUTE_MS);
  return reviewPendingKyc(ports);
}

/** An approved client who came close to an entry, and so is PENDING again. */
async function heldClient(world: World, biometricHash: string) {
  const client = await approvedClient(world, { biometricHash });
  world.publish(2, { [client.cpf]: [onList('OFAC_SDN', 0.8)] });
  world.ports.clock.advance(MINUTE_MS);
  await rescreenClients(world.ports);
  expect(await recordOf(world.ports, client)).toMatchObject({ status: PENDING });
  return client;
}

describe('a biometric hash', () => {
  // docs/decisions.md, "Documents and face are verified by the identity provider"
  test('is in no table after submissions of every model', async () => {
    const { apiKey } = await newPartner();
    const secret = digits();
    const vendorsToken = async (cpf: string) => {
      const answer = await call('POST', '/v1/laas/sandbox/partner-kyc-token', { apiKey, body: { cpf } });
      return answer.data.partnerKycToken;
    };
    const cpf = randomCpf();
    const submissions: Data[] = [
      {},
      { mode: 'shared' },
      { cpf: '900.000.003-37' },
      { cpf: '900.000.003-37', mode: 'shared', biometricHash: `sha256:${secret.toUpperCase()}` },
      { cpf: '900.000.002-56' },
      { personType: 'PJ', cnpj: '11.222.333/0001-81' },
      { cpf, partnerKycToken: await vendorsToken(cpf) },
    ];

    const answers = [];
    for (const [at, fields] of submissions.entries()) {
      const body = aSubmission({ biometricHash: `sha256:${secret}`, ...fields });
      answers.push(await submitKyc(apiKey, body, { headers: { 'Idempotency-Key': `submission ${at}` } }));
    }

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422, 200, 200]);
    const ours = Object.keys(sandbox().refs).filter((id) => id.startsWith('Tables'));
    const rows = await Promise.all(ours.map((table) => rowsWhere(table, () => true)));
    expect(rows.flat().length).toBeGreaterThan(20);
    expect(holding(rows.flat(), secret)).toEqual([]);
  });

  test('is in no table, whatever happens to a record', async () => {
    const world = openWorld(tables);
    const secret = digits();
    const settled = await pendingClient(world, { biometricHash: `sha256:${secret}` });
    settled.says('APPROVED');
    await review(world);
    await heldClient(world, `sha256:${secret}`);
    await pendingClient(world, { biometricHash: `sha256:${secret}`, mode: 'shared' });
    await review(world);

    expect(holding(await allRowsIn(tables), secret)).toEqual([]);
    world.ports.clock.advance(DAY_MS);
    await review(world);

    const rows = await allRowsIn(tables);
    expect(holding(rows, secret)).toEqual([]);
    expect(evidenceIn(rows)).toHaveLength(5);
  });

  test('is recognized by its keyed hash, in any case of its digits', async () => {
    const world = openWorld(tables);
    const secret = digits();
    await approvedClient(world, { biometricHash: `sha256:${secret}` });
    await approvedClient(world, { biometricHash: `sha256:${secret.toUpperCase()}` });
    await approvedClient(world, { biometricHash: `sha256:${digits()}` });

    const kept = evidenceIn(await allRowsIn(tables)).map(({ inputs }) => inputs.keyedBiometric);

    expect(kept).toEqual(kept.map(() => expect.stringMatching(/^[0-9a-f]{64}$/)));
    expect(new Set(kept).size).toBe(2);
  });

  test.each([
    ['the provider’s', true, { status: 'APPROVED' }],
    ['another', false, { status: 'REJECTED', reason: 'IDENTITY_MISMATCH' }],
  ])('of %s is judged when a PENDING record is decided: %#', async (_, isSame, outcome) => {
    const world = openWorld(tables);
    const biometricHash = `sha256:${digits()}`;
    const client = await pendingClient(world, { biometricHash });
    client.says('APPROVED', isSame ? biometricHash : `sha256:${digits()}`);

    await review(world);

    expect(await recordOf(world.ports, client)).toMatchObject(outcome);
    expect(await recordOf(world.ports, client)).not.toHaveProperty('keyedBiometric');
  });
});
