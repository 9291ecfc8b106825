import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { Evidence } from '../../functions/domain/purchase/evidence.ts';
import { decideAgain } from '../../functions/domain/purchase/evidence.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { putApproved } from '../support/approved.ts';
import { MINUTE_MS, WALLET } from '../support/builders.ts';
import { aPurchaseIn, START_AT } from '../support/ports.ts';
import {
  approvedClient,
  events,
  indexOf,
  onList,
  openWorld,
  recordOf,
  type World,
} from '../support/rescreening.ts';
import { aRequest, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables, rowIn, type Tables } from '../support/tables.ts';

// Each test has its own tables, because a run reads everything.
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

const DAY_MS = 24 * 60 * MINUTE_MS;
const NOTHING = { kept: 0, raised: 0, held: 0, rejected: 0, retired: 0, moved: 0, failed: 0 };

/** Runs `RescreenClients` a minute later. */
function run({ ports }: World) {
  ports.clock.advance(MINUTE_MS);
  return rescreenClients(ports);
}

/** Runs the review of the waiting records a minute later. */
function review({ ports }: World) {
  ports.clock.advance(MINUTE_MS);
  return reviewPendingKyc(ports);
}

async function evidenceOf(subject: string): Promise<Evidence[]> {
  const { Items = [] } = await tables.client.send(
    new QueryCommand({
      TableName: tables.names.evidence,
      IndexName: 'subject',
      KeyConditionExpression: 'subject = :subject',
      ExpressionAttributeValues: { ':subject': subject },
    }),
  );
  return Promise.all(
    Items.map(async ({ id }) => (await rowIn(tables, 'evidence', String(id))) as unknown as Evidence),
  );
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    ({ code }: { code?: string }) => code,
  );

describe('lists that have not changed', () => {
  test('are not searched again, and nothing is recorded', async () => {
    const world = openWorld(tables);
    const client = await approvedClient(world);

    expect(await run(world)).toEqual(NOTHING);

    expect(world.ports.sanctions.searched).toHaveLength(1);
    expect(await evidenceOf(client.token)).toHaveLength(1);
    expect(await evidenceOf(indexOf(1).version)).toEqual([]);
  });

  test('are searched for everybody once they change', async () => {
    const world = openWorld(tables);
    await approvedClient(world);
    world.ports.sanctions.isDown = true;

    await expect(run(world)).rejects.toMatchObject({ name: 'Unavailable' });

    world.ports.sanctions.isDown = false;
    world.publish(2);
    expect(await run(world)).toEqual({ ...NOTHING, kept: 1 });
  });
});

describe('a client without hits in changed lists', () => {
  test('is searched once, by the former name and the CPF, and no event is sent', async () => {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    const before = await recordOf(world.ports, client);
    world.publish(2);

    expect(await run(world)).toEqual({ ...NOTHING, kept: 1 });
    expect(await run(world)).toEqual(NOTHING);

    const { cpf } = client;
    const person = { name: 'MARIA APARECIDA TESTE', birthDate: '1980-01-01' };
    expect(world.ports.sanctions.searched).toEqual([{ cpf, ...person }]);
    expect(await recordOf(world.ports, client)).toEqual({ ...before, screenedWith: indexOf(2).version });
    expect(await events(world.ports)).toEqual([]);
    expect(world.ports.cpfRegistry.asked).toHaveLength(1);
  });

  test('leaves no evidence of its own: one record names the run, its time and its index', async () => {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    await approvedClient(world);
    world.publish(2);

    await run(world);

    expect(await evidenceOf(client.token)).toHaveLength(1);
    expect(await evidenceOf(indexOf(2).version)).toMatchObject([
      {
        kind: 'lists',
        at: START_AT + MINUTE_MS,
        decidedBy: 'RescreenClients',
        inputs: { index: indexOf(2) },
        decision: { kept: 2, rejected: 0 },
      },
    ]);
  });

  test('is searched once for all tokens', async () => {
    const world = openWorld(tables);
    const { again } = await approvedClient(world);
    await Promise.all([again(), again(), again()]);
    world.publish(2);

    expect(await run(world)).toEqual({ ...NOTHING, kept: 4 });

    expect(world.ports.sanctions.searched).toHaveLength(1);
  });

  test('is searched together with its company', async () => {
    const world = openWorld(tables);
    await approvedClient(world, { personType: 'PJ', cnpj: '11222333000181' });
    world.publish(2);

    await run(world);

    expect(world.ports.sanctions.searched).toMatchObject([{ cnpj: '11222333000181' }]);
  });
});

