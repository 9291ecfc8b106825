import { beforeEach, describe, expect, test } from 'vitest';
import { webhookBody } from '../../functions/domain/partners/events.ts';
import { hitsOf } from '../../functions/domain/screening/screening.ts';
import { reviewClient } from '../../functions/logic/kyc/review-pending.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS, WALLET } from '../support/builders.ts';
import { openPorts, START_AT, type TestPorts } from '../support/ports.ts';
import { aRequest, HOLDER, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables, rowIn, type Tables } from '../support/tables.ts';

// Each test has its own tables, because a review reads everything.
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

const DAY_MS = 24 * 60 * MINUTE_MS;

/** A client whose documents are not reviewed yet. */
async function pendingClient(ports: TestPorts, changes: Parameters<typeof aRequest>[0] = {}) {
  const { partner, submit } = partnerOf(ports);
  const request = aRequest(changes);
  const client = { partnerId: partner.id, cpf: request.cpf };
  const clientId = await reviewIs(ports, client, 'PENDING');
  const { token } = await submit(request);
  return { ...client, clientId, token };
}
const recordOf = async (ports: TestPorts, { token }: { token: string }) =>
  (await ports.kycRecords.findRecord(token))!;
/** Every event that is on its way. */
async function events(ports: TestPorts) {
  const ids = await ports.events.listUndelivered(Number.MAX_SAFE_INTEGER, 100);
  return Promise.all(ids.map(async (id) => (await ports.events.findEvent(id))!));
}
async function aMinuteLater(ports: TestPorts) {
  ports.clock.advance(MINUTE_MS);
  return reviewPendingKyc(ports);
}

