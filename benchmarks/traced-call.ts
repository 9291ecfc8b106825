/** One call of a function to the outside. The times are epoch milliseconds. */
export type Call = { invocation: string; name: string; startedAt: number; endedAt: number };

/** The begin of a line that reports a call among a function's log lines. */
export const CALL_MARK = '@call ';

/**
 * Sequential depth: the length of the longest chain of calls each of which began after the former had ended. The chain
 * that always takes the call which ends next is the longest.
 */
export function depthOf(calls: readonly Pick<Call, 'startedAt' | 'endedAt'>[]): number {
  let depth = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of [...calls].sort((one, other) => one.endedAt - other.endedAt)) {
    if (startedAt < end) continue;
    depth++;
    end = endedAt;
  }
  return depth;
}
