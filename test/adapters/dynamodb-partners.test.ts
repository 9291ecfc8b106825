import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partnerRegister, partnerRowId, partnerStore } from '../../functions/adapters/dynamodb/partners.ts';
import type { OperatorsKey } from '../../functions/domain/partners/api-key.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { newId } from '../support/ports.ts';
import { startTables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const store = () => partnerStore(tables.client, tables.names.partners, dice);
const register = () => partnerRegister(tables.client, tables.names.partners, dice);

const aPartner = (): Partner => ({
  id: newId().toLowerCase(),
  name: 'Acme',
  status: 'ACTIVE',
  spreadBasisPoints: 100,
  webhookEndpoints: [],
  keyIds: [],
  createdAt: NOW,
  version: 1,
});
const aKey = (partnerId: string, keyId: string): OperatorsKey => ({
  partnerId,
  keyId,
  sha256: 'ab',
  scopes: ['read', 'write'],
  status: 'ACTIVE',
  createdAt: NOW,
});

async function created(): Promise<Partner> {
  const partner = aPartner();
  await register().create(partner);
  return (await store().findPartner(partner.id))!;
}

describe('a partner', () => {
  test('is made once', async () => {
    const partner = aPartner();

    expect(await register().create(partner)).toBe(true);
    expect(await register().create({ ...partner, name: 'Another' })).toBe(false);

    expect(await store().findPartner(partner.id)).toEqual(partner);
    expect(await register().listPartners()).toContainEqual(partner);
  });

  test('is changed by one of several that read the same, in the named fields only', async () => {
    const partner = await created();

    const changes = ['A', 'B', 'C'].map((name) => store().save(partner, { name }));
    const saved = await Promise.all(changes);

    expect(saved.filter(Boolean)).toHaveLength(1);
    const next = (await store().findPartner(partner.id))!;
    expect(next).toEqual({ ...partner, name: 'ABC'[saved.indexOf(true)], version: 2 });
    expect(await store().save(next, { status: 'SUSPENDED' })).toBe(true);
    expect(await store().save(next, { status: 'ACTIVE' })).toBe(false);
    expect(await store().findPartner(partner.id)).toMatchObject({ name: next.name, status: 'SUSPENDED' });
  });

  test('is changed once if its row has no version', async () => {
    const { version: _, keyIds: __, ...row } = aPartner();
    const Item = { ...row, id: partnerRowId(row.id) };
    await tables.client.send(new PutCommand({ TableName: tables.names.partners, Item }));
    const partner = (await store().findPartner(row.id))!;
    expect(partner).toMatchObject({ keyIds: [], version: 0 });

    expect(await store().save(partner, { name: 'A' })).toBe(true);
    expect(await store().save(partner, { name: 'B' })).toBe(false);
  });

  test('is not made by a change', async () => {
    const nobody = aPartner();

    expect(await store().save(nobody, { name: 'A' })).toBe(false);

    expect(await store().findPartner(nobody.id)).toBeUndefined();
  });

  test('is made once and known to be made, although its answer is lost', async () => {
    const partner = await created();
    // A repeated plain write is a second write. A repeated transaction has the same token, and gets the first answer.
    const twice = tapped(tables, (send) => async (command) => {
      if (command.constructor.name === 'UpdateCommand') await send(command);
      return send(command);
    });

    expect(await partnerStore(twice.client, twice.names.partners, dice).save(partner, { name: 'A' })).toBe(
      true,
    );

    expect(await store().findPartner(partner.id)).toMatchObject({ name: 'A', version: 2 });
  });
});

describe('a key', () => {
  test('and its mention are one write: of two made at once, one exists', async () => {
    const partner = await created();

    const keys = ['key1', 'key2'].map((id) => register().createKey(partner, aKey(partner.id, id)));
    const made = await Promise.all(keys);

    expect(made.filter(Boolean)).toHaveLength(1);
    const winner = made[0] ? 'key1' : 'key2';
    const next = (await store().findPartner(partner.id))!;
    expect(next.keyIds).toEqual([winner]);
    expect(await store().listKeys(next)).toMatchObject([{ keyId: winner, status: 'ACTIVE' }]);
    const loser = winner === 'key1' ? 'key2' : 'key1';
    expect(await store().findKey(partner.id, loser)).toBeUndefined();
  });

  test('is not made again under a used id', async () => {
    const partner = await created();
    await register().createKey(partner, aKey(partner.id, 'key1'));
    const next = (await store().findPartner(partner.id))!;

    const again = { ...aKey(partner.id, 'key1'), sha256: 'cd' };

    expect(await register().createKey(next, again)).toBe(false);
    expect(await store().findKey(partner.id, 'key1')).toMatchObject({ sha256: 'ab' });
  });

  test('keeps its other fields when it is revoked', async () => {
    const partner = await created();
    const key = aKey(partner.id, 'key1');
    await register().createKey(partner, key);

    for (let times = 0; times < 2; times++) await store().revokeKey(partner.id, 'key1');

    const found = await store().findCaller(partner.id, 'key1');
    expect(found.key).toMatchObject({ ...key, status: 'REVOKED' });
    await expect(store().revokeKey(partner.id, 'none')).rejects.toThrow();
    expect(await store().findKey(partner.id, 'none')).toBeUndefined();
  });

  test('revokes no other after it was revoked; of those that revoke each other at once one stays', async () => {
    const ids = ['key1', 'key2', 'key3'];
    for (let round = 0; round < 5; round++) {
      const { id } = await created();
      for (const keyId of ids)
        expect(await register().createKey((await store().findPartner(id))!, aKey(id, keyId))).toBe(true);

      const done = await Promise.all(
        ids.map((keyId, index) => store().revokeKey(id, ids[(index + 1) % 3]!, keyId)),
      );

      const listed = await store().listKeys((await store().findPartner(id))!);
      const active = listed.filter(({ status }) => status === 'ACTIVE').length;
      expect(active).toBeGreaterThan(0);
      expect(active).toBe(3 - done.filter(Boolean).length);
      const [revoked, victim] = [
        listed.find(({ status }) => status === 'REVOKED')!,
        listed.find(({ status }) => status === 'ACTIVE')!,
      ];
      expect(await store().revokeKey(id, victim.keyId, revoked.keyId)).toBe(false);
      expect((await store().findKey(id, victim.keyId))?.status).toBe('ACTIVE');
    }
  });

  test('is listed with more others than one call can read', async () => {
    const partner = aPartner();
    const keyIds = Array.from({ length: 101 }, (_, index) => `key${index}`);
    await register().create({ ...partner, keyIds });
    for (const keyId of ['key0', 'key100']) {
      const Item = { ...aKey(partner.id, keyId), id: `KEY#${partner.id}#${keyId}` };
      await tables.client.send(new PutCommand({ TableName: tables.names.partners, Item }));
    }

    const listed = await store().listKeys((await store().findPartner(partner.id))!);

    expect(listed.map(({ keyId }) => keyId)).toEqual(['key0', 'key100']);
  });
});
