import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyRowId, partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { kycRecordStore } from '../../functions/adapters/dynamodb/records.ts';
import type { KycRecord } from '../../functions/domain/kyc.ts';
import type { Delivery } from '../../functions/domain/ports.ts';
import type { Evidence } from '../../functions/domain/screening.ts';
import { aClient, aKycRecord, NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables, type Tables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const ports = () => openPorts(tables);

describe('a KYC record', () => {
  test('is the first that was put, for whoever puts another', async () => {
    const store = records();
    const token = newId();
    const [no, yes] = [
      aKycRecord({ token, status: 'REJECTED', reason: 'SANCTIONS_HIT' }),
      aKycRecord({ token }),
    ];
    const first = await store.create(no, evidenceOf(no));

    expect(await store.create(yes, evidenceOf(yes))).toEqual(first);

    expect(await store.findRecord(token)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(await store.findRecord('unknown')).toBeUndefined();
  });

  test('keeps the evidence that it was decided by, and no other of a later decision', async () => {
    const token = newId();
    const no = aKycRecord({ token, status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    const yes = aKycRecord({ token, issuedAt: NOW + 1 });
    await records().create(no, evidenceOf(no));

    await records().create(yes, evidenceOf(yes));

    expect(await evidenceRow(no)).toMatchObject({ decision: { status: 'REJECTED' } });
    expect(await evidenceRow(yes)).toBeUndefined();
  });

  test('is not there without its evidence: a write that fails leaves neither', async () => {
    const record = aKycRecord({ token: newId() });
    const tooLarge = { ...evidenceOf(record), inputs: { text: 'x'.repeat(500_000) } };

    await expect(records().create(record, tooLarge)).rejects.toThrow();

    expect(await records().findRecord(record.token)).toBeUndefined();
    expect(await evidenceRow(record)).toBeUndefined();
  });

  test('is found by whose write was done and whose answer was lost', async () => {
    const record = aKycRecord({ token: newId() });
    const lossy = tapped(tables, (send) => async (command) => {
      const answer = await send(command);
      if (!(command instanceof TransactWriteCommand)) return answer;
      throw Object.assign(new Error('socket hang up'), { $metadata: {} });
    });

    expect(await records(lossy).create(record, evidenceOf(record))).toMatchObject(record);

    expect(await evidenceRow(record)).toMatchObject({ decision: { status: 'APPROVED' } });
  });
});

const records = (from: Tables = tables) => kycRecordStore(from.client, from.names, dice);
const evidenceOf = ({ token, status, issuedAt }: KycRecord): Evidence => ({
  ...{ subject: token, kind: 'kyc', at: issuedAt, decidedBy: 'SubmitKyc', inputs: {}, findings: {} },
  decision: { status },
});
const evidenceRow = ({ token, issuedAt }: KycRecord) => rowIn(tables, 'evidence', `${token}#kyc#${issuedAt}`);

describe('evidence', () => {
  const evidence = (subject: string, isClear: boolean) => ({
    subject,
    kind: 'wallet' as const,
    at: NOW,
    decidedBy: 'CheckWalletRisk',
    inputs: {},
    findings: {},
    decision: { isClear },
  });

  test('is never overwritten', async () => {
    const subject = newId();
    await ports().evidence.record(evidence(subject, false));

    await ports().evidence.record(evidence(subject, true));

    const row = await rowIn(tables, 'evidence', `${subject}#wallet#${NOW}`);
    expect(row).toMatchObject({ decision: { isClear: false } });
  });
});

describe('a callback', () => {
  test('is kept as it came first, for 90 days', async () => {
    const id = newId();
    const hints = [{ endToEndId: 'E1', txid: 'T1' }];
    await ports().callbacks.store({ id, hints, at: NOW });

    await ports().callbacks.store({ id, hints: [], at: NOW + 1 });

    const ttl = NOW / 1000 + 90 * 24 * 60 * 60;
    expect(await rowIn(tables, 'callbacks', id)).toEqual({ id, hints, at: NOW, ttl });
  });
});

describe('a client', () => {
  test('keeps its first secret', async () => {
    const id = newId();
    const first = await ports().clients.create(aClient({ id, totpCipher: 'first' }));

    expect(await ports().clients.create(aClient({ id, totpCipher: 'second' }))).toEqual(first);
  });

  test('uses a code for one purchase of twenty at once', async () => {
    const { clients } = ports();
    const { id } = await clients.create(aClient({ id: newId(), wrongCodes: 3 }));

    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => clients.acceptCode(id, 100, `T${index}`, NOW)),
    );

    expect(accepted.filter(Boolean)).toHaveLength(1);
    const winner = `T${accepted.indexOf(true)}`;
    expect(await clients.findClient(id)).toMatchObject({
      lastStep: 100,
      lastTransactionId: winner,
      wrongCodes: 0,
      enrolledAt: NOW,
    });
    expect(await clients.acceptCode(id, 100, winner, NOW)).toBe(true);
    expect(await clients.acceptCode(id, 99, winner, NOW)).toBe(false);
    expect(await clients.acceptCode(id, 101, 'T-next', NOW + 1)).toBe(true);
    expect((await clients.findClient(id))?.enrolledAt).toBe(NOW);
  });

  test('is locked by the last wrong code of many at once, and counted anew', async () => {
    const { clients } = ports();
    const { id } = await clients.create(aClient({ id: newId() }));
    const count = () => clients.countWrongCode(id, 10, NOW + 1);

    await Promise.all(Array.from({ length: 9 }, count));
    expect(await clients.findClient(id)).toMatchObject({ wrongCodes: 9 });
    expect((await clients.findClient(id))?.lockedUntil).toBeUndefined();

    await count();
    expect(await clients.findClient(id)).toMatchObject({ wrongCodes: 0, lockedUntil: NOW + 1 });
  });
});

describe('a delivery', () => {
  const delivery = (changes: Partial<Delivery> = {}): Delivery => {
    const eventId = newId();
    return {
      ...{ id: `${eventId}#one`, eventId, endpointId: 'one', status: 'PENDING', attempts: 1 },
      ...changes,
    };
  };

  test('is due while it has a next attempt, the oldest first', async () => {
    const { deliveries } = ports();
    const [later, sooner] = [delivery({ nextAttemptAt: 20 }), delivery({ nextAttemptAt: 10 })];
    await deliveries.save(later);
    await deliveries.save(sooner);
    await deliveries.save(delivery());

    expect(await deliveries.listDue(9, 10)).toEqual([]);
    expect(await deliveries.listDue(10, 10)).toEqual([sooner.id]);
    expect(await deliveries.listDue(20, 10)).toEqual([sooner.id, later.id]);
    expect(await deliveries.listDue(20, 1)).toEqual([sooner.id]);

    await deliveries.save({ ...sooner, status: 'DELIVERED', nextAttemptAt: undefined });
    expect(await deliveries.listDue(20, 10)).toEqual([later.id]);
    expect(await deliveries.findDelivery(sooner.eventId, 'one')).toMatchObject({ status: 'DELIVERED' });
  });
});

describe('an event', () => {
  test('is listed from its time on, until it is taken', async () => {
    const { events } = ports();
    const Item = { id: `${newId()}.1`, at: 5, sweep: 'EVENT', type: 'transaction.completed' };
    await tables.client.send(new PutCommand({ TableName: 'events', Item }));
    expect(await events.listUndelivered(4, 10)).toEqual([]);
    expect(await events.listUndelivered(5, 10)).toEqual([Item.id]);

    await events.markTaken(Item.id);
    await events.markTaken(Item.id);

    expect(await events.listUndelivered(5, 10)).toEqual([]);
    const { sweep: _, ...rest } = Item;
    expect(await events.findEvent(Item.id)).toEqual(rest);
  });
});

describe('a caller', () => {
  test('is found with key and partner, each where it is there', async () => {
    const partnerId = newId().toLowerCase();
    const partner = {
      ...{ name: 'Test', status: 'ACTIVE', spreadBasisPoints: 100, webhookEndpoints: [] },
      id: partnerRowId(partnerId),
    };
    const key = { id: keyRowId(partnerId, 'k'), partnerId, keyId: 'k', sha256: 'ab', status: 'ACTIVE' };
    await tables.client.send(new PutCommand({ TableName: 'partners', Item: partner }));
    await tables.client.send(new PutCommand({ TableName: 'partners', Item: key }));
    const { partners } = ports();

    expect(await partners.findCaller(partnerId, 'k')).toEqual({
      key,
      partner: { ...partner, id: partnerId },
    });
    expect(await partners.findCaller(partnerId, 'other')).toMatchObject({ key: undefined });
    expect(await partners.findCaller('nobody', 'k')).toEqual({ key: undefined, partner: undefined });
    expect(await partners.findPartner(partnerId)).toEqual({ ...partner, id: partnerId });
    expect(await partners.findPartner('nobody')).toBeUndefined();
  });
});
