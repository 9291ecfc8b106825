import type { Worker } from 'node:worker_threads';
import type { Fields } from './wire.ts';

/**
 * One running copy of a function. `ready` resolves when its start has ended, with the error if the start
 * failed.
 */
export type Instance = {
  worker: Worker;
  ready: Promise<Fields | undefined>;
  dead: boolean;
  /** Called before each event, because an idle instance is frozen. */
  thaw: () => void;
};

export type Instances = {
  take(): Promise<Instance>;
  giveBack(instance: Instance): void;
  stop(): Promise<void>;
};

const MOST_INSTANCES = 10;
/**
 * The milliseconds that an event waits for a busy instance before a new one starts. Lambda starts a new one
 * at once. On this machine a start costs more than a short wait.
 */
const WAIT_BEFORE_START_MS = 100;

/** An idle instance can end. It is a spare one while its function has others. */
type Idle = { end(): void; isSpare(): boolean };

/**
 * Limits the idle instances of all functions together. Above the limit, the spare instance that has been idle
 * for the longest time ends. Without a spare one, any instance may end. Otherwise the spare instances of a
 * burst would end those of the schedules, which would all start anew each minute.
 */
type IdleLimit = {
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

type Waiting = { resolve: (instance: Instance) => void; timer: NodeJS.Timeout };

/** The instances of one function. */
export function instancesOf(start: () => Instance, limit: IdleLimit): Instances {
  const live = new Set<Instance>();
  const idle: Instance[] = [];
  const waiting: Waiting[] = [];
  let isStopping = false;

  function startOne(): Instance {
    const instance = start();
    live.add(instance);
    return instance;
  }

  function end(instance: Instance): Promise<number> {
    live.delete(instance);
    return instance.worker.terminate();
  }

  function takeIdle(): Instance | undefined {
    for (let last = idle.pop(); last; last = idle.pop()) {
      limit.taken(last);
      if (!last.dead) return last;
      live.delete(last);
    }
    return undefined;
  }

  function handOver(instance: Instance): boolean {
    const next = waiting.shift();
    if (!next) return false;
    clearTimeout(next.timer);
    next.resolve(instance);
    return true;
  }

  function keepIdle(instance: Instance): void {
    idle.push(instance);
    limit.kept(instance, { end: () => endIdle(instance), isSpare: () => live.size > 1 });
  }

  function endIdle(instance: Instance): void {
    idle.splice(idle.indexOf(instance), 1);
    void end(instance);
  }

  return {
    async take() {
      const free = takeIdle();
      if (free) return free;
      if (live.size === 0) return startOne();
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          if (live.size >= MOST_INSTANCES) return;
          waiting.splice(waiting.indexOf(entry), 1);
          resolve(startOne());
        }, WAIT_BEFORE_START_MS);
        const entry = { resolve, timer };
        waiting.push(entry);
      });
    },
    giveBack(instance) {
      if (isStopping) return;
      if (!instance.dead) {
        if (!handOver(instance)) keepIdle(instance);
        return;
      }
      void end(instance);
      if (waiting.length > 0) handOver(startOne());
    },
    async stop() {
      isStopping = true;
      for (const { timer } of waiting) clearTimeout(timer);
      await Promise.all([...live].map(({ worker }) => worker.terminate()));
    },
  };
}
