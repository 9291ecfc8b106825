import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cloud } from '../../sandbox/cloud/boot.ts';
import { seenLate } from '../../sandbox/cloud/late-execution.ts';
import { executionRates } from '../../sandbox/cloud/request-rates.ts';
import { isToken, newToken } from '../../sandbox/cloud/task-token.ts';
import { bootLimits, clientsOf, type Fields, KB, refusalOf } from '../support/limits-cloud.ts';
import { eventually } from '../support/sandbox.ts';

let cloud: Cloud;
beforeAll(async () => {
  cloud = await bootLimits();
});
afterAll(() => cloud?.stop());

describe('Step Functions', () => {
  const start = (input: Fields, name?: string) =>
    clientsOf(cloud).sfn.send(
      new StartExecutionCommand({
        stateMachineArn: cloud.physical('Machine'),
        input: JSON.stringify(input),
        name,
      }),
    );
  const describeAs = (who: 'operator' | 'Caller', executionArn: string) =>
    clientsOf(cloud, who).sfn.send(new DescribeExecutionCommand({ executionArn }));
  const ended = (executionArn: string) =>
    eventually(
      () => describeAs('operator', executionArn),
      ({ status }) => status !== 'RUNNING',
    );

  test('gives task tokens of 1,024 characters, and takes no other text for a token', async () => {
    const { executionArn = '' } = await start({ size: 0 });
    const command = new GetExecutionHistoryCommand({ executionArn });
    const history = await eventually(
      () => clientsOf(cloud, 'operator').sfn.send(command),
      ({ events = [] }) => events.some(({ type }) => type === 'TaskSubmitted'),
    );
    const parameters = history.events?.find(
      ({ type }) => type === 'TaskScheduled',
    )?.taskScheduledEventDetails;
    const { token } = JSON.parse(parameters?.parameters ?? '{}').Payload;
    const answer = (taskToken: string, output = '{}') =>
      refusalOf(clientsOf(cloud).sfn.send(new SendTaskSuccessCommand({ taskToken, output })));

    expect(token).toHaveLength(1024);
    expect(await answer(token.slice(0, 1000))).toMatchObject({ name: 'InvalidToken', status: 400 });
    expect(await answer(newToken())).toMatchObject({ name: 'TaskDoesNotExist', status: 400 });
    expect(await answer(token, JSON.stringify('x'.repeat(256 * KB)))).toMatchObject({
      name: 'ValidationException',
      status: 400,
    });
    expect(await answer(token)).toBeUndefined();
    expect(isToken(token)).toBe(true);
  });

  test('refuses an input above 256 kB', async () => {
    expect(await refusalOf(start({ size: 0, text: 'x'.repeat(256 * KB) }))).toMatchObject({
      name: 'ValidationException',
      status: 400,
      message: expect.stringMatching(/'input'.*262144/),
    });
  });

  test('fails an execution whose task answers more than 256 kB, although the task catches every error', async () => {
    const [{ executionArn: large = '' }, { executionArn: small = '' }] = await Promise.all([
      start({ size: 257 * KB }),
      start({ size: 255 * KB }),
    ]);

    expect(await ended(large)).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
    expect(await ended(small)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('shows a function the start and the end of an execution late, and the operator at once', async () => {
    const { executionArn = '' } = await start({ size: 1 });

    expect(await refusalOf(describeAs('Caller', executionArn))).toMatchObject({
      name: 'ExecutionDoesNotExist',
      status: 400,
    });
    expect((await describeAs('operator', executionArn)).executionArn).toBe(executionArn);
    const seen = await eventually(
      () => describeAs('Caller', executionArn).catch(() => undefined),
      (answer) => answer?.status === 'SUCCEEDED',
    );
    expect(seen?.stopDate).toBeDefined();
  });

  test('shows an execution that has just ended as running, without its end', () => {
    const over = { startedAt: 100, stoppedAt: 110, status: 'FAILED' as const, error: 'Broken' };

    expect(seenLate(over, 5_000, 104_999)).toBeUndefined();
    expect(seenLate(over, 5_000, 114_999)).toEqual({ startedAt: 100, status: 'RUNNING' });
    expect(seenLate(over, 5_000, 115_000)).toEqual(over);
    expect(seenLate({ startedAt: 100, status: 'RUNNING' }, 5_000, 105_000)).toBeDefined();
  });

  test('throttles above the quota of an operation, until the bucket has tokens again', () => {
    let now = 0;
    const admit = executionRates(() => now);
    for (let index = 0; index < 250; index++) admit('DescribeExecution');
    const refused = expect.objectContaining({
      name: 'ThrottlingException',
      status: 400,
      message: 'Rate exceeded',
    });

    expect(() => admit('DescribeExecution')).toThrow(refused);
    admit('StartExecution');
    now += 100;
    admit('DescribeExecution');
    expect(() => admit('DescribeExecution')).toThrow(refused);
  });

  test('answers a function’s 251st description at once with ThrottlingException', async () => {
    const { executionArn = '' } = await start({ size: 0 });
    const answers = await Promise.all(
      Array.from({ length: 400 }, () => refusalOf(describeAs('Caller', executionArn))),
    );

    expect(answers.map((refusal) => refusal?.name)).toContain('ThrottlingException');
  });
});
