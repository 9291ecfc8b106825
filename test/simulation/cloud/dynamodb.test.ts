import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeClient } from '../../../functions/adapters/aws/clients/dynamodb.ts';
import { startTables, TABLE_SCHEMAS } from '../../support/tables.ts';
import { failed, silent, throttled } from './aws-errors.ts';
import { memoryDynamoDb } from './dynamodb.ts';
import { cancelledFor, rowConflict } from './dynamodb-errors.ts';
import { anyCommand, readAll } from './random-commands.ts';
import { MARSHALL_OPTIONS } from './values.ts';

const RUNS = 200;
/** A busy machine needs this long. */
const LONG_MS = 180_000;
/** The seed is fixed, so that each run tests the same cases. Thousands of other seeds passed by hand. */
const SEED = 20_261_120;

describe('beside the emulator', () => {
  let emulator: Awaited<ReturnType<typeof startTables>>;
  beforeAll(async () => {
    emulator = await startTables();
  });
  afterAll(() => emulator.stop());

  test(
    'gives the same answers and errors as the emulator, for any sequence of commands of the stores',
    async () => {
      const memory = memoryDynamoDb(TABLE_SCHEMAS).client;
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anyCommand, { minLength: 3, maxLength: 10 }), async (makers) => {
          const run = `run${runs++}-`;
          for (const make of [...makers, readAll]) {
            const command = make(run);
            const [real, ours] = [await told(emulator.client, command), await told(memory, command)];
            expect(ours, JSON.stringify(inputOf(command), shown, 1)).toEqual(real);
          }
        }),
        { numRuns: RUNS, seed: SEED },
      );
    },
    LONG_MS,
  );
});

const TableName = 'transactions';
const open = () => memoryDynamoDb(TABLE_SCHEMAS);
const put = (id: string, more: object = {}) => new PutCommand({ TableName, Item: { id, ...more } });
const get = (id: string) => new GetCommand({ TableName, Key: { id } });
const dueQuery = () => ({
  TableName,
  IndexName: 'due',
  KeyConditionExpression: 'sweep = :sweep',
  ExpressionAttributeValues: { ':sweep': 'DUE' },
});
const due = async ({ client }: { client: DynamoDBDocumentClient }) =>
  (await client.send(new QueryCommand(dueQuery()))).Items?.map(({ id }) => id);

describe('a row', () => {
  test('is copied on its way in and on its way out', async () => {
    const { client } = open();
    const row = { id: 'a', list: [1], map: { x: 1 }, set: new Set(['A']) };
    await client.send(new PutCommand({ TableName, Item: row }));
    row.list.push(2);
    row.set.add('B');

    const { Item } = await client.send(get('a'));
    (Item as typeof row).map.x = 2;

    expect((await client.send(get('a'))).Item).toEqual({
      id: 'a',
      list: [1],
      map: { x: 1 },
      set: new Set(['A']),
    });
  });

  test('changes in the sum as a decimal', async () => {
    const { client } = open();
    await client.send(put('a', { amount: 0.1 }));
    await client.send(
      new UpdateCommand({
        TableName,
        Key: { id: 'a' },
        UpdateExpression: 'SET amount = amount + :more',
        ExpressionAttributeValues: { ':more': 0.2 },
      }),
    );

    expect((await client.send(get('a'))).Item).toEqual({ id: 'a', amount: 0.3 });
  });

  test.each([
    ['an empty set', { empty: new Set() }],
    ['no number', { number: Number.NaN }],
    ['a number that a double does not hold', { number: 2 ** 60 }],
    ['an instance of a class', { at: new Date(0) }],
    ['more digits than a number has', { number: 10n ** 40n + 1n }],
    ['an index key of another type', { sweep: 1, nextCheckAt: 1 }],
    ['more than 400 kB', { text: 'x'.repeat(410_000) }],
  ])('with %s is not written', async (_, more) => {
    const { client, rows } = open();

    await expect(client.send(put('a', more))).rejects.toThrow();
    expect(rows(TableName)).toEqual([]);
  });
});

