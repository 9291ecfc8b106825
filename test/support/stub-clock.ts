import type { Clock } from '../../functions/domain/ports.ts';

/** A clock that stands still until the test moves it. */
export function stubClock(at: string): Clock & { advance(ms: number): void } {
  let now = Date.parse(at);
  return {
    now: () => now,
    minuteMs: 60_000,
    advance: (ms) => {
      now += ms;
    },
  };
}
