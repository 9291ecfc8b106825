import { SFNClient } from '@aws-sdk/client-sfn';
import { afterEach, expect, test } from 'vitest';
import { executionHistories } from '../../functions/adapters/aws/execution-history.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

const MACHINE_ARN = 'arn:aws:states:sa-east-1:000000000000:stateMachine:Purchase';
const EXECUTION_ARN = 'arn:aws:states:sa-east-1:000000000000:execution:Purchase';

let stub: Stub;
afterEach(() => stub.close());

async function given(...answers: StubAnswer[]) {
  let calls = 0;
  stub = await startStub(() => answers[Math.min(calls++, answers.length - 1)]!);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SFNClient({ endpoint: stub.url, region: 'sa-east-1', credentials, maxAttempts: 1 });
  return executionHistories(async () => client, MACHINE_ARN);
}

const failsWith = (name: string): StubAnswer => ({ status: 400, body: { __type: name, message: 'no' } });

test('a history is read to its end, and all its data is decrypted', async () => {
  const payload = { Payload: { taskToken: 'T', nested: JSON.stringify({ a: 1 }) } };
  const scheduled = { resource: 'invoke', parameters: JSON.stringify(payload) };
  const histories = await given(
    {
      body: {
        events: [
          { id: 1, previousEventId: 0, timestamp: 1, type: 'ExecutionStarted' },
          {
            id: 2,
            previousEventId: 1,
            timestamp: 2,
            type: 'TaskScheduled',
            taskScheduledEventDetails: scheduled,
          },
        ],
        nextToken: 'more',
      },
    },
    { body: { events: [{ id: 3, previousEventId: 2, timestamp: 2.5, type: 'ExecutionSucceeded' }] } },
  );

  expect(await histories.findExecution('ID-r1')).toEqual({
    name: 'ID-r1',
    status: 'SUCCEEDED',
    startedAt: '1970-01-01T00:00:01.000Z',
    stoppedAt: '1970-01-01T00:00:02.500Z',
    events: [
      { id: 1, previousEventId: 0, at: '1970-01-01T00:00:01.000Z', type: 'ExecutionStarted' },
      {
        id: 2,
        previousEventId: 1,
        at: '1970-01-01T00:00:02.000Z',
        type: 'TaskScheduled',
        details: { resource: 'invoke', parameters: { Payload: { taskToken: 'T', nested: { a: 1 } } } },
      },
      { id: 3, previousEventId: 2, at: '1970-01-01T00:00:02.500Z', type: 'ExecutionSucceeded' },
    ],
  });
  const asked = stub.requests.map(({ text }) => JSON.parse(text) as { executionArn: string });
  expect(new Set(asked.map(({ executionArn }) => executionArn))).toEqual(new Set([`${EXECUTION_ARN}:ID-r1`]));
});

test('a history of more than 1,000 events is read in pages of 1,000', async () => {
  const events = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: from + at, timestamp: 1, type: 'TaskScheduled' }));
  const histories = await given(
    { body: { events: events(1, 1000), nextToken: 'more' } },
    { body: { events: events(1001, 500) } },
  );

  const { events: found } = (await histories.findExecution('ID'))!;

  expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 1500 }, (_, at) => at + 1));
  expect(stub.requests.map(({ text }) => (JSON.parse(text) as { maxResults: number }).maxResults)).toEqual([
    1000, 1000,
  ]);
});

test('a history without an end is that of a running execution', async () => {
  const histories = await given({ body: { events: [{ id: 1, timestamp: 1, type: 'ExecutionStarted' }] } });

  expect(await histories.findExecution('ID')).toMatchObject({ status: 'RUNNING', stoppedAt: undefined });
});

test('an execution that Step Functions does not know, or no longer knows, has no history', async () => {
  const histories = await given(failsWith('ExecutionDoesNotExist'));

  expect(await histories.findExecution('ID')).toBeUndefined();
});

test('a history that may not be read is an error, and never a bundle without a notice', async () => {
  const histories = await given(failsWith('AccessDeniedException'));

  await expect(histories.findExecution('ID')).rejects.toThrow();
});

test('data that only begins like JSON stays unchanged', async () => {
  const details = { executionFailedEventDetails: { error: 'E', cause: '{not json' } };
  const events = [{ id: 1, previousEventId: 0, timestamp: 1, type: 'ExecutionFailed', ...details }];
  const histories = await given({ body: { events } });

  const { events: told } = (await histories.findExecution('ID'))!;

  expect(told[0]!.details).toEqual({ error: 'E', cause: '{not json' });
});
