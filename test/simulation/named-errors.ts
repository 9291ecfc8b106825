import { Refusal, StepOutcome, Unavailable } from '../../functions/domain/errors.ts';
import type { Violation } from './violation.ts';

/** What a service answers to a call that is right, because of what is there. Its word on a wrong call is not among them. */
const ANSWERED = ['ConditionalCheckFailedException', 'TransactionCanceledException'];
/** What reconciliation ends with where one of many could not be compared: why, the log says, which is judged too. */
const TOLD_BEFORE = /^\d+ comparisons failed: see the log$/;

export type NamedErrors = ReturnType<typeof openNamedErrors>;

/**
 * Everything that repeats hides a plain mistake: a function that always throws a TypeError breaks nothing by that. So each
 * error that leaves a function, or that it logs and goes on, is one that the design names, or one that the world threw.
 */
export function openNamedErrors(report: (violation: Violation) => void) {
  const thrown = new WeakSet<object>();

  /** Whether it is, or says that it comes of, one of those. */
  function isNamed(error: unknown): boolean {
    if (error instanceof Refusal || error instanceof Unavailable || error instanceof StepOutcome) return true;
    return error instanceof Error && (thrown.has(error) || ANSWERED.includes(error.name));
  }

  function say(who: string, scope: string, error: unknown): void {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ invariant: 8, says: `${who}: ${words}`, scope });
  }

  return {
    /** What a service that fails throws at us. */
    note(error: unknown): unknown {
      if (typeof error === 'object' && error !== null) thrown.add(error);
      return error;
    },
    judgeFailure(name: string, scope: string, error: unknown): void {
      const isTold = error instanceof Error && TOLD_BEFORE.test(error.message);
      if (!isTold && !isNamed(error)) say(`${name} failed`, scope, error);
    },
    /** Alarms are plain errors, made for the log. */
    judgeLog(message: string, scope: string, error: unknown): void {
      const isAlarm = error === undefined || (error instanceof Error && error.constructor === Error);
      if (!isAlarm && !isNamed(error)) say(`logged "${message}"`, scope, error);
    },
  };
}
