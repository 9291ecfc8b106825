import { beforeEach, describe, expect, test } from 'vitest';
import { getKycStatus } from '../../functions/api/get-kyc-status.ts';
import { requireUsable } from '../../functions/domain/kyc/kyc.ts';
import type { CaseDecision, ReviewCase } from '../../functions/domain/screening/review-case.ts';
import type { Candidate } from '../../functions/domain/screening/screening.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { reviewCaseStore } from '../../operations/stores/cases.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts, START_AT, type TestPorts } from '../support/ports.ts';
import { CANDIDATE } from '../support/review-cases.ts';
import { aRequest, clientIdOf, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables, rowIn, type Tables } from '../support/tables.ts';

// Each test has its own tables, because a review reads everything.
let tables: Tables;
let ports: TestPorts;
beforeEach(async () => {
  tables = memoryTables();
  ports = openPorts(tables);
});

const DAY_MS = 24 * 60 * MINUTE_MS;
const NEAR: Candidate = CANDIDATE;
const NEAR_TOO: Candidate = { ...NEAR, list: 'UN_SC', entryId: 'QDi.001', score: 0.75 };
const HIT: Candidate = { ...NEAR, score: 0.99, zone: 'HIT', explanation: 'name equal, birth date unknown' };

const casesOf = () =>
  reviewCaseStore(tables.client, tables.names, { random: ports.random, kycReviews: ports.kycReviews });
const openCases = () => casesOf().listOpen();
const onlyCase = async (): Promise<ReviewCase> => {
  const [found, ...others] = await openCases();
  expect(others).toEqual([]);
  return found!;
};
const decide = ({ id }: ReviewCase, status: CaseDecision['status']) =>
  casesOf().decide(id, { status, decidedBy: 'ana', decidedAt: ports.clock.now(), reason: 'because' });

/** A client of a partner with these documents. */
async function aClient(documents: 'APPROVED' | 'PENDING' = 'APPROVED') {
  const { partner, submit } = partnerOf(ports);
  const request = aRequest();
  const who = { partnerId: partner.id, cpf: request.cpf };
  await reviewIs(ports, who, documents);
  return {
    ...who,
    clientId: await clientIdOf(ports, partner.id, request.cpf),
    /** Submits the client again. Each submission has an instant of its own. */
    submit() {
      ports.clock.advance(1);
      return submit(request);
    },
    look: (token: string) => getKycStatus({ kycToken: token }, { partner } as never, ports),
  };
}
const aMinuteLater = () => {
  ports.clock.advance(MINUTE_MS);
  return reviewPendingKyc(ports);
};
/** Decides the case, and runs the schedule in the same minute. */
async function decideAndLook(found: ReviewCase, status: CaseDecision['status']) {
  ports.clock.advance(1);
  await decide(found, status);
  await reviewPendingKyc(ports);
}
async function events() {
  const ids = await ports.events.listUndelivered(Number.MAX_SAFE_INTEGER, 100);
  return Promise.all(ids.map(async (id) => (await ports.events.findEvent(id))!));
}
const rejected = expect.objectContaining({ name: 'KYC_REJECTED', details: { reason: 'SANCTIONS_HIT' } });

