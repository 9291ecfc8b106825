import type { Instance } from './instance.ts';

/** An idle instance can end. It is a spare one while its function has others. */
type Idle = { end(): void; isSpare(): boolean };

/**
 * Limits the idle instances of all functions together. Above the limit, the spare instance that has been idle
 * for the longest time ends. Without a spare one, any instance may end. Otherwise the spare instances of a
 * burst would end those of the schedules, which would all start anew each minute.
 */
export type IdleLimit = {
  kept(instance: Instance, idle: Idle): void;
  taken(instance: Instance): void;
};

export function idleLimitOf(most: number): IdleLimit {
  // A Map keeps the order of insertion. Its first instance has therefore been idle for the longest time.
  const all = new Map<Instance, Idle>();
  return {
    kept(instance, idle) {
      all.set(instance, idle);
      if (all.size <= most) return;
      const oldest = [...all].find(([, { isSpare }]) => isSpare()) ?? [...all][0];
      if (!oldest) return;
      all.delete(oldest[0]);
      oldest[1].end();
    },
    taken: (instance) => void all.delete(instance),
  };
}
