import { describe, expect, it } from 'vitest';
import type { TransactionRow } from '../../functions/adapters/dynamodb/rows.ts';
import { putNew, updateOf } from '../../functions/adapters/dynamodb/table.ts';
import { describe as describeTables } from '../../functions/tables/describe.ts';
import { DELIVERIES_DUE, DUE, OPEN } from '../../functions/tables/sharded.ts';
import { TABLES } from '../../functions/tables.ts';
import { readSources } from '../../infra/sources.ts';
import { aTransaction } from '../support/builders.ts';

/** The compiler checks these: each line below an `@ts-expect-error` must not compile. */
describe('a description of a table that does not fit its rows does not compile', () => {
  it('where an index has a key that no row has', () => {
    // @ts-expect-error
    describeTables({ partners: { indexes: { due: { key: 'swept', sort: 'createdAt' } }, grants: {} } });
  });

  it('where an index sorts numbers as strings, or strings as numbers', () => {
    const open = { ...OPEN, sortType: 'S' } as const;
    const { sortType: _, ...waiting } = DELIVERIES_DUE;

    // @ts-expect-error
    describeTables({ unmatchedPayments: { ttl: 'ttl', indexes: { open }, grants: {} } });
    // @ts-expect-error
    describeTables({ deliveries: { ttl: 'ttl', indexes: { due: waiting }, grants: {} } });
  });

  it('where a sharded index is described without its shards, or another with shards', () => {
    const { shards: _, ...due } = DUE;
    const ofClient = { key: 'clientId', sort: 'createdAt', shards: 8, name: 'ofClient' } as const;

    // @ts-expect-error
    describeTables({ settlements: { indexes: { due }, grants: {} } });
    // @ts-expect-error
    describeTables({ transactions: { ttl: 'ttl', indexes: { ofClient }, grants: {} } });
  });

  it('where a sharded index has another name than its readers use', () => {
    // @ts-expect-error
    describeTables({ settlements: { indexes: { waiting: DUE }, grants: {} } });
  });

  it('where all rows may have one of few keys, and no reason says that they are rare', () => {
    const byStatus = { key: 'status', sort: 'openedAt' } as const;

    // @ts-expect-error
    describeTables({ cases: { ttl: 'ttl', indexes: { byStatus }, grants: {} } });
  });

  it('where a grant names an attribute that no row has', () => {
    const only = { actions: ['UpdateItem'], attributes: ['pause'] } as const;

    // @ts-expect-error
    describeTables({ floats: { grants: { floats: { only } } } });
  });

  it('where a grant queries an index that the table does not have', () => {
    // @ts-expect-error
    describeTables({ settlements: { grants: { transfers: { queries: ['due'] } } } });
  });

  it('where a grant names an unknown need', () => {
    // @ts-expect-error
    describeTables({ settlements: { grants: { transfer: { rows: ['GetItem'] } } } });
  });

  it('where a grant deletes rows', () => {
    // @ts-expect-error
    describeTables({ settlements: { grants: { transfers: { rows: ['DeleteItem'] } } } });
  });

  it('where its rows end and it has no time to live, or the reverse', () => {
    // @ts-expect-error
    describeTables({ ledger: { grants: {} } });
    // @ts-expect-error
    describeTables({ witness: { ttl: 'ttl', grants: {} } });
  });

  it('where the table has no type of rows', () => {
    // @ts-expect-error
    describeTables({ ledgers: { grants: {} } });
  });
});

describe('a write without the shard in the key of an index does not compile', () => {
  it('where it puts a row', () => {
    const purchase = aTransaction();

    // @ts-expect-error
    const row: TransactionRow = { ...purchase, sweep: 'due' };
    // @ts-expect-error
    const bare: TransactionRow = purchase;
    // @ts-expect-error
    const put = putNew('transactions', { id: 'a', sweep: 'due' });

    expect([row, bare, put]).toHaveLength(3);
  });

  it('where it updates a row', () => {
    // @ts-expect-error
    expect(updateOf({ status: 'OPEN', statusKey: 'OPEN' })).toBeDefined();
  });
});

describe('every function', () => {
  it('uses a table or only files, so that no function loads the DynamoDB client in vain', async () => {
    const sources = await readSources(new URL('../../functions/', import.meta.url).pathname);
    const granted = new Set(Object.values(TABLES).flatMap(({ grants }) => Object.keys(grants)));

    const others = sources.filter(({ needs }) => !needs.some((need) => granted.has(need)));
    // `GetDocs` reads files of its bundle alone, and its clients are never loaded.
    expect(others.map(({ id }) => id)).toEqual(['GetDocs']);
  });
});