describe('a client who is now on a freeze list', () => {
  async function listedClient() {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    world.publish(2, { [client.cpf]: [onList('OFAC_SDN')] });
    return { world, client };
  }

  // docs/decisions.md, "Screening again"
  test('is rejected, and the partner learns the reason once', async () => {
    const { world, client } = await listedClient();

    expect(await run(world)).toEqual({ ...NOTHING, rejected: 1 });
    expect(await run(world)).toEqual(NOTHING);

    expect(await recordOf(world.ports, client)).toMatchObject({
      status: 'REJECTED',
      reason: 'SANCTIONS_HIT',
    });
    const [event, ...others] = await events(world.ports);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'kyc.rejected',
      partnerId: client.partner.id,
      sequence: 1,
      data: { token: client.token, status: 'REJECTED', reason: 'SANCTIONS_HIT', sequence: 1 },
    });
    expect(event!.id).toMatch(/^kyc_[0-9a-f]{32}$/);
  });

  test('has evidence with entry, index and decider, and it gives the same decision again', async () => {
    const { world, client } = await listedClient();

    await run(world);

    const [first, second] = (await evidenceOf(client.token)).sort((a, b) => a.at - b.at);
    expect(first).toMatchObject({ decidedBy: 'SubmitKyc', decision: { status: 'APPROVED' } });
    expect(second).toMatchObject({
      kind: 'kyc',
      decidedBy: 'RescreenClients',
      clientId: client.clientId,
      inputs: { clientId: client.clientId, model: 1, searchedBefore: indexOf(1).version },
      findings: {
        screening: { index: indexOf(2), candidates: [onList('OFAC_SDN')] },
        review: { status: 'APPROVED' },
      },
      decision: { status: 'REJECTED', reason: 'SANCTIONS_HIT' },
    });
    expect(decideAgain(second!)).toEqual(second!.decision);
    expect(JSON.stringify(second)).not.toContain(client.cpf);
    expect(JSON.stringify(second)).not.toContain('APARECIDA');
  });

  test('causes an error in the log, without token or name, and a case', async () => {
    const { world, client } = await listedClient();

    await run(world);

    const lines = world.ports.log.lines.join();
    expect(lines).toContain('client found on a list');
    for (const secret of [client.token, client.cpf, 'APARECIDA']) expect(lines).not.toContain(secret);
    expect(await world.cases.listOpen()).toMatchObject([
      { opened: 'REJECTED', token: client.token, candidate: { list: 'OFAC_SDN', entryId: '4711' } },
    ]);
  });

  test('is refused with every token, and each has its own outcome', async () => {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    const other = await client.again();
    world.publish(2, { [client.cpf]: [onList('OFAC_SDN')] });

    expect(await run(world)).toEqual({ ...NOTHING, rejected: 2 });

    expect(await recordOf(world.ports, other)).toMatchObject({ status: 'REJECTED' });
    expect(new Set((await events(world.ports)).map(({ id }) => id)).size).toBe(2);
    expect(await world.ports.clients.findClient(client.clientId)).toMatchObject({
      rejectedAt: START_AT + MINUTE_MS,
      rejectedFor: 'SANCTIONS_HIT',
    });
  });

  test('is rejected while its documents are still missing', async () => {
    const world = openWorld(tables);
    const { partner, submit } = partnerOf(world.ports);
    const request = aRequest();
    await reviewIs(world.ports, { partnerId: partner.id, cpf: request.cpf }, 'PENDING');
    const { token } = await submit(request);
    world.publish(2, { [request.cpf]: [onList('UN_SC')] });

    expect(await run(world)).toEqual({ ...NOTHING, rejected: 1 });

    expect(await recordOf(world.ports, { token })).toMatchObject({
      status: 'REJECTED',
      reason: 'SANCTIONS_HIT',
    });
    expect(await review(world)).toEqual({ looked: 0 });
    expect(await rowIn(tables, 'kycRecords', token)).not.toHaveProperty('live');
  });

  test('is refused by configuration if a debarment refuses', async () => {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    world.ports.listEffects = { ...world.ports.listEffects, BR_CEIS: 'REJECT' };
    world.publish(2, { [client.cpf]: [onList('BR_CEIS')] });

    expect(await run(world)).toEqual({ ...NOTHING, rejected: 1 });
  });
});

