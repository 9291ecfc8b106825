import type { Execution } from './task-run.ts';

type Seen = Pick<Execution, 'startedAt' | 'stoppedAt' | 'status'>;

/**
 * An execution as DescribeExecution shows it, `lagMs` milliseconds late. For that time after its start the
 * result is undefined, and for that time after its end the execution is still RUNNING. Source: AWS,
 * DescribeExecution: "The results are best effort and may not reflect very recent updates and changes."
 */
export function seenLate<One extends Seen>(execution: One, lagMs: number, nowMs: number): One | undefined {
  const isRecent = (seconds: number) => nowMs - seconds * 1000 < lagMs;
  if (isRecent(execution.startedAt)) return undefined;
  if (execution.stoppedAt === undefined || !isRecent(execution.stoppedAt)) return execution;
  return {
    ...execution,
    status: 'RUNNING',
    stoppedAt: undefined,
    output: undefined,
    error: undefined,
    cause: undefined,
  };
}
