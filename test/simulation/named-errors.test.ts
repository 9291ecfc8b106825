import { describe, expect, it } from 'vitest';
import { refuse, StepOutcome, Unavailable } from '../../functions/domain/errors.ts';
import { openNamedErrors } from './named-errors.ts';
import type { Violation } from './violation.ts';

function open() {
  const seen: Violation[] = [];
  return { errors: openNamedErrors((violation) => seen.push(violation)), seen };
}

function refused(): unknown {
  try {
    return refuse('CLIENT_BLOCKED');
  } catch (error) {
    return error;
  }
}

describe('an error that leaves a function', () => {
  it('is allowed when the design names it, or a service threw it', () => {
    const { errors, seen } = open();
    const lost = errors.note(new TypeError('fetch failed'));
    const named = [refused(), new Unavailable('KMS'), new StepOutcome('CheckAgain', 'old'), lost];

    for (const error of named) errors.judgeFailure('SettleStablecoin', 'p1', error);

    expect(seen).toEqual([]);
  });

  it.each([
    new TypeError('fetch failed'),
    new RangeError('Invalid time value'),
    new Error('the row is not as it was'),
    Object.assign(new Error('a word is unknown'), { name: 'ValidationException' }),
    'a word',
    undefined,
  ])('is reported with its whole text when it is %s', (error) => {
    const { errors, seen } = open();

    errors.judgeFailure('SettleStablecoin', 'p1', error);

    expect(seen).toMatchObject([{ invariant: 8, scope: 'p1' }]);
    expect(seen[0]!.says).toContain('SettleStablecoin failed');
    if (error instanceof Error) expect(seen[0]!.says).toContain(error.stack);
  });
});

describe('an error that a function logs to go on without it', () => {
  it('may be an alarm', () => {
    const { errors, seen } = open();

    errors.judgeLog('treasury is low', 'ReadTreasuryFloat/1', new Error('soon all are refused'));
    errors.judgeLog('settlement needs attention', 'p1', undefined);

    expect(seen).toEqual([]);
  });

  it('may not be a mistake', () => {
    const { errors, seen } = open();

    errors.judgeLog(
      'return of unmatched payments failed',
      'ReturnUnmatchedPayments/1',
      new TypeError('drive is not a function'),
    );

    expect(seen).toMatchObject([{ invariant: 8, scope: 'ReturnUnmatchedPayments/1' }]);
  });
});