describe('a client who is now on a list of another kind', () => {
  test.each([
    ['BR_CEIS', 'HIGH'],
    ['BR_PEP', 'PEP'],
  ] as const)('%s has the tier %s, with this token and with older ones', async (list, riskTier) => {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    world.publish(2, { [client.cpf]: [onList(list)] });

    expect(await run(world)).toEqual({ ...NOTHING, raised: 1 });
    expect(await run(world)).toEqual(NOTHING);

    expect(await recordOf(world.ports, client)).toMatchObject({ status: 'APPROVED', riskTier });
    expect(await world.ports.clients.findClient(client.clientId)).toMatchObject({ raisedTier: riskTier });
    expect(await events(world.ports)).toEqual([]);
    const [, second] = (await evidenceOf(client.token)).sort((a, b) => a.at - b.at);
    expect(second).toMatchObject({ decision: { status: 'APPROVED', riskTier } });
    expect(decideAgain(second!)).toEqual(second!.decision);
  });

  test('keeps its tier after it leaves the list', async () => {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    world.publish(2, { [client.cpf]: [onList('BR_CEIS')] });
    await run(world);
    world.publish(3, { [client.cpf]: [] });

    expect(await run(world)).toEqual({ ...NOTHING, kept: 1 });

    expect(await recordOf(world.ports, client)).toMatchObject({ riskTier: 'HIGH' });
  });
});

