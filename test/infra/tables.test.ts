import { describe, expect, it } from 'vitest';
import { describe as describeTables } from '../../functions/tables/describe.ts';
import { TABLES } from '../../functions/tables.ts';
import { readSources } from '../../infra/sources.ts';

/** The compiler checks these: each line below an `@ts-expect-error` must not compile. */
describe('a description of a table that does not fit its rows does not compile', () => {
  it('where an index has a key that no row has', () => {
    // @ts-expect-error
    describeTables({ partners: { indexes: { due: { key: 'swept', sort: 'createdAt' } }, grants: {} } });
  });

  it('where an index sorts numbers as strings, or strings as numbers', () => {
    const open = { key: 'open', sort: 'foundAt', sortType: 'S' } as const;
    const waiting = { key: 'due', sort: 'lookAt' } as const;

    // @ts-expect-error
    describeTables({ strays: { ttl: 'ttl', indexes: { open }, grants: {} } });
    // @ts-expect-error
    describeTables({ deliveries: { ttl: 'ttl', indexes: { due: waiting }, grants: {} } });
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

describe('every function', () => {
  it('uses a table, so that no function loads the DynamoDB client in vain', async () => {
    const sources = await readSources(new URL('../../functions/', import.meta.url).pathname);
    const granted = new Set(Object.values(TABLES).flatMap(({ grants }) => Object.keys(grants)));

    expect(sources.filter(({ needs }) => !needs.some((need) => granted.has(need)))).toEqual([]);
  });
});
