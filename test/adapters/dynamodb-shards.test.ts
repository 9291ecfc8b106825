import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  keyIn,
  listAll,
  listDueIds,
  listFirst,
  listPage,
  rowIds,
} from '../../functions/adapters/dynamodb/shards.ts';
import { DAY, DUE, SCREENED } from '../../functions/tables/sharded.ts';
import { newId } from '../support/ports.ts';
import { memoryTables, startTables, type Tables } from '../support/tables.ts';

let emulator: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  emulator = await startTables();
});
afterAll(() => emulator.stop());

/** The seed of the random cases. It is fixed, so that each run tests the same ones. */
const SEED = 20_261_122;

const memory = memoryTables();

/** One of the two kinds of sort keys: numbers, and strings. */
const KINDS = {
  numbers: { table: 'transactions', index: DUE, sortOf: (at: number) => at },
  strings: { table: 'kycRecords', index: SCREENED, sortOf: (at: number) => `2026-11-0${at}` },
} as const;

/** Rows as one list without shards. Few instants, so that many rows have the same. */
type Write = { row: number; at: number | undefined };
const writes = fc.array(
  fc.record({ row: fc.nat({ max: 60 }), at: fc.option(fc.nat({ max: 9 }), { nil: undefined }) }),
  { maxLength: 90 },
);
const limits = fc.integer({ min: 1, max: 25 });

/** A table, and the same rows as a model: the instants of the rows in the index, by their ids. */
function worldOf({ client, names }: Tables, kind: keyof typeof KINDS) {
  const { table, index, sortOf } = KINDS[kind];
  const store = { client, table: names[table] };
  const run = newId();
  const model = new Map<string, number | string>();
  return {
    store,
    index,
    sortOf,
    value: run,
    model,
    /** The order in which one index without shards has the rows. */
    inOrder: (rows: readonly Record<string, unknown>[] = []) => rows.map((row) => row[index.sort]),
    expected: () => [...model.values()].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0)),
    async write({ row, at }: Write) {
      const id = `${run}-${row}`;
      const key = keyIn(index, id, run);
      if (at === undefined) {
        model.delete(id);
        const UpdateExpression = `REMOVE ${index.key}`;
        await client.send(new UpdateCommand({ TableName: store.table, Key: { id }, UpdateExpression }));
      } else {
        model.set(id, sortOf(at));
        const Item = { id, [index.key]: key, [index.sort]: sortOf(at) };
        await client.send(new PutCommand({ TableName: store.table, Item }));
      }
    },
  };
}
type World = ReturnType<typeof worldOf>;

/** Each row is in the model, once, with its own instant. */
function expectOfModel(world: World, rows: readonly Record<string, unknown>[]) {
  expect(new Set(rowIds(rows)).size).toBe(rows.length);
  for (const row of rows) expect(world.model.get(String(row.id))).toBe(row[world.index.sort]);
}

const cases = (['numbers', 'strings'] as const).flatMap((kind) => [
  { kind, where: 'memory', tables: () => memory, numRuns: 60 },
  { kind, where: 'the emulator', tables: () => emulator, numRuns: 12 },
]);

describe.each(cases)('sharded rows with $kind to sort by, in $where', ({ kind, tables, numRuns }) => {
  const holds = (check: (world: World, limit: number) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(writes, limits, async (all, limit) => {
        const world = worldOf(tables(), kind);
        for (const write of all) await world.write(write);
        await check(world, limit);
      }),
      { numRuns, seed: SEED },
    );

  test('are the same rows in the same order as without shards', () =>
    holds(async (world, limit) => {
      const { store, index, value } = world;
      const all = await listAll(store, { index, value });
      const first = await listFirst(store, { index, value }, limit);

      expectOfModel(world, all);
      expect(world.inOrder(all)).toEqual(world.expected());
      expectOfModel(world, first);
      expect(world.inOrder(first)).toEqual(world.expected().slice(0, limit));
    }));

  test('obey a range', () =>
    holds(async (world, limit) => {
      const { store, index, value, sortOf } = world;
      const range = { condition: '#sort < :end', values: { ':end': sortOf(5) } };
      const before = world.expected().filter((at) => at < sortOf(5));

      expect(world.inOrder(await listAll(store, { index, value, range }))).toEqual(before);
      expect(world.inOrder(await listFirst(store, { index, value, range }, limit))).toEqual(
        before.slice(0, limit),
      );
    }));

  test('are read page by page in the order of the whole, each once, and no page is empty before the end', () =>
    holds(async (world, limit) => {
      const { store, index, value } = world;
      const read: Record<string, unknown>[] = [];
      for (let from: Record<string, unknown> | undefined; ; ) {
        const page = await listPage(store, { index, value }, { limit, from });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        if (page.next && world.model.size > read.length) expect(page.rows.length).toBeGreaterThan(0);
        read.push(...page.rows);
        if (!page.next) break;
        // As a place that was stored and read again.
        from = JSON.parse(JSON.stringify(page.next));
      }

      expect(read).toEqual(await listAll(store, { index, value }));
      expect(world.inOrder(read)).toEqual(world.expected());
    }));

  test('are read once each although others are written between two pages', () =>
    fc.assert(
      fc.asyncProperty(writes, limits, writes, async (all, limit, more) => {
        const world = worldOf(tables(), kind);
        for (const write of all) await world.write(write);
        const present = [...world.model.keys()];
        const read: string[] = [];
        const later = more.map(({ at = 0 }, index) => ({ row: 100 + index, at }));
        for (let from: Record<string, unknown> | undefined; ; ) {
          const reading = { index: world.index, value: world.value };
          const page = await listPage(world.store, reading, { limit, from });
          read.push(...rowIds(page.rows));
          for (const write of later.splice(0, 3)) await world.write(write);
          if (!page.next) break;
          from = page.next;
        }

        expect(new Set(read).size).toBe(read.length);
        expect(read).toEqual(expect.arrayContaining(present));
      }),
      { numRuns, seed: SEED },
    ));
});

describe('a shard', () => {
  test('follows from the id alone, and the ids of a table are spread over all shards', () => {
    const ids = Array.from({ length: 4000 }, () => newId());
    const counts = new Map<string, number>();
    for (const id of ids) counts.set(keyIn(DUE, id), (counts.get(keyIn(DUE, id)) ?? 0) + 1);

    expect(keyIn(DUE, 'a')).toBe(keyIn(DUE, 'a'));
    expect(counts.size).toBe(DUE.shards);
    // Each shard has 1,000 on average. Chance alone does not reach these limits.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  test('of the same id never changes, because rows are found by it', () => {
    expect(keyIn(DUE, 'tx_1')).toBe('due#3');
    expect(keyIn(DAY, 'tx_1', '2026-11-22')).toBe('2026-11-22#3');
  });

  test('is asked at the same time as the others', async () => {
    let open = 0;
    let most = 0;
    const client = {
      async send() {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        return { Items: [] };
      },
    } as unknown as Tables['client'];

    await listDueIds({ client, table: 'transactions' }, DUE, { now: 1, limit: 10 });

    expect(most).toBe(DUE.shards);
  });
});
