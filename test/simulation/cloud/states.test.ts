import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  readDefinition,
  requireKnown,
  type State,
  type StateMachine,
  type Task,
} from './state-definition.ts';
import { done, hostOf, machineOf, named, placeholder, run, times } from './state-fixtures.ts';

const REAL = readFileSync(new URL('../../../statemachines/onramp.asl.json', import.meta.url), 'utf8');

describe('a Task', () => {
  test('passes its input and its time-out to its function, and the output to the next state', async () => {
    const { host, seen } = hostOf([{ status: 'A' }]);

    const outcome = await run(machineOf({ Next: 'Done', End: undefined }, { Done: done }), host);

    expect(outcome).toEqual({ status: 'SUCCEEDED', output: { status: 'A' } });
    expect(seen.calls).toEqual([['Work', { id: 1 }, 45]]);
    expect(seen.entered).toEqual(['Work', 'Done']);
  });

  test('passes data as JSON, and null for a function without an answer', async () => {
    const at = new Date(0);

    expect(await run(machineOf({}), hostOf([undefined]).host)).toMatchObject({ output: null });
    expect(await run(machineOf({}), hostOf([{ at, gone: undefined }]).host)).toMatchObject({
      output: { at: at.toISOString() },
    });
  });

  test('without retriers and catchers ends the execution with its error', async () => {
    const outcome = await run(machineOf({}), hostOf([named('Odd', 'it was')]).host);

    expect(outcome).toEqual({
      status: 'FAILED',
      error: 'Odd',
      cause: JSON.stringify({ errorType: 'Odd', errorMessage: 'it was' }),
    });
  });
});

describe('a catcher', () => {
  test('comes after the retriers, keeps the input, and puts the error at its path', async () => {
    const machine = machineOf(
      {
        Retry: [{ ErrorEquals: ['Odd'], MaxAttempts: 1 }],
        Catch: [
          { ErrorEquals: ['Other'], Next: 'Never' },
          { ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Done' },
        ],
      },
      { Done: done, Never: done },
    );
    const { host, seen } = hostOf(times(2, 'Odd'));

    expect(await run(machine, host)).toEqual({
      status: 'SUCCEEDED',
      output: {
        id: 1,
        error: { Error: 'Odd', Cause: JSON.stringify({ errorType: 'Odd', errorMessage: 'of the test' }) },
      },
    });
    expect(seen.entered).toEqual(['Work', 'Done']);
  });

  test('without a path replaces the input by the error', async () => {
    const machine = machineOf({ Catch: [{ ErrorEquals: ['Odd'], Next: 'Done' }] }, { Done: done });

    expect(await run(machine, hostOf(times(1, 'Odd')).host)).toMatchObject({ output: { Error: 'Odd' } });
  });
});

describe('a Task that waits for its token', () => {
  const waiting = (more: Partial<Task> = {}): StateMachine =>
    machineOf({
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: {
        FunctionName: placeholder('Register'),
        Payload: { 'id.$': '$.id', 'token.$': '$$.Task.Token', fixed: 'word' },
      },
      TimeoutSeconds: 900,
      ...more,
    } as Partial<Task>);

  test('gives its parameters to the function, and ends with the output of the token', async () => {
    const { host, seen } = hostOf(['not looked at'], { tokens: [{ status: 'B' }] });

    expect(await run(waiting(), host)).toEqual({ status: 'SUCCEEDED', output: { status: 'B' } });
    expect(seen.calls).toEqual([['Register', { id: 1, token: 'token1', fixed: 'word' }, 900]]);
    expect(seen.waits).toEqual([['token1', 900_000]]);
  });

  test('ends at its time-out, although its function succeeded', async () => {
    const { host } = hostOf(['registered'], { tokens: [named('States.Timeout')] });

    expect(await run(waiting(), host)).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  test('ends with the error of its function, and its token becomes invalid', async () => {
    const { host, seen } = hostOf([named('DeadlinePassed')], { tokens: ['late'] });

    expect(await run(waiting(), host)).toMatchObject({ status: 'FAILED', error: 'DeadlinePassed' });
    expect(seen.dropped).toEqual(['token1']);
  });

  test('is resumed by a token that comes before its function has ended', async () => {
    const { host } = hostOf([], { tokens: [{ status: 'B' }] });

    const outcome = await run(waiting(), { ...host, invoke: () => new Promise(() => undefined) });

    expect(outcome).toMatchObject({ output: { status: 'B' } });
  });

  test('has a new token for each attempt', async () => {
    const Retry = [{ ErrorEquals: ['Lambda.ServiceException'] }];
    const { host, seen } = hostOf([named('Lambda.ServiceException'), 'registered'], {
      tokens: [undefined, 'B'],
    });

    await run(waiting({ Retry }), host);

    expect(seen.waits).toEqual([
      ['token1', 900_000],
      ['token2', 900_000],
    ]);
  });
});

describe('Choice and Wait', () => {
  const choosing: StateMachine = {
    StartAt: 'Choose',
    States: {
      Choose: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.a.b', StringEquals: 'first', Next: 'Pause' },
          { Variable: '$.a.b', StringEquals: 'second', Next: 'Done' },
        ],
      },
      Pause: { Type: 'Wait', Seconds: 60, Next: 'Done' },
      Done: done,
    },
  };

  test('follow the input, and pass it on', async () => {
    const { host, seen } = hostOf([]);

    const outcome = await run(choosing, host, { a: { b: 'first' } });

    expect(outcome).toEqual({ status: 'SUCCEEDED', output: { a: { b: 'first' } } });
    expect(seen.sleeps).toEqual([60]);
  });

  test.each([
    ['says another word', { a: { b: 'third' } }, 'States.NoChoiceMatched'],
    ['does not have the path', { a: 1 }, 'States.Runtime'],
  ])('fail where the input %s', async (_, input, error) => {
    expect(await run(choosing, hostOf([]).host, input)).toMatchObject({ status: 'FAILED', error });
  });
});

describe('a definition', () => {
  test('of this service has only known fields', () => {
    expect(Object.keys(readDefinition(REAL).States)).toContain('SettleStablecoin');
  });

  test.each([
    ['a field', machineOf({ InputPath: '$.a' } as Partial<Task>)],
    ['a type', machineOf({}, { Map: { Type: 'Map' } as unknown as State })],
    ['a resource', machineOf({ Resource: 'arn:aws:states:::sqs:sendMessage' } as Partial<Task>)],
    [
      'a comparison',
      {
        StartAt: 'C',
        States: { C: { Type: 'Choice', Choices: [{ Variable: '$.a', IsNull: true, Next: 'C' }] } },
      },
    ],
    ['a path', machineOf({ Catch: [{ ErrorEquals: ['A'], ResultPath: '$.a[0]', Next: 'Work' }] })],
    ['the name of a next state', machineOf({ Next: 'Nowhere', End: undefined })],
    ['an end', machineOf({ End: undefined })],
    [
      'a place of States.ALL',
      machineOf({ Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['A'] }] }),
    ],
    ['company of States.ALL', machineOf({ Retry: [{ ErrorEquals: ['A', 'States.ALL'] }] })],
  ])('with %s that is not known runs nothing', async (_, machine) => {
    const { host, seen } = hostOf(['never']);

    expect(() => requireKnown(machine as StateMachine)).toThrow();
    await expect(run(machine as StateMachine, host)).rejects.toThrow();
    expect(seen.calls).toEqual([]);
  });
});
