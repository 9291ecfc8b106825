import { SFNClient } from '@aws-sdk/client-sfn';
import { afterEach, describe, expect, test } from 'vitest';
import { machine } from '../../functions/adapters/aws/machine.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

const MACHINE_ARN = 'arn:aws:states:sa-east-1:000000000000:stateMachine:Purchase';
const EXECUTION_ARN = 'arn:aws:states:sa-east-1:000000000000:execution:Purchase';
const ID = '01JD4G0000000000000000000A';
const NEWS = { transactionId: ID, status: 'PROCESSING' } as const;

let stub: Stub;
afterEach(() => stub.close());

/** The adapter, at a Step Functions that gives these answers in their order. The last one is repeated. */
async function given(...answers: StubAnswer[]) {
  let calls = 0;
  stub = await startStub(() => answers[Math.min(calls++, answers.length - 1)]!);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SFNClient({ endpoint: stub.url, region: 'sa-east-1', credentials, maxAttempts: 1 });
  return machine(async () => client, MACHINE_ARN);
}

const failsWith = (name: string): StubAnswer => ({ status: 400, body: { __type: name, message: 'no' } });
const started: StubAnswer = { body: { executionArn: `${EXECUTION_ARN}:${ID}`, startDate: 1 } };

function calls() {
  return stub.requests.map(({ headers, text }) => ({
    operation: String(headers['x-amz-target']).split('.').at(-1),
    ...(JSON.parse(text) as Record<string, unknown>),
  }));
}

describe('start', () => {
  test.each([
    [0, ID],
    [1, `${ID}-r1`],
    [12, `${ID}-r12`],
  ])('names execution %i of a purchase %s, and passes only id and status', async (executions, name) => {
    const adapter = await given(started);

    await adapter.start(ID, 'AWAITING_MFA', executions);

    const input = JSON.stringify({ transactionId: ID, status: 'AWAITING_MFA' });
    const stateMachineArn = `${MACHINE_ARN}:live`;
    expect(calls()).toEqual([{ operation: 'StartExecution', stateMachineArn, name, input }]);
  });

  test('is no error if the execution was started before, perhaps with another status', async () => {
    const adapter = await given(started, failsWith('ExecutionAlreadyExists'));

    await adapter.start(ID, 'AWAITING_MFA', 0);
    await adapter.start(ID, 'AWAITING_PIX', 0);

    expect(calls()).toHaveLength(2);
  });

  test.each(['ExecutionLimitExceeded', 'StateMachineDoesNotExist', 'AccessDeniedException'])(
    'is an error after %s, because nothing runs',
    async (name) => {
      const adapter = await given(failsWith(name));

      await expect(adapter.start(ID, 'AWAITING_MFA', 0)).rejects.toMatchObject({ name });
    },
  );
});

describe('isRunning', () => {
  const described = (status: string): StubAnswer => ({
    body: { executionArn: EXECUTION_ARN, stateMachineArn: MACHINE_ARN, startDate: 1, status },
  });

  test.each([
    ['RUNNING', true],
    ['SUCCEEDED', false],
    ['FAILED', false],
    ['TIMED_OUT', false],
    ['ABORTED', false],
    ['PENDING_REDRIVE', false],
  ])('is for an execution that is %s: %s', async (status, isRunning) => {
    const adapter = await given(described(status));

    expect(await adapter.isRunning(ID, 2)).toBe(isRunning);

    expect(calls()).toEqual([{ operation: 'DescribeExecution', executionArn: `${EXECUTION_ARN}:${ID}-r2` }]);
  });

  test('is false for an unknown execution', async () => {
    const adapter = await given(failsWith('ExecutionDoesNotExist'));

    expect(await adapter.isRunning(ID, 0)).toBe(false);
  });

  test('is unknown if the service cannot say, so that no second execution is started', async () => {
    const adapter = await given({ status: 500, body: { __type: 'InternalFailure' } });

    await expect(adapter.isRunning(ID, 0)).rejects.toThrow();
  });
});

describe('resume', () => {
  test('gives the token back with id and status only', async () => {
    const adapter = await given({ body: {} });

    await adapter.resume('token-1', NEWS);

    const output = JSON.stringify(NEWS);
    expect(calls()).toEqual([{ operation: 'SendTaskSuccess', taskToken: 'token-1', output }]);
  });

  test.each(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'])(
    'is no error after %s, because another process was faster',
    async (name) => {
      const adapter = await given(failsWith(name));

      await expect(adapter.resume('token-1', NEWS)).resolves.toBeUndefined();
    },
  );

  test.each(['InvalidOutput', 'ThrottlingException', 'AccessDeniedException'])(
    'is an error after %s, because the wait goes on',
    async (name) => {
      const adapter = await given(failsWith(name));

      await expect(adapter.resume('token-1', NEWS)).rejects.toMatchObject({ name });
    },
  );

  test('is an error if it is cut off, and may be repeated', async () => {
    const adapter = await given({ fault: 'reset' }, { body: {} });

    await expect(adapter.resume('token-1', NEWS)).rejects.toThrow();
    await adapter.resume('token-1', NEWS);

    expect(calls()).toHaveLength(2);
  });
});