describe('a client who is close to a listed person', () => {
  // Spec, KYC record statuses: "APPROVED, PENDING, REJECTED, EXPIRED"
  // docs/operations.md, "Review cases"
  test('waits for a reviewer, with a case', async () => {
    ports.sanctions.candidates = [NEAR];
    const client = await aClient();

    const { token, status } = await client.submit();

    expect(status).toBe('PENDING');
    expect(await onlyCase()).toMatchObject({
      clientId: client.clientId,
      partnerId: client.partnerId,
      token,
      candidate: NEAR,
      opened: 'PENDING',
      status: 'OPEN',
      index: ports.sanctions.index,
      openedAt: START_AT + 1,
    });
    expect(JSON.stringify(await onlyCase())).not.toContain(client.cpf);
  });

  test('is counted, and is overdue after eight hours', async () => {
    ports.sanctions.candidates = [NEAR];
    await (await aClient()).submit();
    expect(ports.log.measured.filter(({ name }) => name === 'ScreeningHits')).toEqual([
      { name: 'ScreeningHits', value: 1, dimensions: { status: 'PENDING' } },
    ]);
    for (let hour = 0; hour < 7; hour++) {
      ports.clock.advance(60 * MINUTE_MS);
      await reviewPendingKyc(ports);
    }
    expect(ports.log.raised).toEqual([]);

    ports.clock.advance(60 * MINUTE_MS);
    await reviewPendingKyc(ports);

    expect(ports.log.raised).toEqual(['ReviewOverdue']);
  });

  test('causes no question and no event while the reviewer has not decided', async () => {
    ports.sanctions.candidates = [NEAR];
    const client = await aClient();
    await client.submit();
    const asked = [ports.cpfRegistry.asked.length, ports.sanctions.searched.length];

    for (let minute = 0; minute < 10; minute++) await aMinuteLater();

    expect([ports.cpfRegistry.asked.length, ports.sanctions.searched.length]).toEqual(asked);
    expect(await events()).toEqual([]);
  });

  test('is approved once the case is cleared, and the partner is told', async () => {
    ports.sanctions.candidates = [NEAR];
    const client = await aClient();
    const { token } = await client.submit();

    await decideAndLook(await onlyCase(), 'CLEARED');

    expect(await client.look(token)).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    expect(await events()).toMatchObject([{ type: 'kyc.approved', data: { token, status: 'APPROVED' } }]);
    const evidence = await rowIn(tables, 'evidence', `${token}#kyc#${ports.clock.now()}`);
    expect(evidence).toMatchObject({
      clientId: client.clientId,
      decidedBy: 'ReviewPendingKyc',
      decision: { status: 'APPROVED' },
      findings: { screening: { candidates: [{ ...NEAR, review: 'CLEARED' }] } },
    });
    expect(await openCases()).toEqual([]);
  });

  test('is refused once the case is confirmed, and the partner learns the reason', async () => {
    ports.sanctions.candidates = [NEAR];
    const client = await aClient();
    const { token } = await client.submit();

    await decideAndLook(await onlyCase(), 'CONFIRMED');

    expect(await client.look(token)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(await events()).toMatchObject([
      { type: 'kyc.rejected', data: { token, status: 'REJECTED', reason: 'SANCTIONS_HIT' } },
    ]);
    await expect(client.submit()).rejects.toThrow(rejected);
    expect(await openCases()).toEqual([]);
  });

  test('waits until all of several cases are cleared; one confirmed case is enough to refuse', async () => {
    ports.sanctions.candidates = [NEAR, NEAR_TOO];
    const [one, other] = [await aClient(), await aClient()];
    const tokens = [(await one.submit()).token, (await other.submit()).token] as const;
    const casesAbout = async ({ clientId }: { clientId: string }) =>
      (await openCases()).filter((each) => each.clientId === clientId);
    const [first, second] = await casesAbout(one);

    await decideAndLook(first!, 'CLEARED');
    expect(await one.look(tokens[0])).toMatchObject({ status: 'PENDING' });
    await decideAndLook(second!, 'CLEARED');
    expect(await one.look(tokens[0])).toMatchObject({ status: 'APPROVED' });

    await decideAndLook((await casesAbout(other))[0]!, 'CONFIRMED');
    expect(await other.look(tokens[1])).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
  });

  test('waits for missing documents after the reviewer’s decision, too', async () => {
    ports.sanctions.candidates = [NEAR];
    const client = await aClient('PENDING');
    const { token } = await client.submit();

    await decideAndLook(await onlyCase(), 'CLEARED');
    expect(await client.look(token)).toMatchObject({ status: 'PENDING' });

    await reviewIs(ports, client, 'APPROVED');
    await aMinuteLater();
    expect(await client.look(token)).toMatchObject({ status: 'APPROVED' });
  });

  test('is found by the schedule if the registry was silent first, and then waits like the others', async () => {
    ports.cpfRegistry.isDown = true;
    const client = await aClient();
    const { token } = await client.submit();
    // Without a name there was no candidate.
    expect(await openCases()).toEqual([]);
    ports.sanctions.candidates = [NEAR];
    ports.cpfRegistry.isDown = false;

    await aMinuteLater();

    const found = await onlyCase();
    expect(found).toMatchObject({ token, opened: 'PENDING' });
    const record = (await ports.kycRecords.findRecord(token))!;
    expect(record).toMatchObject({ openPairs: [found.pair], screenedWith: found.index.version });
    const identity = JSON.parse(await ports.vault.decrypt(record.identityCipher!, client.clientId));
    expect(identity).toEqual({ name: 'MARIA APARECIDA TESTE', birthDate: '1980-01-01' });
    expect(await rowIn(tables, 'evidence', `${token}#kyc#${ports.clock.now()}`)).toMatchObject({
      decidedBy: 'ReviewPendingKyc',
      decision: { status: 'PENDING' },
      findings: { screening: { candidates: [NEAR] } },
    });
    await decideAndLook(found, 'CLEARED');
    expect(await client.look(token)).toMatchObject({ status: 'APPROVED' });
  });
});

describe('a pair that was cleared', () => {
  async function aClearedClient() {
    ports.sanctions.candidates = [NEAR];
    const client = await aClient();
    const { token } = await client.submit();
    const found = await onlyCase();
    await decideAndLook(found, 'CLEARED');
    return { client, token, found };
  }

  test('is not raised again: the next submission is approved at once', async () => {
    const { client } = await aClearedClient();

    expect(await client.submit()).toMatchObject({ status: 'APPROVED' });
    ports.sanctions.candidates = [HIT];
    expect(await client.submit()).toMatchObject({ status: 'APPROVED' });

    expect(await openCases()).toEqual([]);
  });

  test('holds while the registry is silent: the record waits for it, and refuses no older token', async () => {
    const { client, token } = await aClearedClient();
    ports.sanctions.candidates = [HIT];
    ports.cpfRegistry.isDown = true;

    const later = await client.submit();

    expect(later).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    expect(await openCases()).toEqual([]);
    expect(await client.look(token)).toMatchObject({ status: 'APPROVED' });
    ports.cpfRegistry.isDown = false;
    await aMinuteLater();
    expect(await client.look(later.token)).toMatchObject({ status: 'APPROVED' });
  });

  test('does not hold while the registry is silent if another pair with the entry is confirmed', async () => {
    const { client } = await aClearedClient();
    const person = { name: 'MARIA OUTRA', birthDate: '1980-01-01' };
    ports.cpfRegistry.entry = { ...person, situation: 'REGULAR' };
    await reviewIs(ports, client, 'APPROVED', person);
    await client.submit();
    await decideAndLook(await onlyCase(), 'CONFIRMED');
    ports.sanctions.candidates = [HIT];
    ports.cpfRegistry.isDown = true;

    await expect(client.submit()).rejects.toThrow(rejected);
  });

  test('does not pass a person whom the registry then shows with other data', async () => {
    const { client } = await aClearedClient();
    ports.sanctions.candidates = [HIT];
    ports.cpfRegistry.isDown = true;
    const { token } = await client.submit();
    ports.cpfRegistry.isDown = false;
    ports.cpfRegistry.entry = { name: 'MARIA OUTRA', birthDate: '1980-01-01', situation: 'REGULAR' };

    await aMinuteLater();

    expect(await client.look(token)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(await onlyCase()).toMatchObject({ opened: 'REJECTED' });
  });

  test('is another pair once the list changes the entry', async () => {
    const { client, found } = await aClearedClient();
    ports.sanctions.candidates = [{ ...NEAR, entryVersion: 'ffffffffffffffff' }];

    expect(await client.submit()).toMatchObject({ status: 'PENDING' });

    expect((await onlyCase()).id).not.toBe(found.id);
    expect(await casesOf().findCase(found.id)).toMatchObject({ status: 'CLEARED' });
  });

  test.each([
    ['name', { name: 'MARIA APARECIDA OUTRA', birthDate: '1980-01-01' }],
    ['birth date', { name: 'MARIA APARECIDA TESTE', birthDate: '1981-01-01' }],
  ])('is another pair once the client’s %s changes in the registry', async (_, person) => {
    const { client, found } = await aClearedClient();
    ports.cpfRegistry.entry = { ...person, situation: 'REGULAR' };
    await reviewIs(ports, client, 'APPROVED', person);

    expect(await client.submit()).toMatchObject({ status: 'PENDING' });

    expect((await onlyCase()).id).not.toBe(found.id);
  });

  test('of one client says nothing about a namesake of the same partner or another', async () => {
    await aClearedClient();
    const stranger = await aClient();

    expect(await stranger.submit()).toMatchObject({ status: 'PENDING' });
  });

  test('makes every older token invalid if it is confirmed afterwards', async () => {
    const { client, token, found } = await aClearedClient();
    ports.clock.advance(1);

    await decide(found, 'CONFIRMED');

    const record = (await ports.kycRecords.findRecord(token))!;
    const verdict = (await ports.clients.findClient(client.clientId))!;
    const use = () => requireUsable(record, verdict, ports.clock.now());
    expect(use).toThrow(
      expect.objectContaining({ name: 'KYC_NOT_APPROVED', details: { status: 'REJECTED' } }),
    );
    expect(await client.look(token)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    await expect(client.submit()).rejects.toThrow(rejected);
  });
});

describe('a client who was refused for a listed person', () => {
  test('has a case; after its clearance the token stays refused and the next submission is not', async () => {
    ports.sanctions.candidates = [HIT];
    const client = await aClient();
    await expect(client.submit()).rejects.toThrow(rejected);
    const found = await onlyCase();
    expect(found).toMatchObject({ opened: 'REJECTED', candidate: HIT });

    await decideAndLook(found, 'CLEARED');

    expect(await ports.kycRecords.findRecord(found.token)).toMatchObject({ status: 'REJECTED' });
    expect(await events()).toEqual([]);
    expect(await client.submit()).toMatchObject({ status: 'APPROVED' });
  });

  test('has one case, however often they are refused', async () => {
    ports.sanctions.candidates = [HIT];
    const client = await aClient();
    await expect(client.submit()).rejects.toThrow(rejected);
    const first = await onlyCase();
    await expect(client.submit()).rejects.toThrow(rejected);

    expect(await onlyCase()).toMatchObject({ id: first.id, openedAt: first.openedAt });
  });
});

describe('a record past its day', () => {
  test('is answered as EXPIRED; the case stays, and decides the next submission', async () => {
    ports.sanctions.candidates = [NEAR];
    const client = await aClient();
    const old = await client.submit();
    const { id } = await onlyCase();
    ports.clock.advance(DAY_MS);
    await reviewPendingKyc(ports);
    expect(await client.look(old.token)).toMatchObject({ status: 'EXPIRED' });

    const { token } = await client.submit();

    expect(await onlyCase()).toMatchObject({ id, token, openedAt: START_AT + 1 });
    await decideAndLook(await onlyCase(), 'CLEARED');
    expect(await client.look(token)).toMatchObject({ status: 'APPROVED' });
    expect(await client.look(old.token)).toMatchObject({ status: 'EXPIRED' });
    expect(await events()).toMatchObject([{ type: 'kyc.approved', data: { token } }]);
  });
});
