import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOnce } from '../../sandbox/providers/read-once.ts';
import { change, dynamoStore, memoryStore, type Store } from '../../sandbox/providers/store.ts';
import { type Dynoxide, startDynoxide } from '../support/dynoxide.ts';
import { chargeBody, openWorld, TXID, tokenFrom } from './providers-support.ts';

const TABLE = 'Simulators';
let database: Dynoxide;
let client: DynamoDBClient;

beforeAll(async () => {
  database = await startDynoxide([TABLE], { folder: 'folder' });
  client = new DynamoDBClient({
    endpoint: database.url,
    region: 'sa-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(async () => {
  client?.destroy();
  await database?.stop();
});

const stores: [name: string, open: () => Store][] = [
  ['in memory', memoryStore],
  ['in DynamoDB', () => dynamoStore(TABLE, client)],
  ['in DynamoDB, of one request', () => readOnce(dynamoStore(TABLE, client))],
];

describe.each(stores)('the store %s', (name, open) => {
  const key = (text: string) => `${name}/${text}`;

  it('returns the stored value with a growing version', async () => {
    const store = open();

    expect(await store.get(key('a'))).toBeUndefined();
    expect(await store.put(key('a'), { list: [1, 'ç'], nested: { none: null } })).toBe(true);
    expect(await store.put(key('a'), { list: [2] })).toBe(true);
    expect(await store.get(key('a'))).toEqual({ key: key('a'), value: { list: [2] }, version: 2 });
  });

  it('returns several values in the order of their keys', async () => {
    const store = open();
    await Promise.all([store.put(key('all/1'), 'one'), store.put(key('all/2'), 'two')]);

    const items = await store.getAll(['all/2', 'all/none', 'all/1'].map(key));

    expect(items.map((item) => item?.value)).toEqual(['two', undefined, 'one']);
  });

  it('returns more values than DynamoDB reads in one call', async () => {
    const store = open();
    await store.put(key('many/204'), 'last');
    const keys = Array.from({ length: 205 }, (_, index) => key(`many/${index}`));

    const items = await store.getAll(keys);

    expect([items.length, items.at(-1)?.value, items[0]]).toEqual([205, 'last', undefined]);
  });

  it('overwrites only the expected version', async () => {
    const store = open();

    expect(await store.put(key('b'), 1, 1)).toBe(false);
    expect(await store.put(key('b'), 1, 0)).toBe(true);
    expect(await store.put(key('b'), 2, 0)).toBe(false);
    expect(await store.put(key('b'), 2, 1)).toBe(true);
    expect((await store.get(key('b')))?.value).toBe(2);
  });

  it('lists the items directly in a folder, in the order of keys', async () => {
    const store = open();
    for (const id of ['x/2', 'x/1', 'x1', 'x/y/1', 'y/1']) await store.put(key(id), id);

    expect((await store.list(key('x'))).map(({ value }) => value)).toEqual(['x/1', 'x/2']);
  });

  it('loses no change when writers race', async () => {
    const store = open();
    const add = () => change<number>(store, key('count'), (now) => (now ?? 0) + 1);

    await Promise.all(Array.from({ length: 12 }, add));

    expect((await store.get(key('count')))?.value).toBe(12);
  });
});

describe('a store that a request reads through', () => {
  function open() {
    const calls: (readonly string[])[] = [];
    const below = memoryStore();
    const get: Store['get'] = (key) => {
      calls.push([key]);
      return below.get(key);
    };
    const getAll: Store['getAll'] = (keys) => {
      calls.push(keys);
      return below.getAll(keys);
    };
    const store = readOnce({ ...below, get, getAll });
    const read = async (key: string) => (await store.get(key))?.value;
    return { below, calls, store, read };
  }

  it('reads an item once, also if two rules ask at the same time', async () => {
    const { calls, read } = open();

    await Promise.all([read('a'), read('a')]);
    await read('a');

    expect(calls).toEqual([['a']]);
  });

  it('reads the items that are asked for at the same time with one call', async () => {
    const { below, calls, read } = open();
    await below.put('b', 2);

    expect(await Promise.all([read('a'), read('b'), read('a')])).toEqual([undefined, 2, undefined]);
    expect(calls).toEqual([['a', 'b']]);
  });

  it('tells each reader that a call failed', async () => {
    const store = readOnce({ ...memoryStore(), getAll: () => Promise.reject(new Error('throttled')) });

    const ends = await Promise.allSettled([store.get('a'), store.get('b')]);

    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('reads anew in the next request', async () => {
    const { below, store, read } = open();
    await read('a');
    await below.put('a', 1);

    expect(await read('a')).toBeUndefined();
    store.forget();
    expect(await read('a')).toBe(1);
  });

  it('reads every item anew after a write that another writer has prevented', async () => {
    const { below, store, read } = open();
    await Promise.all([read('a'), read('b')]);
    await Promise.all([below.put('a', 1), below.put('b', 2)]);

    expect(await store.put('a', 3, 0)).toBe(false);

    expect(await Promise.all([read('a'), read('b')])).toEqual([1, 2]);
  });

  it('reads anew what the request itself has written', async () => {
    const { store, read } = open();
    await read('a');
    await store.putAll([{ key: 'a', value: 1, expectedVersion: 0 }]);

    expect(await read('a')).toBe(1);
  });
});

describe('two instances over one table', () => {
  it('share tokens and charges, and let one of two racing payments settle', async () => {
    const [first, second] = [
      openWorld({ store: dynamoStore(TABLE, client) }),
      openWorld({ store: dynamoStore(TABLE, client) }),
    ];
    const authorization = `Bearer ${await tokenFrom(first)}`;

    const created = await first.call('PUT', `/psp/v2/cob/${TXID}`, chargeBody(), { authorization });

    expect(created.status).toBe(201);
    expect((await second.call('GET', `/psp/v2/cob/${TXID}`, undefined, { authorization })).status).toBe(200);
    const payments = await Promise.all(
      [first, second].map((one) => one.call('POST', `/control/psp/pay/${TXID}`, {})),
    );
    expect(payments.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('together refuse exactly the number of calls of an outage', async () => {
    const worlds = [1, 2].map(() => openWorld({ store: dynamoStore(TABLE, client) }));
    await worlds[0]!.call('POST', '/control/psp/outage', { calls: 5 });

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => worlds[i % 2]!.call('GET', '/psp/v2/unknown')),
    );

    expect(answers.filter(({ status }) => status === 503)).toHaveLength(5);
  });
});
