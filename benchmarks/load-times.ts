/**
 * Computes how long a purchase stays in each state, from the histories of the executions. Times are
 * milliseconds.
 */
import type { HistoryEvent } from '@aws-sdk/client-sfn';

/**
 * One stay of an execution in a state. `calls` has the time of each call of the state's function. `totalMs`
 * is the whole time, with the waits between the calls.
 */
export type Stay = { state: string; calls: number[]; totalMs: number };

const ENDS = ['LambdaFunctionSucceeded', 'LambdaFunctionFailed', 'LambdaFunctionTimedOut'];
/**
 * The events that end a function's call in a state that waits for a callback. After `TaskSubmitted` the call
 * has ended, but the state still waits.
 */
const WAIT_ENDS = ['TaskSubmitted', 'TaskFailed'];

export function staysIn(history: readonly HistoryEvent[]): Stay[] {
  const stays: Stay[] = [];
  let stay: (Stay & { enteredAt: number }) | undefined;
  let calledAt: number | undefined;
  for (const { type = '', timestamp, stateEnteredEventDetails: entered } of history) {
    const at = timestamp?.getTime() ?? 0;
    if (entered?.name) stay = { state: entered.name, calls: [], totalMs: 0, enteredAt: at };
    if (type === 'LambdaFunctionScheduled' || type === 'TaskScheduled') calledAt = at;
    if (stay && calledAt !== undefined && [...ENDS, ...WAIT_ENDS].includes(type)) {
      stay.calls.push(at - calledAt);
      calledAt = undefined;
    }
    if (stay && type.endsWith('StateExited')) {
      const { enteredAt, ...rest } = stay;
      stays.push({ ...rest, totalMs: at - enteredAt });
      stay = undefined;
    }
  }
  return stays;
}

/**
 * Returns the smallest of the values that at least `share` (0 to 1) of all values do not exceed. Returns 0 if
 * there are no values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const seconds = (ms: number) => (ms / 1000).toFixed(2).padStart(9);

/** Makes a line of text: a name, the number of values, and their median and 95th percentile in seconds. */
export function lineOf(name: string, values: readonly number[]): string {
  const figures = [quantile(values, 0.5), quantile(values, 0.95)].map(seconds).join('');
  return `${name.padEnd(22)}${String(values.length).padStart(7)}${figures}`;
}

/**
 * Makes one line of text for each state: the stays, the calls, the seconds of a call, and the seconds of
 * waiting between calls.
 */
export function stateLines(stays: readonly Stay[]): string[] {
  const names = [...new Set(stays.map(({ state }) => state))];
  return names.map((name) => {
    const own = stays.filter(({ state }) => state === name);
    const calls = own.flatMap((stay) => stay.calls);
    const waits = own.map((stay) => stay.totalMs - sumOf(stay.calls));
    const waited = [quantile(waits, 0.5), quantile(waits, 0.95)].map(seconds).join('');
    return `${lineOf(name, calls)}${waited}`;
  });
}
