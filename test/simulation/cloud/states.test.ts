import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  readDefinition,
  requireKnown,
  type State,
  type StateMachine,
  type Task,
} from './state-definition.ts';
import { type Host, type Outcome, runExecution } from './states.ts';

const REAL = readFileSync(new URL('../../../statemachines/onramp.asl.json', import.meta.url), 'utf8');

type Answer = unknown | Error;
/** A function that answers `answers` one after the other, and a time that only `sleep` moves. */
function hostOf(
  answers: Answer[],
  { tokens = [], jitter = () => 0.5 }: { tokens?: Answer[]; jitter?: () => number } = {},
) {
  const seen: { calls: unknown[]; sleeps: number[]; waits: unknown[]; dropped: string[]; entered: string[] } =
    {
      calls: [],
      sleeps: [],
      waits: [],
      dropped: [],
      entered: [],
    };
  const given = async (from: Answer[]) => {
    const answer = from.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  let made = 0;
  const host: Host = {
    async invoke(fn, payload, timeoutSeconds) {
      seen.calls.push([fn, payload, timeoutSeconds]);
      return given(answers);
    },
    async sleep(ms) {
      seen.sleeps.push(ms / 1000);
    },
    taskToken: () => `token${++made}`,
    awaitToken(token, timeoutMs) {
      seen.waits.push([token, timeoutMs]);
      // A token comes when the function has run, as it does where nothing hurries.
      return new Promise((resolve, reject) => setImmediate(() => given(tokens).then(resolve, reject)));
    },
    dropToken: (token) => void seen.dropped.push(token),
    jitter,
    onEnter: (state) => void seen.entered.push(state),
  };
  return { host, seen };
}

const placeholder = (name: string) => `\${${name}}`;
const named = (name: string, message = 'of the test') => Object.assign(new Error(message), { name });
const times = (count: number, name: string) => Array.from({ length: count }, () => named(name));

/** One task `Work` that ends the execution. */
function machineOf(task: Partial<Task>, more: Record<string, State> = {}): StateMachine {
  const Work = {
    Type: 'Task',
    Resource: placeholder('Work'),
    TimeoutSeconds: 45,
    End: true,
    ...task,
  } as State;
  return { StartAt: 'Work', States: { Work, ...more } };
}
const done: State = { Type: 'Succeed' };
const run = (machine: StateMachine, host: Host, input: unknown = { id: 1 }): Promise<Outcome> =>
  runExecution(machine, input, host);

describe('a Task', () => {
  test('gives its input to its function with its time, and what that answers to the next state', async () => {
    const { host, seen } = hostOf([{ status: 'A' }]);

    const outcome = await run(machineOf({ Next: 'Done', End: undefined }, { Done: done }), host);

    expect(outcome).toEqual({ status: 'SUCCEEDED', output: { status: 'A' } });
    expect(seen.calls).toEqual([['Work', { id: 1 }, 45]]);
    expect(seen.entered).toEqual(['Work', 'Done']);
  });

  test('passes data as JSON, where a function that answers nothing answers null', async () => {
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

describe('a retrier', () => {
  const retrying = (...Retry: NonNullable<Task['Retry']>) => machineOf({ Retry });
  const delaysOf = async (machine: StateMachine, errors: Answer[], jitter?: () => number) => {
    const { host, seen } = hostOf([...errors, 'end'], { jitter });
    const { status } = await run(machine, host);
    return { status, delays: seen.sleeps };
  };

  test.each([
    ['as the language’s defaults say', {}, 3, [1, 2, 4]],
    [
      'by its interval and rate',
      { IntervalSeconds: 3, BackoffRate: 1.5, MaxAttempts: 4 },
      4,
      [3, 4.5, 6.75, 10.125],
    ],
    [
      'never longer than its longest',
      { IntervalSeconds: 4, MaxDelaySeconds: 10, MaxAttempts: 4 },
      4,
      [4, 8, 10, 10],
    ],
  ])('waits %s', async (_, policy, errors, delays) => {
    const machine = retrying({ ErrorEquals: ['States.ALL'], ...policy });

    expect(await delaysOf(machine, times(errors, 'Odd'))).toEqual({ status: 'SUCCEEDED', delays });
    expect((await delaysOf(machine, times(errors + 1, 'Odd'))).status).toBe('FAILED');
  });

  test('with full jitter waits a part of it', async () => {
    const machine = retrying({ ErrorEquals: ['Odd'], IntervalSeconds: 8, JitterStrategy: 'FULL' });

    expect((await delaysOf(machine, times(2, 'Odd'), () => 0.25)).delays).toEqual([2, 4]);
  });

  test('of no attempts gives up at once, though a later one would take the error', async () => {
    const machine = retrying({ ErrorEquals: ['Final'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] });

    expect(await delaysOf(machine, times(1, 'Final'))).toEqual({ status: 'FAILED', delays: [] });
    expect(await delaysOf(machine, times(1, 'Odd'))).toEqual({ status: 'SUCCEEDED', delays: [1] });
  });

  // The States Language's own example, in "Retrying after error".
  test('counts for itself, over all errors that it takes', async () => {
    const machine = retrying(
      { ErrorEquals: ['ErrorA', 'ErrorB'], IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2 },
      { ErrorEquals: ['ErrorC'], IntervalSeconds: 5 },
    );
    const errors = ['ErrorA', 'ErrorB', 'ErrorC', 'ErrorC'].map((name) => named(name));

    expect(await delaysOf(machine, errors)).toEqual({ status: 'SUCCEEDED', delays: [1, 2, 5, 10] });
    expect((await delaysOf(machine, [...errors, named('ErrorB')])).status).toBe('FAILED');
  });

  test('counts anew when the state is entered again', async () => {
    const again: State = {
      Type: 'Choice',
      Choices: [{ Variable: '$.next', StringEquals: 'again', Next: 'Work' }],
      Default: 'Done',
    };
    const machine = machineOf(
      { Retry: [{ ErrorEquals: ['Odd'], MaxAttempts: 1 }], Next: 'Again', End: undefined },
      { Again: again, Done: done },
    );
    const { host, seen } = hostOf([named('Odd'), { next: 'again' }, named('Odd'), { next: 'on' }]);

    expect((await run(machine, host)).status).toBe('SUCCEEDED');
    expect(seen.sleeps).toEqual([1, 1]);
  });

  test.each([
    ['States.ALL', 'States.Timeout', true],
    ['States.ALL', 'States.Runtime', false],
    ['States.ALL', 'States.DataLimitExceeded', false],
    ['States.TaskFailed', 'Odd', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.Timeout', 'States.Timeout', true],
    ['Odd', 'Other', false],
  ])('of %s and an error %s', async (of, error, isTaken) => {
    const { status } = await delaysOf(retrying({ ErrorEquals: [of] }), [named(error)]);

    expect(status).toBe(isTaken ? 'SUCCEEDED' : 'FAILED');
  });
});

describe('a catcher', () => {
  test('comes after the retriers, keeps the input, and adds the error where it is told to', async () => {
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

  test('gives the function what its parameters say, and ends with what the token brings', async () => {
    const { host, seen } = hostOf(['not looked at'], { tokens: [{ status: 'B' }] });

    expect(await run(waiting(), host)).toEqual({ status: 'SUCCEEDED', output: { status: 'B' } });
    expect(seen.calls).toEqual([['Register', { id: 1, token: 'token1', fixed: 'word' }, 900]]);
    expect(seen.waits).toEqual([['token1', 900_000]]);
  });

  test('ends when its time is over, though its function ended well', async () => {
    const { host } = hostOf(['registered'], { tokens: [named('States.Timeout')] });

    expect(await run(waiting(), host)).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  test('ends with the error of its function, and its token is worth nothing any more', async () => {
    const { host, seen } = hostOf([named('DeadlinePassed')], { tokens: ['late'] });

    expect(await run(waiting(), host)).toMatchObject({ status: 'FAILED', error: 'DeadlinePassed' });
    expect(seen.dropped).toEqual(['token1']);
  });

  test('is resumed by a token that comes before its function has ended', async () => {
    const { host } = hostOf([], { tokens: [{ status: 'B' }] });

    const outcome = await run(waiting(), { ...host, invoke: () => new Promise(() => undefined) });

    expect(outcome).toMatchObject({ output: { status: 'B' } });
  });

  test('has another token for each attempt', async () => {
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

  test('go by what the input says, and pass it on', async () => {
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
  test('of ours is known to the last field', () => {
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
