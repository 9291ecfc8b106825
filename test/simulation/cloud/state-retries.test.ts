import { describe, expect, test } from 'vitest';
import type { State, StateMachine, Task } from './state-definition.ts';
import { type Answer, done, hostOf, machineOf, named, run, times } from './state-fixtures.ts';

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

  test('with full jitter waits a part of its delay', async () => {
    const machine = retrying({ ErrorEquals: ['Odd'], IntervalSeconds: 8, JitterStrategy: 'FULL' });

    expect((await delaysOf(machine, times(2, 'Odd'), () => 0.25)).delays).toEqual([2, 4]);
  });

  test('of no attempts gives up at once, though a later one would take the error', async () => {
    const machine = retrying({ ErrorEquals: ['Final'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] });

    expect(await delaysOf(machine, times(1, 'Final'))).toEqual({ status: 'FAILED', delays: [] });
    expect(await delaysOf(machine, times(1, 'Odd'))).toEqual({ status: 'SUCCEEDED', delays: [1] });
  });

  // The example is that of the States Language, "Retrying after error".
  test('has its own count, over all errors that it takes', async () => {
    const machine = retrying(
      { ErrorEquals: ['ErrorA', 'ErrorB'], IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2 },
      { ErrorEquals: ['ErrorC'], IntervalSeconds: 5 },
    );
    const errors = ['ErrorA', 'ErrorB', 'ErrorC', 'ErrorC'].map((name) => named(name));

    expect(await delaysOf(machine, errors)).toEqual({ status: 'SUCCEEDED', delays: [1, 2, 5, 10] });
    expect((await delaysOf(machine, [...errors, named('ErrorB')])).status).toBe('FAILED');
  });

  test('starts its count again when the state is entered again', async () => {
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
