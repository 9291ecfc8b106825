import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyRowId, partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import {
  type Pace,
  type PendingDelivery,
  parked,
  reopened,
} from '../../functions/domain/partners/deliveries.ts';
import { DUE } from '../../functions/tables/sharded.ts';
import { anEvidence, MINUTE_MS, NOW } from '../support/builders.ts';
import { newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const ports = () => openPorts(tables);

describe('evidence', () => {
  const evidence = (subject: string, isClear: boolean) =>
    anEvidence('wallet', { subject, decision: { isClear } });

  test('is never overwritten', async () => {
    const subject = newId();
    await ports().evidence.record(evidence(subject, false));

    await ports().evidence.record(evidence(subject, true));

    const row = await rowIn(tables, 'evidence', `${subject}#wallet#${NOW}`);
    expect(row).toMatchObject({ decision: { isClear: false } });
  });
});

describe('a callback', () => {
  test('keeps its first content, for 90 days', async () => {
    const id = newId();
    const hints = [{ endToEndId: 'E1', txid: 'T1' }];
    await ports().callbacks.store({ id, hints, at: NOW });

    await ports().callbacks.store({ id, hints: [], at: NOW + 1 });

    const ttl = NOW / 1000 + 90 * 24 * 60 * 60;
    expect(await rowIn(tables, 'callbacks', id)).toEqual({ id, hints, at: NOW, ttl });
  });
});

describe('a delivery', () => {
  const delivery = (changes: Partial<PendingDelivery> = {}): PendingDelivery => {
    const eventId = newId();
    return {
      id: `${eventId}#one`,
      eventId,
      partnerId: 'acme',
      endpointId: 'one',
      status: 'PENDING',
      attempts: 1,
      openedAt: 0,
      ...changes,
    };
  };

  test('is due while it has a next attempt, the oldest first', async () => {
    const { deliveries } = ports();
    const [later, sooner] = [delivery({ nextAttemptAt: 20 }), delivery({ nextAttemptAt: 10 })];
    await deliveries.save(later);
    await deliveries.save(sooner);
    await deliveries.save(delivery());

    expect(await deliveries.listDue('acme', 9, 10)).toEqual([]);
    expect(await deliveries.listDue('acme', 10, 10)).toEqual([sooner.id]);
    expect(await deliveries.listDue('acme', 20, 10)).toEqual([sooner.id, later.id]);
    expect(await deliveries.listDue('acme', 20, 1)).toEqual([sooner.id]);

    await deliveries.save({ ...sooner, status: 'DELIVERED', nextAttemptAt: undefined });
    expect(await deliveries.listDue('acme', 20, 10)).toEqual([later.id]);
    expect(await deliveries.findDelivery(sooner.eventId, 'one')).toMatchObject({ status: 'DELIVERED' });
  });

  test('is listed for its own partner only, with the names of partners that have something due', async () => {
    const { deliveries } = ports();
    // One id begins with the other.
    const [one, two] = [newId().toLowerCase(), `${newId().toLowerCase()}`];
    const partnerIds = [one, `${one}0`, two];
    const mine = partnerIds.map((partnerId, index) => delivery({ partnerId, nextAttemptAt: 50 + index }));
    for (const each of [...mine, delivery({ partnerId: two, nextAttemptAt: 40 })])
      await deliveries.save(each);
    const namedAt = async (now: number) =>
      (await deliveries.listDuePartners(now)).filter((id) => partnerIds.includes(id));

    expect(await deliveries.listDue(one, 60, 100)).toEqual([mine[0]!.id]);
    expect(await deliveries.listDue(`${one}0`, 60, 100)).toEqual([mine[1]!.id]);
    expect(await deliveries.listDue(two, 60, 100)).toHaveLength(2);
    expect(await namedAt(39)).toEqual([]);
    expect(await namedAt(40)).toEqual([two]);
    expect((await namedAt(60)).sort()).toEqual([...partnerIds].sort());
    for (const each of mine)
      await deliveries.save({ ...each, status: 'DELIVERED', nextAttemptAt: undefined });
    expect(await namedAt(60)).toEqual([two]);
  });

  test('is left out for a while after it was queued, and stays due', async () => {
    const { deliveries } = ports();
    const queued = delivery({ nextAttemptAt: 110 });
    await deliveries.save(queued);

    await deliveries.postpone(queued, { now: 110, until: 150 });

    expect(await deliveries.listDue('acme', 149, 100)).not.toContain(queued.id);
    expect(await deliveries.listDue('acme', 150, 100)).toContain(queued.id);
    expect(await deliveries.findDelivery(queued.eventId, 'one')).toMatchObject({ nextAttemptAt: 110 });
    await deliveries.save({ ...queued, status: 'DELIVERED', nextAttemptAt: undefined });
    await deliveries.postpone(queued, { now: 155, until: 160 });
    expect(await deliveries.listDue('acme', 160, 100)).not.toContain(queued.id);
  });

  test('keeps a plan that was made in the meantime', async () => {
    const { deliveries } = ports();
    const queued = delivery({ nextAttemptAt: 110 });
    await deliveries.save(queued);
    await deliveries.save({ ...queued, attempts: 2, nextAttemptAt: 120 });

    await deliveries.postpone(queued, { now: 110, until: 400 });

    expect(await deliveries.listDue('acme', 120, 100)).toContain(queued.id);
    await deliveries.save({ ...queued, status: 'DELIVERED', nextAttemptAt: undefined });
  });

  test('is listed for its partner while it is parked, the oldest first', async () => {
    const { deliveries } = ports();
    const partnerId = newId().toLowerCase();
    const [later, sooner] = [20, 10].map((at) => parked(delivery({ partnerId }), at));
    for (const each of [later!, sooner!, parked(delivery(), 5), delivery({ partnerId, nextAttemptAt: 1 })]) {
      await deliveries.save(each);
    }

    const listed = await deliveries.listParked(partnerId);

    expect(listed.map(({ id }) => id)).toEqual([sooner!.id, later!.id]);
    expect(listed[0]).toMatchObject({ partnerId, endpointId: 'one', status: 'PARKED', parkedAt: 10 });
    const again = reopened(sooner!, { now: 30, minuteMs: MINUTE_MS });
    await deliveries.save(again);
    expect((await deliveries.listParked(partnerId)).map(({ id }) => id)).toEqual([later!.id]);
    expect(await deliveries.listDue(partnerId, 30, 100)).toContain(sooner!.id);
    await deliveries.save({ ...again, status: 'DELIVERED', nextAttemptAt: undefined });
  });
});

describe('an endpoint’s pace', () => {
  const pace = { isSlow: true, unanswered: 0, triedUntil: 1, restsUntil: 2, version: 1 };

  test('is saved by one of several that read the same', async () => {
    const { deliveries } = ports();
    const partnerId = newId().toLowerCase();
    // A partner may register an address as long as this, which is longer than a key of the table may be.
    const url = `https://acme.example/${'x'.repeat(2_100)}`;
    const save = (changes: Partial<Pace>) => deliveries.savePace(partnerId, url, { ...pace, ...changes });
    expect(await deliveries.findPace(partnerId, url)).toBeUndefined();

    const first = await Promise.all([1, 2, 3].map((triedUntil) => save({ triedUntil })));
    const second = await Promise.all([4, 5, 6].map((triedUntil) => save({ triedUntil, version: 2 })));

    expect(first.filter(Boolean)).toHaveLength(1);
    expect(second.filter(Boolean)).toHaveLength(1);
    expect(await save({ version: 1 })).toBe(false);
    const winner = 4 + second.indexOf(true);
    expect(await deliveries.findPace(partnerId, url)).toMatchObject({
      ...pace,
      triedUntil: winner,
      version: 2,
    });
    expect(await deliveries.findPace(partnerId, 'https://acme.example/')).toBeUndefined();
  });
});

describe('an event', () => {
  test('is listed from its time on, until it has a delivery', async () => {
    const { events } = ports();
    const id = `${newId()}.1`;
    const Item = { id, at: 5, nextCheckAt: 5, sweep: keyIn(DUE, id), type: 'transaction.completed' };
    await tables.client.send(new PutCommand({ TableName: 'events', Item }));
    expect(await events.listUndelivered(4, 10)).toEqual([]);
    expect(await events.listUndelivered(5, 10)).toEqual([Item.id]);

    await events.markTaken(Item.id);
    await events.markTaken(Item.id);

    expect(await events.listUndelivered(5, 10)).toEqual([]);
    const { sweep: _, ...rest } = Item;
    expect(await events.findEvent(Item.id)).toEqual(rest);
  });

  test('goes to the endpoints that were named first', async () => {
    const { events } = ports();
    const Item = { id: `${newId()}.1`, at: 5, type: 'transaction.completed' };
    await tables.client.send(new PutCommand({ TableName: 'events', Item }));

    expect(await events.assign(Item.id, ['one', 'two'])).toEqual(['one', 'two']);
    expect(await events.assign(Item.id, ['three'])).toEqual(['one', 'two']);
    expect(await events.findEvent(Item.id)).toMatchObject({ endpointIds: ['one', 'two'] });
  });
});

describe('a caller', () => {
  test('is found with key and partner, each if it exists', async () => {
    const partnerId = newId().toLowerCase();
    const partner = {
      name: 'Test',
      status: 'ACTIVE',
      spreadBasisPoints: 100,
      webhookEndpoints: [],
      id: partnerRowId(partnerId),
    };
    const key = { id: keyRowId(partnerId, 'k'), partnerId, keyId: 'k', sha256: 'ab', status: 'ACTIVE' };
    await tables.client.send(new PutCommand({ TableName: 'partners', Item: partner }));
    await tables.client.send(new PutCommand({ TableName: 'partners', Item: key }));
    const { partners } = ports();

    expect(await partners.findCaller(partnerId, 'k')).toEqual({
      key,
      partner: { ...partner, id: partnerId, keyIds: [], version: 0 },
    });
    expect(await partners.findCaller(partnerId, 'other')).toMatchObject({ key: undefined });
    expect(await partners.findCaller('nobody', 'k')).toEqual({ key: undefined, partner: undefined });
    expect(await partners.findPartner(partnerId)).toMatchObject({ ...partner, id: partnerId });
    expect(await partners.findPartner('nobody')).toBeUndefined();
  });
});
