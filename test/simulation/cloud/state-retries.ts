import { matches, type Retrier } from './state-definition.ts';

/** The counters of one visit to a state. Each retrier counts all errors that it takes together. */
export type RetryState = {
  /**
   * Seconds until the next attempt. Undefined when the first retrier that takes the error has no attempt left, or
   * none takes it.
   */
  delayAfter(error: string): number | undefined;
};

/** The defaults of the States Language, "Retrying after error". */
const DEFAULTS = { IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 3 };

export function retryState(retriers: readonly Retrier[], jitter: () => number): RetryState {
  const used = new Map<Retrier, number>();
  return {
    delayAfter(error) {
      const retrier = retriers.find(({ ErrorEquals }) => matches(ErrorEquals, error));
      if (!retrier) return undefined;
      const attempts = used.get(retrier) ?? 0;
      if (attempts >= (retrier.MaxAttempts ?? DEFAULTS.MaxAttempts)) return undefined;
      used.set(retrier, attempts + 1);
      return delayOf(retrier, attempts, jitter);
    },
  };
}

function delayOf(retrier: Retrier, attempts: number, jitter: () => number): number {
  const { IntervalSeconds, BackoffRate } = { ...DEFAULTS, ...retrier };
  const longest = Math.min(
    IntervalSeconds * BackoffRate ** attempts,
    retrier.MaxDelaySeconds ?? Number.POSITIVE_INFINITY,
  );
  return retrier.JitterStrategy === 'FULL' ? longest * jitter() : longest;
}
