import type { IdleLimit } from './idle-limit.ts';
import type { Instance } from './instance.ts';

export type Instances = {
  take(): Promise<Instance>;
  giveBack(instance: Instance): void;
  stop(): Promise<void>;
};

/**
 * The most instances of one function. Lambda starts one for each event at once. On this machine more instances
 * would only wait for each other.
 */
const MOST_INSTANCES = 10;
/**
 * The milliseconds that an event waits for a busy instance before a new one starts. Lambda starts a new one
 * at once. On this machine a start costs more than a short wait.
 */
const WAIT_BEFORE_START_MS = 100;

/** The instances of one function. */
export function instancesOf(start: () => Instance, limit: IdleLimit): Instances {
  const live = new Set<Instance>();
  const idle: Instance[] = [];
  const line = openLine();
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
      return line.join(() => (live.size < MOST_INSTANCES ? startOne() : undefined));
    },
    giveBack(instance) {
      if (isStopping) return;
      if (!instance.dead) {
        if (!line.serve(() => instance)) keepIdle(instance);
        return;
      }
      void end(instance);
      line.serve(startOne);
    },
    async stop() {
      isStopping = true;
      line.close();
      await Promise.all([...live].map(({ worker }) => worker.terminate()));
    },
  };
}

type Waiting = { resolve: (instance: Instance) => void; timer: NodeJS.Timeout };

/** The events that wait for an instance, in the order in which they came. */
function openLine() {
  const waiting: Waiting[] = [];
  return {
    /** Waits for an instance. After a while it takes the one that `startOne` starts, if that starts one. */
    join(startOne: () => Instance | undefined): Promise<Instance> {
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          const started = startOne();
          if (!started) return;
          waiting.splice(waiting.indexOf(entry), 1);
          resolve(started);
        }, WAIT_BEFORE_START_MS);
        const entry = { resolve, timer };
        waiting.push(entry);
      });
    },
    /** Gives an instance to the first event. False if none waits. */
    serve(find: () => Instance): boolean {
      const next = waiting.shift();
      if (!next) return false;
      clearTimeout(next.timer);
      next.resolve(find());
      return true;
    },
    close(): void {
      for (const { timer } of waiting) clearTimeout(timer);
    },
  };
}
