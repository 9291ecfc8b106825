import { SFNClient } from '@aws-sdk/client-sfn';
import { afterEach, describe, expect, test } from 'vitest';
import { executionVisits } from '../../operations/stores/execution-visit.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

const MACHINE_ARN = 'arn:aws:states:sa-east-1:000000000000:stateMachine:Purchase';
const DEFINITION = JSON.stringify({
  States: {
    CheckWalletRisk: {
      Retry: [
        { ErrorEquals: ['ReviewPending'], IntervalSeconds: 7, BackoffRate: 1, MaxAttempts: 9 },
        {
          ErrorEquals: ['States.ALL'],
          IntervalSeconds: 2,
          BackoffRate: 2,
          MaxDelaySeconds: 300,
          MaxAttempts: 3,
        },
      ],
    },
    LookAgain: { Seconds: 60 },
  },
});

let stub: Stub;
afterEach(() => stub.close());

type Event = Record<string, unknown>;
const entered = (name: string): Event => ({ type: 'TaskStateEntered', stateEnteredEventDetails: { name } });
const exited = (name: string): Event => ({ type: 'TaskStateExited', stateExitedEventDetails: { name } });
const succeeded: Event = { type: 'LambdaFunctionSucceeded' };
const cause = (errorMessage: string) => JSON.stringify({ errorMessage, trace: ['at secret place'] });
const failed = (error: string, message: string): Event => ({
  type: 'LambdaFunctionFailed',
  lambdaFunctionFailedEventDetails: { error, cause: cause(message) },
});
const DOWN = failed('Unavailable', 'chain RPC is unavailable');

/** Step Functions with one execution, whose events are given as they happened: one in each second. */
async function visitOf(events: Event[], status = 'RUNNING') {
  const history = events
    .map((event, index) => ({ id: index + 1, previousEventId: index, timestamp: index + 1, ...event }))
    .reverse();
  const answers: Record<string, (body: { maxResults?: number; nextToken?: string }) => object> = {
    DescribeExecution: () => ({ status, startDate: 1 }),
    DescribeStateMachine: () => ({ definition: DEFINITION }),
    GetExecutionHistory: ({ nextToken = '0' }) => {
      const from = Number(nextToken);
      const more = from + 3 < history.length && { nextToken: String(from + 3) };
      return { events: history.slice(from, from + 3), ...more };
    },
  };
  stub = await startStub(({ headers, text }): StubAnswer => {
    const operation = String(headers['x-amz-target']).split('.').at(-1)!;
    return { body: answers[operation]!(JSON.parse(text)) };
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SFNClient({ endpoint: stub.url, region: 'sa-east-1', credentials, maxAttempts: 1 });
  return executionVisits(async () => client, MACHINE_ARN).findVisit('ID');
}

const before = [{ type: 'ExecutionStarted' }, entered('AwaitPixPayment'), exited('AwaitPixPayment')];

describe('the present state of an execution', () => {
  test('is the step that fails, since its first failure, with the latest instant of the next try', async () => {
    const visit = await visitOf([...before, entered('CheckWalletRisk'), DOWN, DOWN, DOWN]);

    expect(visit).toEqual({
      name: 'ID',
      status: 'RUNNING',
      step: 'CheckWalletRisk',
      enteredAt: 4_000,
      obstacle: {
        step: 'CheckWalletRisk',
        error: 'Unavailable',
        message: 'chain RPC is unavailable',
        since: 5_000,
        times: 3,
        nextBy: 7_000 + 8_000,
      },
    });
  });

  test('counts the same failure over the pauses in which the machine looks again', async () => {
    const pause = [entered('LookAgain'), exited('LookAgain'), entered('WhatNow'), exited('WhatNow')];
    const round = [entered('CheckWalletRisk'), DOWN, DOWN, DOWN, DOWN, exited('CheckWalletRisk')];

    const visit = await visitOf([...before, ...round, ...pause, ...round, entered('LookAgain')]);

    expect(visit?.obstacle).toMatchObject({ since: 5_000, times: 8, nextBy: 78_000 });
  });

  test('begins anew with another message, and still knows the tries of the step', async () => {
    const other = failed('Unavailable', 'the wallet screening provider is unavailable');

    const visit = await visitOf([...before, entered('CheckWalletRisk'), other, other, DOWN]);

    expect(visit).toMatchObject({ step: 'CheckWalletRisk', enteredAt: 4_000 });
    expect(visit?.obstacle).toMatchObject({ since: 7_000, times: 1, nextBy: 7_000 + 8_000 });
  });

  test('has the retrier of its own error', async () => {
    const visit = await visitOf([...before, entered('CheckWalletRisk'), failed('ReviewPending', 'a person')]);

    expect(visit?.obstacle).toMatchObject({ nextBy: 5_000 + 7_000 });
  });

  test('forgets the failures before a success, and those of the step before', async () => {
    const [step, next] = ['CheckWalletRisk', 'ConfirmPixPayment'];
    const passed = [...before, entered(step), DOWN, succeeded, exited(step), entered(next)];

    expect(await visitOf(passed)).toEqual({ name: 'ID', status: 'RUNNING', step: next, enteredAt: 8_000 });
  });

  test('shows no trace, no control character and no long text of an error', async () => {
    const visit = await visitOf([
      ...before,
      entered('CheckWalletRisk'),
      failed('E', `\u001b[2J${'x'.repeat(999)}`),
    ]);

    expect(visit?.obstacle?.message).toMatch(/^ \[2Jx+$/);
    expect(visit?.obstacle?.message).toHaveLength(200);
  });

  test.each([
    ['SUCCEEDED', 'ENDED'],
    ['ABORTED', 'LOST'],
    ['TIMED_OUT', 'LOST'],
  ])('of one that is %s is %s', async (status, expected) => {
    expect(await visitOf([...before, entered('CheckWalletRisk'), DOWN], status)).toMatchObject({
      status: expected,
      step: 'CheckWalletRisk',
    });
  });
});
