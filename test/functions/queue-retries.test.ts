import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { Unavailable } from '../../functions/domain/errors.ts';
import { queueConsumer } from '../../functions/entry/queue.ts';
import { type Stub, startStub } from '../support/stub-server.ts';
import { writtenLines } from '../support/written-lines.ts';

const lines = writtenLines();
let sqs: Stub;
let status = 200;
const QUEUE_URL = 'https://sqs.sa-east-1.amazonaws.com/000000000000/callbacks';

beforeAll(async () => {
  sqs = await startStub(() => ({ status, body: {} }));
});
afterAll(() => sqs.close());
beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', sqs.url);
  vi.stubEnv('AWS_REGION', 'sa-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  status = 200;
  sqs.requests.length = 0;
});

const consume = queueConsumer({ needs: [], message: z.object({ fails: z.boolean() }) }, async ({ fails }) => {
  if (fails) throw new Unavailable('Pix provider');
});

/** The messages that failed, of those whose try this is. */
async function failedOf(tries: readonly number[], fails = true): Promise<string[]> {
  const Records = tries.map((count) => ({
    messageId: `m${count}`,
    receiptHandle: `receipt ${count}`,
    eventSourceARN: 'arn:aws:sqs:sa-east-1:000000000000:callbacks',
    body: JSON.stringify({ fails }),
    attributes: { ApproximateReceiveCount: String(count), SentTimestamp: '0' },
  }));
  const { batchItemFailures } = await consume({ Records } as unknown as SQSEvent, {} as Context);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

const asked = () =>
  sqs.requests.map(({ headers, text }) => ({ target: headers['x-amz-target'], ...JSON.parse(text) }));

test('a message comes again after ten seconds, then after thirty, then as late as its queue says', async () => {
  expect(await failedOf([1, 2, 3, 4, 5, 6])).toHaveLength(6);

  const target = 'AmazonSQS.ChangeMessageVisibility';
  expect(asked()).toHaveLength(2);
  expect(asked()).toEqual(
    expect.arrayContaining([
      { target, QueueUrl: QUEUE_URL, ReceiptHandle: 'receipt 1', VisibilityTimeout: 10 },
      { target, QueueUrl: QUEUE_URL, ReceiptHandle: 'receipt 2', VisibilityTimeout: 30 },
    ]),
  );
});

test('a message that is handled asks the queue nothing', async () => {
  expect(await failedOf([1, 2], false)).toEqual([]);

  expect(asked()).toEqual([]);
});

test('a message fails all the same if the queue does not take the time', async () => {
  status = 400;

  expect(await failedOf([1])).toEqual(['m1']);

  expect(asked()).not.toEqual([]);
  expect(lines).toContainEqual(expect.stringContaining('message comes again late'));
});
