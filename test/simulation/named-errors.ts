import { Refusal, StepOutcome, Unavailable } from '../../functions/domain/errors.ts';
import type { Violation } from './violation.ts';

/**
 * The exceptions with which a service answers a correct call, because of its data. Its answers to a wrong call are
 * not in the list.
 */
const ANSWERED = ['ConditionalCheckFailedException', 'TransactionCanceledException'];
/**
 * Reconciliation ends with this error when some comparisons failed. The log names the reasons, and the log is judged
 * too.
 */
const TOLD_BEFORE = /^\d+ comparisons failed: see the log$/;

export type NamedErrors = ReturnType<typeof openNamedErrors>;

/**
 * Invariant 8. Repetitions hide a plain mistake: a function that always throws a TypeError breaks no other invariant.
 * Each error that leaves a function or is logged must therefore be one that the design names, or one that the world
 * threw.
 */
export function openNamedErrors(report: (violation: Violation) => void) {
  const thrown = new WeakSet<object>();

  /** True for an error that the design names or that the world threw. */
  function isNamed(error: unknown): boolean {
    if (error instanceof Refusal || error instanceof Unavailable || error instanceof StepOutcome) return true;
    return error instanceof Error && (thrown.has(error) || ANSWERED.includes(error.name));
  }

  function say(who: string, scope: string, error: unknown): void {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ invariant: 8, says: `${who}: ${words}`, scope });
  }

  return {
    /** Records an error that a failing service throws. */
    note(error: unknown): unknown {
      if (typeof error === 'object' && error !== null) thrown.add(error);
      return error;
    },
    judgeFailure(name: string, scope: string, error: unknown): void {
      const isTold = error instanceof Error && TOLD_BEFORE.test(error.message);
      if (!isTold && !isNamed(error)) say(`${name} failed`, scope, error);
    },
    /** Judges a logged error. An alarm is a plain Error that is made for the log, so it is allowed. */
    judgeLog(message: string, scope: string, error: unknown): void {
      const isAlarm = error === undefined || (error instanceof Error && error.constructor === Error);
      if (!isAlarm && !isNamed(error)) say(`logged "${message}"`, scope, error);
    },
  };
}
