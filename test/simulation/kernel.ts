import { createHash } from 'node:crypto';
import { type Entry, openAgenda } from './agenda.ts';
import { bytesOf } from './dice.ts';
import { openEffects } from './effects.ts';
import type { Faults } from './faults.ts';
import { type Ended, never, openTasks, type Task } from './tasks.ts';

type Options = {
  seed: string;
  startAt: number;
  faults: Faults;
  onFailure: (error: unknown) => void;
  keepsLog?: boolean;
};

export type Kernel = ReturnType<typeof openKernel>;

/**
 * The only scheduler. It owns the virtual time and runs one effect at a time. Between two effects it lets all tasks
 * run until each waits.
 */
export function openKernel({ seed, startAt, faults, onFailure, keepsLog = true }: Options) {
  const tasks = openTasks();
  const agenda = openAgenda();
  const counters = new Map<string, number>();
  const digest = createHash('sha256');
  const lines: string[] = [];
  const deaths = { kills: 0, timeouts: 0 };
  let now = startAt;
  let failure: unknown;
  const plan = (ms: number, then: Entry['run']) => agenda.plan(now + ms, then);
  const { effect, counts, performing } = openEffects({
    seed,
    faults,
    tasks,
    plan,
    numberIn,
    note,
    kill,
    onFailure,
    now: () => now,
    onBroken: (error: unknown) => {
      failure ??= error;
    },
  });

  function numberIn(scope: string): number {
    const number = counters.get(scope) ?? 0;
    counters.set(scope, number + 1);
    return number;
  }

  function note(text: string): void {
    const line = `${clockOf(now - startAt)} ${text}`;
    digest.update(line).update('\n');
    if (keepsLog) lines.push(line);
  }

  function wait(ms: number): Promise<void> {
    const task = tasks.current();
    if (!task) return Promise.resolve();
    if (task.isDead) return never();
    tasks.block(task);
    return new Promise((resolve) => {
      plan(Math.ceil(ms), () => {
        if (task.isDead) return;
        tasks.unblock(task);
        resolve();
      });
    });
  }

  function kill(task: Task, end: 'KILLED' | 'TIMED_OUT'): void {
    if (task.isOver || !task.isFunction) return;
    deaths[end === 'KILLED' ? 'kills' : 'timeouts']++;
    tasks.bury(task);
    task.die?.(end);
  }

  type Spawned = { name: string; scope: string; timeoutMs: number; slowMs?: number };

  /** Runs a function of the service as its own task. The task can be killed, and it dies when its time is over. */
  function invoke<Output>({ name, scope, timeoutMs, slowMs }: Spawned, work: () => Promise<Output>) {
    const task = tasks.begin(name, scope, true, slowMs);
    const ended = new Promise<Ended<Output>>((resolve) => {
      const limit = plan(timeoutMs, () => {
        note(`${name}#${task.id} [${scope}] out of time`);
        kill(task, 'TIMED_OUT');
      });
      const end = (ended: Ended<Output>) => {
        limit.isCancelled = true;
        resolve(ended);
      };
      const answer = (ended: Ended<Output>, words?: string) => {
        if (task.isDead) return;
        tasks.close(task);
        if (words) note(`${name}#${task.id} [${scope}] ${words}`);
        end(ended);
      };
      task.die = (how) => end({ end: how });
      tasks.runAs(task, () => {
        work().then(
          (output) => answer({ end: 'DONE', output }),
          (error: unknown) => answer({ end: 'FAILED', error }, `failed: ${nameOf(error)}`),
        );
      });
    });
    return tasks.blocked(ended);
  }

  /** Starts an actor of the world. An error of an actor ends the simulation. */
  function act(name: string, scope: string, work: () => Promise<void>): Task {
    const task = tasks.begin(name, scope, false);
    tasks.runAs(task, () => {
      work().then(
        () => tasks.bury(task),
        (error: unknown) => {
          tasks.bury(task);
          failure ??= error;
        },
      );
    });
    return task;
  }

  async function run(isOver: () => boolean): Promise<void> {
    for (;;) {
      await tasks.settleDown(() => !agenda.isEmpty());
      if (failure !== undefined) throw failure;
      if (isOver()) return;
      const next = agenda.take();
      if (!next) return;
      if (next.at > now) now = next.at;
      await next.run();
    }
  }

  const kernel = {
    now: () => now,
    /** Random bytes of the running task, or of the task whose effect runs. */
    bytes(length: number): Uint8Array<ArrayBuffer> {
      const scope = kernel.scope();
      return bytesOf(length, seed, scope, numberIn(`${scope} bytes`));
    },
    outside: tasks.outside,
    plan,
    /** The name of the task whose effect runs now. */
    performer: () => performing()?.name,
    /** The scope whose random numbers are used now. */
    scope: () => (performing() ?? tasks.current())?.scope ?? 'world',
    /** Stops an actor at its present point, as a lost execution stops. */
    abandon: tasks.bury,
    effect,
    outOfTime: tasks.outOfTime,
    wait,
    blocked: tasks.blocked,
    invoke,
    act,
    note,
    run,
    counts: () => ({ ...counts, ...deaths }),
    lines,
    digest: () => digest.copy().digest('hex'),
  };
  return kernel;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}

/** The days and the time of day since the start. */
function clockOf(ms: number): string {
  const time = new Date(ms).toISOString().slice(11, 23);
  return `${Math.floor(ms / 86_400_000)}d ${time}`;
}