describe('a PENDING record whose documents were reviewed', () => {
  // docs/decisions.md, "A provider is down"
  test('is approved at its next look, and the partner is told', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    await reviewIs(ports, client, 'APPROVED');

    expect(await reviewPendingKyc(ports)).toEqual({ looked: 0 });
    expect(await aMinuteLater(ports)).toEqual({ looked: 1 });

    expect(await recordOf(ports, client)).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    const [event, ...others] = await events(ports);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'kyc.approved', partnerId: client.partnerId, sequence: 1 });
    expect(JSON.parse(webhookBody(event!)).data).toEqual({
      token: client.token,
      status: 'APPROVED',
      riskTier: 'STANDARD',
      sequence: 1,
      expiresAt: new Date(START_AT + DAY_MS).toISOString(),
    });
  });

  test.each([
    ['DOCUMENT_REJECTED', 'REJECTED', HOLDER],
    ['IDENTITY_MISMATCH', 'APPROVED', { ...HOLDER, birthDate: '2001-01-01' }],
  ] as const)('is rejected with %s, and the partner learns the reason', async (reason, status, holder) => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    await reviewIs(ports, client, status, holder);

    await aMinuteLater(ports);

    expect(await recordOf(ports, client)).toMatchObject({ status: 'REJECTED', reason });
    expect(await events(ports)).toMatchObject([
      { type: 'kyc.rejected', data: { token: client.token, status: 'REJECTED', reason, sequence: 1 } },
    ]);
  });

  test('is rejected by a list that changed in the meantime', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    await reviewIs(ports, client, 'APPROVED');
    ports.sanctions.candidates = hitsOf([
      { list: 'UN_SC', entryId: '1', score: 1, threshold: 0.9, explanation: 'equal' },
    ]);

    await aMinuteLater(ports);

    expect(await recordOf(ports, client)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
  });

  test('leaves its own evidence beside that of the submission', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    await reviewIs(ports, client, 'APPROVED');

    await aMinuteLater(ports);

    const [first, second] = await Promise.all(
      [START_AT, START_AT + MINUTE_MS].map((at) => rowIn(tables, 'evidence', `${client.token}#kyc#${at}`)),
    );
    expect(first).toMatchObject({ decidedBy: 'SubmitKyc', decision: { status: 'PENDING' } });
    expect(second).toMatchObject({
      decidedBy: 'ReviewPendingKyc',
      inputs: { clientId: client.clientId, model: 1 },
      findings: { review: { status: 'APPROVED' } },
      decision: { status: 'APPROVED' },
    });
    expect(JSON.stringify(second)).not.toContain(client.cpf);
  });

  test('is announced under an id that does not contain the token, and is logged by that id', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    await reviewIs(ports, client, 'APPROVED');

    await aMinuteLater(ports);

    const [event] = await events(ports);
    expect(event!.id).toMatch(/^kyc_[0-9a-f]{32}$/);
    expect(ports.log.lines.join()).toContain(event!.id);
    expect(ports.log.lines.join()).not.toContain(client.token);
  });

  test('is decided at once by the provider’s news of the client, with all of their records', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    const stranger = await pendingClient(ports);
    ports.clock.advance(1);
    await reviewIs(ports, client, 'APPROVED');

    await reviewClient(client.clientId, ports);
    await reviewClient(client.clientId, ports);
    await reviewClient('nobody', ports);

    expect(await recordOf(ports, client)).toMatchObject({ status: 'APPROVED' });
    expect(await recordOf(ports, stranger)).toMatchObject({ status: 'PENDING' });
    expect(await events(ports)).toHaveLength(1);
  });

  test('does not refuse the submission that the client makes as soon as the rejection is known', async () => {
    const ports = openPorts(tables);
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    const client = { partnerId: partner.id, cpf: request.cpf };
    const clientId = await reviewIs(ports, client, 'PENDING');
    const first = await submit(request);
    ports.clock.advance(1);
    await reviewIs(ports, client, 'REJECTED');
    const { noteVerdict } = ports.clients;
    let again: Promise<{ token: string; status: string }> | undefined;
    // The partner sees the rejection as soon as it is noted, before the record itself is decided.
    ports.clients.noteVerdict = async (...noted) => {
      await noteVerdict(...noted);
      ports.clock.advance(1);
      await reviewIs(ports, client, 'PENDING');
      again ??= submit(request);
      await again;
      await reviewIs(ports, client, 'REJECTED');
      ports.clock.advance(1);
    };

    await reviewClient(clientId, ports);

    expect(await recordOf(ports, first)).toMatchObject({ status: 'REJECTED', reason: 'DOCUMENT_REJECTED' });
    expect(await again).toMatchObject({ status: 'PENDING' });
    const { rejectedAt } = (await ports.clients.findClient(clientId))!;
    expect(rejectedAt).toBeLessThan((await recordOf(ports, (await again)!)).issuedAt);
  });

  test('is refused once, although the provider repeats its news of the rejection', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    ports.clock.advance(MINUTE_MS);
    await reviewIs(ports, client, 'REJECTED');
    const { clientId } = client;
    const rejectedIs = (reviewedAt: number) =>
      ports.identity.reviews.set(clientId, { ...ports.identity.reviews.get(clientId)!, reviewedAt });
    const refusedAt = async () => (await ports.clients.findClient(clientId))!.rejectedAt;
    rejectedIs(ports.clock.now() - 1000);
    await reviewClient(clientId, ports);
    const first = await refusedAt();
    ports.clock.advance(MINUTE_MS);

    await reviewClient(clientId, ports);

    expect(await refusedAt()).toBe(first);
    ports.clock.advance(MINUTE_MS);
    rejectedIs(ports.clock.now());
    await reviewClient(clientId, ports);
    expect(await refusedAt()).toBe(ports.clock.now());
  });

  test('has one outcome if schedule and news meet', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    await reviewIs(ports, client, 'APPROVED');
    ports.clock.advance(MINUTE_MS);

    await Promise.all([
      reviewPendingKyc(ports),
      ...Array.from({ length: 5 }, () => reviewClient(client.clientId, ports)),
    ]);

    expect(await events(ports)).toHaveLength(1);
  });
});

