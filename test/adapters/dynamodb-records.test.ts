import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyRowId, partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { kycRecordStore } from '../../functions/adapters/dynamodb/records.ts';
import type { Delivery } from '../../functions/domain/ports.ts';
import { aClient, aKycRecord, NOW } from '../support/builders.ts';
import { newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const ports = () => openPorts(tables);

describe('a KYC record', () => {
  test('is the first that was put, for whoever puts another', async () => {
    const store = kycRecordStore(tables.client, tables.names.kycRecords);
    const token = newId();
    const first = await store.create(aKycRecord({ token, status: 'REJECTED', reason: 'SANCTIONS_HIT' }));

    expect(await store.create(aKycRecord({ token, status: 'APPROVED' }))).toEqual(first);

    expect(await store.findRecord(token)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(await store.findRecord('unknown')).toBeUndefined();
  });
});

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
