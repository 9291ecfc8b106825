import { describe, expect, test } from 'vitest';
import { outagesOf } from '../../functions/domain/purchase/story-outages.ts';

type Event = { type: string; details?: object };
const entered = (name: string, type = 'TaskStateEntered'): Event => ({ type, details: { name } });
const failed = (message: string, error = 'Unavailable'): Event => ({
  type: 'LambdaFunctionFailed',
  details: { error, cause: { errorMessage: message, trace: ['secret place'] } },
});
const SUCCEEDED: Event = { type: 'LambdaFunctionSucceeded' };
const DOWN = failed('the wallet screening provider is unavailable');
const AGAIN = [entered('LookAgain', 'WaitStateEntered'), entered('WhatNow', 'ChoiceStateEntered')];
const CHECK = entered('CheckWalletRisk');

/** The events happen in their order, one in each second. */
function outagesIn(...events: Event[]) {
  const dated = events.map((event, second) => ({ ...event, at: new Date(second * 1000).toISOString() }));
  return outagesOf({ events: dated });
}

const VENDOR = { step: 'CheckWalletRisk', message: 'the wallet screening provider is unavailable' };

// docs/decisions.md, "Facts that partners learn"
describe('the past outages of an execution', () => {
  test('are series of equal failures, from the first one until the step went on', () => {
    expect(outagesIn(CHECK, DOWN, DOWN, DOWN, SUCCEEDED, entered('ConfirmPixPayment'))).toEqual([
      { ...VENDOR, from: 1000, to: 4000, times: 3 },
    ]);
  });

  test('go on while the machine pauses and visits the step again', () => {
    expect(outagesIn(CHECK, DOWN, ...AGAIN, CHECK, DOWN, SUCCEEDED)).toEqual([
      { ...VENDOR, from: 1000, to: 6000, times: 2 },
    ]);
  });

  test('leave out a series that still lasts', () => {
    expect(outagesIn(CHECK, DOWN, DOWN, ...AGAIN)).toEqual([]);
    expect(outagesIn(CHECK, DOWN, DOWN, ...AGAIN, CHECK)).toEqual([]);
  });

  test('end when the execution ends', () => {
    expect(outagesIn(CHECK, DOWN, { type: 'ExecutionAborted' })).toEqual([
      { ...VENDOR, from: 1000, to: 2000, times: 1 },
    ]);
  });

  test('are told apart by step and message', () => {
    const other = failed('chain RPC is unavailable');

    const found = outagesIn(
      CHECK,
      DOWN,
      other,
      other,
      SUCCEEDED,
      entered('SettleStablecoin'),
      other,
      SUCCEEDED,
    );

    expect(found.map(({ step, message, times }) => [step, message.split(' ')[0], times])).toEqual([
      ['CheckWalletRisk', 'the', 1],
      ['CheckWalletRisk', 'chain', 2],
      ['SettleStablecoin', 'chain', 1],
    ]);
  });

  test.each(['ReviewPending', 'NotYetConfirmed', 'AwaitingDepth', 'PAYER_MISMATCH', 'States.Timeout'])(
    'have no %s, which is a normal outcome of a step, and which ends a series',
    (error) => {
      expect(outagesIn(CHECK, failed('a reviewer must decide', error), SUCCEEDED)).toEqual([]);
      expect(outagesIn(CHECK, DOWN, failed('it answered', error))).toEqual([
        { ...VENDOR, from: 1000, to: 2000, times: 1 },
      ]);
    },
  );

  test.each(['Lambda.TooManyRequestsException', 'TypeError'])(
    'have a failure of AWS or of our code: %s',
    (error) => {
      expect(outagesIn(CHECK, failed('broken\nhere', error), SUCCEEDED)).toMatchObject([
        { message: 'broken here' },
      ]);
    },
  );

  test('take a cause that is no JSON as it is', () => {
    const cut: Event = {
      type: 'TaskFailed',
      details: { error: 'Unavailable', cause: '{"errorMessage":"cut' },
    };

    expect(outagesIn(CHECK, cut, SUCCEEDED)).toMatchObject([{ message: '{"errorMessage":"cut' }]);
  });
});
