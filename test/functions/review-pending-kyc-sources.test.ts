import { beforeEach, describe, expect, test } from 'vitest';
import { hitsOf } from '../../functions/domain/screening/screening.ts';
import { reviewClient } from '../../functions/logic/kyc/review-pending.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts, START_AT, type TestPorts } from '../support/ports.ts';
import { aRequest, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables } from '../support/tables.ts';

// Each test has its own tables, because a review reads everything.
let ports: TestPorts;
beforeEach(async () => {
  const tables = memoryTables();
  ports = openPorts(tables);
});

const SANCTIONED = hitsOf([
  { list: 'OFAC_SDN', entryId: '1', score: 1, threshold: 0.9, explanation: 'equal' },
]);

/** A client whose documents are not reviewed yet, with this number of submissions. */
async function pendingClient(submissions = 1, changes: Parameters<typeof aRequest>[0] = {}) {
  const { partner, submit } = partnerOf(ports);
  const request = aRequest(changes);
  const client = { partnerId: partner.id, cpf: request.cpf };
  const clientId = await reviewIs(ports, client, 'PENDING');
  const tokens: string[] = [];
  for (let index = 0; index < submissions; index++) {
    ports.clock.advance(1);
    tokens.push((await submit(request)).token);
  }
  // The id of evidence contains its instant, so the next decision needs a later one.
  ports.clock.advance(1);
  return { ...client, clientId, tokens };
}
const statusOf = async (token: string) => (await ports.kycRecords.findRecord(token))!.status;
const statusesOf = (tokens: string[]) => Promise.all(tokens.map(statusOf));
const aMinuteLater = () => {
  ports.clock.advance(MINUTE_MS);
  return reviewPendingKyc(ports);
};
/** Counts how often the registry and the identity provider are asked from now on. */
function costs() {
  const { cpfRegistry, identity } = ports;
  const before = { registry: cpfRegistry.asked.length, reviews: identity.reviewsAsked };
  return () => ({
    registry: cpfRegistry.asked.length - before.registry,
    reviews: identity.reviewsAsked - before.reviews,
  });
}
const isRejected = async (clientId: string) =>
  (await ports.clients.findClient(clientId))!.rejectedAt !== undefined;

describe('a client with many PENDING records', () => {
  test('needs one question after news, for the newest twenty', async () => {
    const client = await pendingClient(23);
    await reviewIs(ports, client, 'APPROVED');
    const cost = costs();

    await reviewClient(client.clientId, ports);

    expect(cost().registry).toBe(1);
    expect(cost().reviews).toBeLessThanOrEqual(2);
    const [older, newest] = [client.tokens.slice(0, 3), client.tokens.slice(3)];
    expect(new Set(await statusesOf(newest))).toEqual(new Set(['APPROVED']));
    expect(new Set(await statusesOf(older))).toEqual(new Set(['PENDING']));
  });

  test('needs one question of the schedule, and each record has its outcome and its event', async () => {
    const client = await pendingClient(23);
    await reviewIs(ports, client, 'APPROVED');
    const cost = costs();

    expect(await aMinuteLater()).toEqual({ looked: 23 });

    expect(cost().registry).toBe(1);
    expect(new Set(await statusesOf(client.tokens))).toEqual(new Set(['APPROVED']));
    expect(await ports.events.listUndelivered(Number.MAX_SAFE_INTEGER, 100)).toHaveLength(23);
  });

  test('needs one question of the schedule while documents are missing, too', async () => {
    await pendingClient(12);
    const cost = costs();

    await aMinuteLater();

    expect(cost()).toEqual({ registry: 0, reviews: 1 });
  });

  test('is asked about again for a record of another company', async () => {
    const { partner, submit } = partnerOf(ports);
    const request = aRequest({ personType: 'PJ', cnpj: '11222333000181' });
    const clientId = await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'PENDING');
    const company = await submit(request);
    const person = await submit({ ...request, personType: 'PF', cnpj: undefined });
    await reviewIs(ports, { partnerId: partner.id, cpf: request.cpf }, 'APPROVED');
    ports.clock.advance(1);
    const searched: (string | undefined)[] = [];
    ports.sanctions.search = async ({ cnpj }) => {
      searched.push(cnpj);
      const hits = cnpj ? SANCTIONED : [];
      return { lists: [], candidates: hits };
    };

    await reviewClient(clientId, ports);

    expect(searched.sort()).toEqual(['11222333000181', undefined]);
    expect(await statusesOf([company.token])).toEqual(['REJECTED']);
    // A rejection of the company binds its representative, whose own record is then rejected, too.
    await aMinuteLater();
    expect(await statusesOf([person.token])).toEqual(['REJECTED']);
  });
});

