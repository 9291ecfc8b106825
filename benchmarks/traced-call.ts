/** One call that a function makes to another service. The times are epoch milliseconds. */
export type Call = { invocation: string; name: string; startedAt: number; endedAt: number };

/** The beginning of a log line that reports a call. */
export const CALL_MARK = '@call ';

/**
 * Sequential depth: the number of calls in the longest chain in which each call begins after the call before
 * has ended. The loop always takes the next call that ends first, which gives the longest chain.
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