describe('a client who is now close to an entry of a freeze list', () => {
  async function heldClient(changes: Parameters<typeof aRequest>[0] = {}) {
    const world = openWorld(tables);
    const client = await approvedClient(world, changes);
    world.publish(2, { [client.cpf]: [onList('OFAC_SDN', 0.8)] });
    expect(await run(world)).toEqual({ ...NOTHING, held: 1 });
    const [opened] = await world.cases.listOpen();
    return { world, client, opened: opened! };
  }

  // docs/decisions.md, "Facts that partners learn"
  test('is PENDING again, with a case, and with an event that names no reason', async () => {
    const { world, client, opened } = await heldClient();

    expect(await recordOf(world.ports, client)).toMatchObject({
      status: 'PENDING',
      openPairs: [opened.pair],
    });
    expect(opened).toMatchObject({ opened: 'PENDING', token: client.token });
    const [told, ...others] = await events(world.ports);
    expect({ type: told?.type, data: told?.data, others }).toEqual({
      type: 'kyc.pending',
      data: {
        token: client.token,
        status: 'PENDING',
        riskTier: 'STANDARD',
        expiresAt: expect.any(String),
        sequence: 1,
      },
      others: [],
    });
    const [, second] = (await evidenceOf(client.token)).sort((a, b) => a.at - b.at);
    expect(decideAgain(second!)).toEqual(second!.decision);
    expect(second).toMatchObject({ decision: { status: 'PENDING' } });
  });

  test('waits for the reviewer only', async () => {
    const { world, client } = await heldClient();

    expect(await review(world)).toEqual({ looked: 1 });

    expect(await recordOf(world.ports, client)).toMatchObject({ status: 'PENDING' });
    expect(world.ports.cpfRegistry.asked).toHaveLength(1);
  });

  test.each([
    ['CLEARED', 'kyc.approved', { status: 'APPROVED' }],
    ['CONFIRMED', 'kyc.rejected', { status: 'REJECTED', reason: 'SANCTIONS_HIT' }],
  ] as const)('is decided once the case is %s, with the event %s', async (decision, type, outcome) => {
    const { world, client, opened } = await heldClient({ personType: 'PJ', cnpj: '11222333000181' });
    await world.decide(opened, decision);

    await review(world);

    expect(await recordOf(world.ports, client)).toMatchObject(outcome);
    expect(await events(world.ports)).toMatchObject([
      { type: 'kyc.pending', sequence: 1 },
      { type, sequence: 2, data: outcome },
    ]);
    expect(world.ports.sanctions.searched.at(-1)).toMatchObject({ cnpj: '11222333000181' });
  });

  test('is not raised again for the same pair, and is rejected by a later hit with its own event', async () => {
    const { world, client, opened } = await heldClient();
    await world.decide(opened, 'CLEARED');
    await review(world);
    world.publish(3);
    expect(await run(world)).toEqual({ ...NOTHING, kept: 1 });
    world.publish(4, { [client.cpf]: [onList('UN_SC')] });

    expect(await run(world)).toEqual({ ...NOTHING, rejected: 1 });

    const told = await events(world.ports);
    expect(told).toMatchObject([
      { type: 'kyc.pending', sequence: 1 },
      { type: 'kyc.approved', sequence: 2 },
      { type: 'kyc.rejected', sequence: 3, data: { sequence: 3, reason: 'SANCTIONS_HIT' } },
    ]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(3);
  });

  test('is raised again if the entry has changed', async () => {
    const { world, client, opened } = await heldClient();
    await world.decide(opened, 'CLEARED');
    await review(world);
    world.publish(3, { [client.cpf]: [onList('OFAC_SDN', 0.8, { entryVersion: 'cd34' })] });

    expect(await run(world)).toEqual({ ...NOTHING, held: 1 });

    expect((await world.cases.listOpen()).map(({ pair }) => pair)).not.toContain(opened.pair);
  });

  test('is decided at once if the entry leaves the list', async () => {
    const { world, client } = await heldClient();
    world.publish(3, { [client.cpf]: [] });

    expect(await run(world)).toEqual({ ...NOTHING, held: 1 });
    await review(world);

    expect(await recordOf(world.ports, client)).toMatchObject({ status: 'APPROVED' });
    expect(await events(world.ports)).toMatchObject([
      { type: 'kyc.pending', sequence: 1 },
      { type: 'kyc.approved', sequence: 2 },
    ]);
  });

  test('has its biometric hash compared again when it is approved', async () => {
    const { world, client, opened } = await heldClient({ biometricHash: `sha256:${'ef'.repeat(32)}` });
    const record = await recordOf(world.ports, client);

    expect(record.keyedBiometric).toMatch(/^[0-9a-f]{64}$/);
    await world.decide(opened, 'CLEARED');
    await review(world);
    expect(await rowIn(tables, 'kycRecords', client.token)).not.toHaveProperty('keyedBiometric');
  });
});

describe('a token after its day', () => {
  test('is not searched any more, whatever the lists say, and no event is sent', async () => {
    const world = openWorld(tables);
    const client = await approvedClient(world);
    world.publish(2, { [client.cpf]: [onList('OFAC_SDN')] });
    world.ports.clock.advance(DAY_MS);

    expect(await run(world)).toEqual({ ...NOTHING, retired: 1 });
    expect(await run(world)).toEqual(NOTHING);

    expect(await recordOf(world.ports, client)).toMatchObject({ status: 'APPROVED' });
    expect(world.ports.sanctions.searched).toEqual([]);
    expect(await events(world.ports)).toEqual([]);
  });
});

describe('the copy of the deployment', () => {
  test('is another index: its clients are searched again once the bucket is back', async () => {
    const world = openWorld(tables);
    world.publish(1, {}, 'BUNDLED');
    const client = await approvedClient(world);
    expect(await recordOf(world.ports, client)).toMatchObject({ screenedWith: indexOf(1).version });
    world.publish(5, { [client.cpf]: [onList('OFAC_CONS')] });

    expect(await run(world)).toEqual({ ...NOTHING, rejected: 1 });
  });

  test('searches no client of a newer index', async () => {
    const world = openWorld(tables);
    world.publish(5);
    const client = await approvedClient(world);
    world.publish(1, {}, 'BUNDLED');

    expect(await run(world)).toEqual(NOTHING);

    expect(await recordOf(world.ports, client)).toMatchObject({ screenedWith: indexOf(5).version });
  });
});

describe('many clients', () => {
  test('are all searched in one run, even if some cannot be', async () => {
    const world = openWorld(tables);
    const { ports } = world;
    const first = await approvedClient(world);
    for (let from = 0; from < 240; from += 40) {
      await Promise.all(Array.from({ length: 40 }, () => putApproved(ports, aPurchaseIn('AWAITING_MFA'))));
    }
    // The clients of these records have no row, so they cannot be searched.
    world.publish(2);
    const last = await approvedClient(world);
    world.publish(3, { [last.cpf]: [onList('UN_SC')] });

    expect(await run(world)).toEqual({ ...NOTHING, kept: 1, rejected: 1, failed: 240 });

    expect(ports.log.lines.join()).toContain('screening again failed');
    expect(await recordOf(ports, first)).toMatchObject({ screenedWith: indexOf(3).version });
    expect(await evidenceOf(indexOf(3).version)).toMatchObject([{ findings: { failed: 240 } }]);
  });

  test('are left to the next run when the time is over', async () => {
    const world = openWorld(tables);
    const clients = await Promise.all(Array.from({ length: 30 }, () => approvedClient(world)));
    world.publish(2);
    const { keep } = world.ports.rescreenings;
    world.ports.rescreenings.keep = async (record, version) => {
      world.ports.clock.advance(MINUTE_MS);
      return keep(record, version);
    };

    for (const _ of [1, 2, 3]) expect((await run(world)).kept).toBe(10);

    for (const client of clients)
      expect(await recordOf(world.ports, client)).toMatchObject({ screenedWith: indexOf(2).version });
  });
});

test('a purchase of a rejected client does not begin', async () => {
  const world = openWorld(tables);
  const client = await approvedClient(world);
  world.publish(2, { [client.cpf]: [onList('OFAC_SDN')] });
  await run(world);

  const request = { kycToken: client.token, amountBrl: 250, asset: 'USDC' } as const;
  const caller = {
    partner: client.partner,
    keyId: 'key1',
    ids: reservedIds(newReservation(START_AT, world.ports.random)),
  };

  expect(await codeOf(initiateTransaction({ ...request, walletAddress: WALLET }, caller, world.ports))).toBe(
    'KYC_NOT_APPROVED',
  );
  expect(await codeOf(client.again())).toBe('KYC_REJECTED');
});