describe('a PENDING record whose provider was down', () => {
  test('is approved once the registry answers, with the tier that was unknown', async () => {
    const ports = openPorts(tables);
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED');
    ports.cpfRegistry.isDown = true;
    const answer = await submit(request);
    expect(answer).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    await aMinuteLater(ports);
    expect(await recordOf(ports, answer)).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });

    ports.cpfRegistry.isDown = false;
    await aMinuteLater(ports);

    expect(await recordOf(ports, answer)).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
  });

  test('is approved once the provider has an applicant and the documents', async () => {
    const ports = openPorts(tables);
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    ports.identity.isDown = true;
    const answer = await submit(request);
    ports.identity.isDown = false;
    await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED');

    await aMinuteLater(ports);

    expect(ports.identity.applicants).toMatchObject([{ cpf: request.cpf }]);
    expect(await recordOf(ports, answer)).toMatchObject({ status: 'APPROVED' });
  });

  test('asks again for a legal entity’s CNPJ and the client’s wallets', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports, { personType: 'PJ', cnpj: '11222333000181' });
    await ports.clients.addWallet(client.clientId, WALLET);
    await reviewIs(ports, client, 'APPROVED');

    await aMinuteLater(ports);

    expect(ports.sanctions.searched.at(-1)).toMatchObject({ cpf: client.cpf, cnpj: '11222333000181' });
    expect(ports.walletRisk.asked).toEqual([WALLET]);
  });

  test('needs no documents in Model 2', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    const record = await recordOf(ports, client);
    ports.kycRecords.findRecord = async () => ({ ...record, model: 2 });

    await aMinuteLater(ports);

    expect(await events(ports)).toMatchObject([{ type: 'kyc.approved' }]);
  });
});

describe('a PENDING record without news', () => {
  test('is read each minute at first, then less often, and no event is sent', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    const looks: number[] = [];
    for (let minute = 1; minute <= 60; minute++) {
      if ((await aMinuteLater(ports)).looked > 0) looks.push(minute);
    }

    expect(looks).toEqual([1, 2, 3, 4, 5, 7, 11, 19, 35]);
    expect(await recordOf(ports, client)).toMatchObject({ status: 'PENDING', checks: 9 });
    expect(await events(ports)).toEqual([]);
  });

  test('asks the registry nothing while the documents are missing', async () => {
    const ports = openPorts(tables);
    await pendingClient(ports);

    await aMinuteLater(ports);

    expect(ports.cpfRegistry.asked).toHaveLength(1);
    expect(ports.sanctions.searched).toHaveLength(1);
  });

  // docs/decisions.md, "Documents and face are verified by the identity provider"
  test('leaves the index when its day is over, and stays PENDING', async () => {
    const ports = openPorts(tables);
    const client = await pendingClient(ports);
    await reviewIs(ports, client, 'APPROVED');
    ports.clock.advance(DAY_MS);

    expect(await reviewPendingKyc(ports)).toEqual({ looked: 1 });

    expect(await reviewPendingKyc(ports)).toEqual({ looked: 0 });
    expect(await recordOf(ports, client)).toMatchObject({ status: 'PENDING' });
    expect(await events(ports)).toEqual([]);
    await reviewClient(client.clientId, ports);
    expect(await events(ports)).toEqual([]);
  });

  test('does not delay the others if it cannot be decided', async () => {
    const ports = openPorts(tables);
    const broken = await pendingClient(ports);
    const fine = await pendingClient(ports);
    for (const client of [broken, fine]) await reviewIs(ports, client, 'APPROVED');
    const { findClient } = ports.clients;
    ports.clients.findClient = async (id) => (id === broken.clientId ? undefined : findClient(id));

    expect(await aMinuteLater(ports)).toEqual({ looked: 2 });

    expect(await recordOf(ports, fine)).toMatchObject({ status: 'APPROVED' });
    expect(await recordOf(ports, broken)).toMatchObject({ status: 'PENDING', checks: 1 });
    expect(ports.log.lines.join()).toContain('review of a KYC record failed');
    expect(ports.log.lines.join()).not.toContain(broken.token);
  });

  test('is processed with all others, however many there are', async () => {
    const ports = openPorts(tables);
    const clients = await Promise.all(Array.from({ length: 60 }, () => pendingClient(ports)));
    for (const client of clients) await reviewIs(ports, client, 'APPROVED');

    expect(await aMinuteLater(ports)).toEqual({ looked: 60 });

    expect(await events(ports)).toHaveLength(60);
  });
});