describe('a request', () => {
  const updating = (input: object) =>
    new UpdateCommand({ TableName, Key: { id: 'a' }, UpdateExpression: 'SET bb = :b', ...input } as never);
  const value = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));

  test.each([
    ['a value that is not given', { ExpressionAttributeValues: value(':other') }],
    ['a value that is not used', { ExpressionAttributeValues: value(':b', ':other') }],
    [
      'paths that overlap',
      { UpdateExpression: 'SET bb = :b REMOVE bb.x', ExpressionAttributeValues: value(':b') },
    ],
    ['a change of the key', { UpdateExpression: 'SET id = :b', ExpressionAttributeValues: value(':b') }],
    ['redundant parentheses', { ConditionExpression: '((bb = :b))', ExpressionAttributeValues: value(':b') }],
    [
      'bounds in the wrong order',
      {
        ConditionExpression: 'bb BETWEEN :b AND :low',
        ExpressionAttributeValues: { ...value(':b'), ':low': 0 },
      },
    ],
    [
      'an order of values that have none',
      { ConditionExpression: 'bb < :map', ExpressionAttributeValues: { ...value(':b'), ':map': {} } },
    ],
    ['an unfinished expression', { ConditionExpression: 'bb =', ExpressionAttributeValues: value(':b') }],
  ])('with %s is refused as DynamoDB refuses it, and nothing is written', async (_, input) => {
    const { client, rows } = open();

    await expect(client.send(updating(input))).rejects.toMatchObject({ name: 'ValidationException' });
    expect(rows(TableName)).toEqual([]);
  });

  test('that writes one row twice in a transaction is refused', async () => {
    const { client } = open();
    const Put = { TableName, Item: { id: 'a' } };

    await expect(
      client.send(new TransactWriteCommand({ TransactItems: [{ Put }, { Put }] })),
    ).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('to a missing table fails with that error', async () => {
    await expect(
      open().client.send(new GetCommand({ TableName: 'other', Key: { id: 'a' } })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test('that is not simulated, or has a field that is not, fails', async () => {
    const { client } = open();
    const Get = { TableName, Key: { id: 'a' } };

    await expect(client.send(new TransactGetCommand({ TransactItems: [{ Get }] }))).rejects.toThrow(
      'TransactGet',
    );
    await expect(client.send(new GetCommand({ ...Get, AttributesToGet: ['id'] }))).rejects.toThrow(
      'AttributesToGet',
    );
  });

  test('for some attributes answers those that exist', async () => {
    const { client } = open();
    await client.send(put('a', { sweep: 'DUE', nextCheckAt: 1 }));
    const ProjectionExpression = 'id, #at, missing';
    const named = { ProjectionExpression, ExpressionAttributeNames: { '#at': 'nextCheckAt' } };

    const { Item } = await client.send(new GetCommand({ TableName, Key: { id: 'a' }, ...named }));
    expect(Item).toEqual({ id: 'a', nextCheckAt: 1 });
  });
});

describe('an index', () => {
  test('is read in pages to its end', async () => {
    const { client } = open();
    for (const at of [3, 1, 2, 5, 4]) await client.send(put(`row${at}`, { sweep: 'DUE', nextCheckAt: at }));
    const found: unknown[] = [];

    for await (const { Items } of paginateQuery({ client, pageSize: 2 }, dueQuery())) found.push(...Items!);

    expect(found).toEqual([1, 2, 3, 4, 5].map((at) => ({ id: `row${at}`, sweep: 'DUE', nextCheckAt: at })));
  });

  test('answers as of some writes ago, while a read of a row gives its present state', async () => {
    const memory = open();
    await memory.client.send(put('a', { sweep: 'DUE', nextCheckAt: 1 }));
    await memory.client.send(put('b', { sweep: 'DUE', nextCheckAt: 2 }));
    await memory.client.send(put('a', {}));

    const seen = [];
    for (const writes of [0, 1, 2, 3, 1000]) {
      memory.staleBy(writes);
      seen.push(await due(memory));
    }

    expect(seen).toEqual([['b'], ['a', 'b'], ['a'], [], []]);
    expect((await memory.client.send(get('a'))).Item).toEqual({ id: 'a' });
  });
});

describe('the hooks around every call', () => {
  test('decide when the call runs, and whether its answer arrives', async () => {
    const memory = open();
    memory.around = async ({ operation, tables, isWrite }, run) => {
      expect([operation, tables, isWrite]).toEqual(['Put', [TableName], true]);
      run();
      throw silent(0);
    };
    const item: { id: string; list: number[] } = { id: 'a', list: [1] };
    const sent = memory.client.send(new PutCommand({ TableName, Item: item }));
    item.list.push(2);

    await expect(sent).rejects.toThrow('ETIMEDOUT');
    expect(memory.rows(TableName)).toEqual([{ id: 'a', list: [1] }]);
  });

  test('get each write, those of a transaction in its order', async () => {
    const memory = open();
    const heard: unknown[] = [];
    memory.onWrite = (written) => void heard.push(written);
    await memory.client.send(put('a', { nn: 1 }));
    const Update = {
      TableName,
      Key: { id: 'a' },
      UpdateExpression: 'ADD nn :one',
      ExpressionAttributeValues: { ':one': 1 },
    };
    const ConditionCheck = { TableName, Key: { id: 'c' }, ConditionExpression: 'attribute_not_exists(id)' };
    const Put = { TableName, Item: { id: 'b' } };
    await memory.client.send(
      new TransactWriteCommand({ TransactItems: [{ Update }, { ConditionCheck }, { Put }] }),
    );

    expect(heard).toEqual([
      { table: TableName, id: 'a', before: undefined, after: { id: 'a', nn: 1 } },
      { table: TableName, id: 'a', before: { id: 'a', nn: 1 }, after: { id: 'a', nn: 2 } },
      { table: TableName, id: 'b', before: undefined, after: { id: 'b' } },
    ]);
  });

  test('can inject the errors of AWS under their own names', () => {
    expect(cancelledFor('TransactionConflict', 3, 1).CancellationReasons?.map(({ Code }) => Code)).toEqual([
      'None',
      'TransactionConflict',
      'None',
    ]);
    const others = [0, 0.5, 0.9].flatMap((pick) => [throttled('dynamodb', pick), failed('dynamodb', pick)]);
    expect([rowConflict(), silent(0), ...others].map(({ name }) => name)).toEqual([
      ...['TransactionConflictException', 'TimeoutError'],
      ...['ProvisionedThroughputExceededException', 'InternalServerError'],
      ...['ThrottlingException', 'ServiceUnavailable', 'RequestLimitExceeded', 'ServiceUnavailable'],
    ]);
  });
});

test('values are marshalled with the options of our client', () => {
  const client = makeClient({ region: 'sa-east-1' });

  expect((client.config as unknown as { translateConfig: unknown }).translateConfig).toEqual({
    marshallOptions: MARSHALL_OPTIONS,
  });
  client.destroy();
});

/** The parts of an answer or an error that a caller can see. */
async function told(client: DynamoDBDocumentClient, command: object): Promise<unknown> {
  try {
    const { $metadata: _, Responses, ...answer } = (await client.send(command as never)) as Answer;
    return Responses ? Object.values(Responses).map((rows) => rows.sort(byId)) : answer;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { refused: error.Item };
    if (error instanceof TransactionCanceledException)
      return { cancelled: error.CancellationReasons?.map(({ Code, Item }) => [Code, Item]) };
    return { failed: (error as Error).name };
  }
}

type Answer = { $metadata?: unknown; Responses?: Record<string, { id: string }[]> };

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : 1;
}

function inputOf(command: object): unknown {
  return { [command.constructor.name]: (command as { input: unknown }).input };
}

function shown(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Set ? { set: [...value] } : value;
}