describe('a source that was silent at the submission', () => {
  test.each([
    ['the lists', () => ports.sanctions],
    ['the registry', () => ports.cpfRegistry],
  ] as const)('is asked even if no document was shown: %s', async (_, source) => {
    source().isDown = true;
    const client = await pendingClient();
    source().isDown = false;
    ports.sanctions.candidates = SANCTIONED;

    await aMinuteLater();

    expect(await ports.kycRecords.findRecord(client.tokens[0]!)).toMatchObject({
      status: 'REJECTED',
      reason: 'SANCTIONS_HIT',
    });
    expect(await isRejected(client.clientId)).toBe(true);
  });

  test('is asked while the identity provider is out, too', async () => {
    ports.sanctions.isDown = true;
    const client = await pendingClient();
    ports.sanctions.isDown = false;
    ports.sanctions.candidates = SANCTIONED;
    ports.identity.isDown = true;

    await aMinuteLater();

    expect(await statusesOf(client.tokens)).toEqual(['REJECTED']);
  });

  test('is asked until it has answered, and then not while documents are missing', async () => {
    ports.sanctions.isDown = true;
    const client = await pendingClient();
    const cost = costs();
    await aMinuteLater();
    expect(cost().registry).toBe(1);
    ports.sanctions.isDown = false;

    await aMinuteLater();
    await aMinuteLater();
    await aMinuteLater();

    expect(cost().registry).toBe(2);
    expect(await statusesOf(client.tokens)).toEqual(['PENDING']);
    expect(await ports.kycRecords.findRecord(client.tokens[0]!)).toMatchObject({ unanswered: [] });
  });
});

test('an outage of the identity provider leaves the record PENDING, and asks the registry nothing', async () => {
  const client = await pendingClient();
  ports.identity.isDown = true;
  const cost = costs();

  await aMinuteLater();

  expect(await statusesOf(client.tokens)).toEqual(['PENDING']);
  expect(cost().registry).toBe(0);
  expect(ports.log.lines.join()).toContain('no answer during KYC');
  expect(ports.log.lines.join()).not.toContain('review of a KYC record failed');
});

test('an outage of the identity provider makes its news come again', async () => {
  const client = await pendingClient();
  ports.identity.isDown = true;

  await expect(reviewClient(client.clientId, ports)).rejects.toThrow('the identity provider is unavailable');
});

test('a run that took twenty seconds leaves the rest of its batch to the next', async () => {
  for (let index = 0; index < 40; index++) await pendingClient();
  const { findReview } = ports.identity;
  ports.identity.findReview = (clientId) => {
    ports.clock.advance(1_000);
    return findReview(clientId);
  };

  expect(await aMinuteLater()).toEqual({ looked: 20 });
});

describe('news that the provider has rejected an applicant', () => {
  test('binds older tokens if no record is PENDING', async () => {
    const { partner, submit } = partnerOf(ports);
    const request = aRequest();
    const client = { partnerId: partner.id, cpf: request.cpf };
    await reviewIs(ports, client, 'APPROVED');
    expect((await submit(request)).status).toBe('APPROVED');
    const clientId = await reviewIs(ports, client, 'REJECTED');
    ports.clock.advance(MINUTE_MS);

    await reviewClient(clientId, ports);

    expect(await ports.clients.findClient(clientId)).toMatchObject({ rejectedAt: START_AT + MINUTE_MS });
  });

  test.each(['APPROVED', 'PENDING'] as const)('changes nothing if they are %s', async (status) => {
    const client = await pendingClient();
    await reviewIs(ports, client, status);

    await reviewClient(client.clientId, ports);

    expect(await isRejected(client.clientId)).toBe(false);
  });

  test('of an unknown client changes nothing', async () => {
    const clientId = await reviewIs(ports, { partnerId: 'p', cpf: '52998224725' }, 'REJECTED');

    await reviewClient(clientId, ports);

    expect(await ports.clients.findClient(clientId)).toBeUndefined();
  });
});
