import { describe, expect, test } from 'vitest';
import { failingEndpointStore } from '../../functions/adapters/dynamodb/failing-endpoints.ts';
import { keyNewsStore } from '../../functions/adapters/dynamodb/partner-keys.ts';
import { partnerRegister, partnerStore } from '../../functions/adapters/dynamodb/partners.ts';
import { aPartner, NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { memoryTables, type Tables, tapped } from '../support/tables.ts';

const of = { partnerId: 'demo', endpointId: 'one', url: 'https://partner.example/one' };
const first = { since: NOW, lastAt: NOW };
const storeOn = ({ client, names }: Tables) => failingEndpointStore(client, names, dice);

describe('the period of failures of an endpoint', () => {
  test('is that of one address', async () => {
    const store = storeOn(memoryTables());
    expect(await store.savePeriod(of, { next: first })).toBe(true);

    expect(await store.findPeriod(of)).toEqual(first);
    for (const other of [
      { partnerId: 'acme' },
      { endpointId: 'two' },
      { url: 'https://partner.example/two' },
    ])
      expect(await store.findPeriod({ ...of, ...other })).toBeUndefined();
  });

  test('goes on only from the one that was read', async () => {
    const store = storeOn(memoryTables());
    await store.savePeriod(of, { next: first });
    const next = { since: NOW, lastAt: NOW + 1 };

    expect(await store.savePeriod(of, { next })).toBe(false);
    expect(await store.savePeriod(of, { was: { ...first, since: NOW - 1 }, next })).toBe(false);
    expect(await store.savePeriod(of, { was: first, next })).toBe(true);
    await store.endPeriod(of);

    expect(await store.savePeriod(of, { was: next, next })).toBe(false);
    expect(await store.findPeriod(of)).toBeUndefined();
    expect(await store.savePeriod(of, { next })).toBe(true);
  });

  test('may end twice, and leaves no row where none began', async () => {
    const store = storeOn(memoryTables());

    await store.endPeriod(of);
    await store.savePeriod(of, { next: first });
    await store.endPeriod(of);
    await store.endPeriod(of);

    expect(await store.findPeriod(of)).toBeUndefined();
  });
});

describe('a plain write that meets the transaction of a pause', () => {
  /** Tables that refuse the first try of each update, as DynamoDB does while a transaction writes the row. */
  function contended() {
    const met = new Set<string>();
    return tapped(memoryTables(), (send) => async (command) => {
      const name = JSON.stringify((command as { input: object }).input);
      if (command.constructor.name !== 'UpdateCommand' || met.has(name)) return send(command);
      met.add(name);
      throw Object.assign(new Error('met'), { name: 'TransactionConflictException' });
    });
  }

  test('is made again', async () => {
    const tables = contended();
    const partner = aPartner();
    await partnerRegister(tables.client, tables.names.partners, dice).create(partner);
    const store = storeOn(tables);

    expect(await store.savePeriod(of, { next: first })).toBe(true);
    await store.endPeriod(of);
    const partners = partnerStore(tables.client, tables.names.partners, dice);
    expect(await partners.save(partner, { name: 'Another' })).toBe(true);

    expect(await store.findPeriod(of)).toBeUndefined();
    expect(await partners.findPartner(partner.id)).toMatchObject({ name: 'Another' });
    const news = keyNewsStore(tables.client, tables.names.partners, dice);
    await expect(
      news.hear({ partnerId: partner.id, keyId: 'k', endpointId: 'one', at: 1 }),
    ).resolves.toBeUndefined();
  });
});
