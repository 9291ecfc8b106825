import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cloud } from '../../sandbox/cloud/boot.ts';
import { loadTemplate } from '../../sandbox/cloud/template.ts';
import { writeRates } from '../../sandbox/cloud/write-rate.ts';
import {
  bootLimits,
  clientsOf,
  type Fields,
  KB,
  limitsAssembly,
  refusalOf,
  STACK_NAME,
} from '../support/limits-cloud.ts';

let cloud: Cloud;
beforeAll(async () => {
  cloud = await bootLimits();
});
afterAll(() => cloud?.stop());

describe('DynamoDB', () => {
  const TableName = 'orders';
  const item = (id: number | string, bytes: number) => ({
    id: { S: `${id}` },
    text: { S: 'x'.repeat(bytes) },
  });
  const puts = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, index) => ({ Put: { TableName, Item: item(index, bytes) } }));
  const requests = (count: number) => puts(count, 1).map(({ Put: { Item } }) => ({ PutRequest: { Item } }));
  const Keys = Array.from({ length: 101 }, (_, index) => ({ id: { S: `${index}` } }));

  test.each([
    [
      'an item above 400 kB',
      new PutItemCommand({ TableName, Item: item('a', 401 * KB) }),
      /maximum allowed size/,
    ],
    [
      'a transaction of 101 items',
      new TransactWriteItemsCommand({ TransactItems: puts(101, 1) }),
      /less than or equal to 100/,
    ],
    [
      'a transaction above 4 MB',
      new TransactWriteItemsCommand({ TransactItems: puts(12, 380 * KB) }),
      /4MB limit/,
    ],
    [
      'a batch of 26 writes',
      new BatchWriteItemCommand({ RequestItems: { [TableName]: requests(26) } }),
      /less than or equal to 25/,
    ],
    [
      'a batch of 101 reads',
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }),
      /less than or equal to 100/,
    ],
  ])('refuses %s', async (_, command, message) => {
    // The client's type differs for each command.
    const refusal = await refusalOf(clientsOf(cloud).dynamodb.send(command as PutItemCommand));

    expect(refusal).toMatchObject({ name: 'ValidationException', status: 400 });
    expect(refusal?.message).toMatch(message);
  });

  describe('with 1,000 write units a second for each key', () => {
    let now = 0;
    const rates = () => {
      now = 5_000;
      return writeRates(loadTemplate(limitsAssembly(), STACK_NAME), () => now);
    };
    const put = (id: string, more: Fields = {}) => ({ TableName, Item: { id: { S: id }, ...more } });
    const repeat = (count: number, act: (index: number) => void) => {
      for (let index = 0; index < count; index++) act(index);
    };
    const throttling = (reason: string, resource: string) =>
      expect.objectContaining({
        name: 'ThrottlingException',
        status: 400,
        fields: { throttlingReasons: [{ reason, resource: expect.stringMatching(resource) }] },
      });

    test('throttles the next write to a key, and no write to another key or in the next second', () => {
      const admit = rates();
      repeat(1000, () => admit('PutItem', put('a')));

      expect(() => admit('PutItem', put('a'))).toThrow(
        throttling('TableWriteKeyRangeThroughputExceeded', 'table/orders$'),
      );
      admit('PutItem', put('b'));
      now += 1000;
      admit('PutItem', put('a'));
    });

    test('counts each started kilobyte, and a transaction twice', () => {
      const admit = rates();
      const TransactItems = [{ Put: put('a', { text: { S: 'x'.repeat(2 * KB) } }) }];
      repeat(166, () => admit('TransactWriteItems', { TransactItems }));

      expect(() => admit('TransactWriteItems', { TransactItems })).toThrow(
        expect.objectContaining({
          name: 'TransactionCanceledException',
          fields: { CancellationReasons: [expect.objectContaining({ Code: 'ThrottlingError' })] },
        }),
      );
    });

    test.each([
      ['put', 'PutItem', (index: number) => put(`${index}`, { sweep: { S: 'DUE' } })],
      [
        'updated',
        'UpdateItem',
        (index: number) => ({
          TableName,
          Key: { id: { S: `${index}` } },
          UpdateExpression: 'SET #sweep = :due, n = :n',
          ExpressionAttributeNames: { '#sweep': 'sweep' },
          ExpressionAttributeValues: { ':due': { S: 'DUE' }, ':n': { N: '1' } },
        }),
      ],
    ])('counts rows that are %s under the same key of an index', (_, operation, request) => {
      const admit = rates();
      repeat(1000, (index) => admit(operation, request(index)));

      expect(() => admit(operation, request(1001))).toThrow(
        throttling('IndexWriteKeyRangeThroughputExceeded', 'table/orders/index/due$'),
      );
    });

    test('answers a function with ThrottlingException, and the operator with success', async () => {
      const heavy = new UpdateItemCommand({
        TableName,
        Key: { id: { S: 'hot' } },
        UpdateExpression: 'SET body = :body',
        ExpressionAttributeValues: { ':body': { S: 'x'.repeat(390 * KB) } },
      });
      const { dynamodb } = clientsOf(cloud);
      const refusals = await Promise.all(Array.from({ length: 12 }, () => refusalOf(dynamodb.send(heavy))));

      expect(refusals).toContainEqual(
        expect.objectContaining({
          name: 'ThrottlingException',
          status: 400,
          message: expect.stringMatching(/capacity/),
        }),
      );
      const operator = clientsOf(cloud, 'operator').dynamodb;
      expect(await Promise.all(Array.from({ length: 4 }, () => refusalOf(operator.send(heavy))))).toEqual(
        Array.from({ length: 4 }, () => undefined),
      );
    });
  });
});
