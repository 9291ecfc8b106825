import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type Entry, openAgenda } from './agenda.ts';
import { bytesOf, chance } from './dice.ts';
import type { Fault, Faults } from './faults.ts';

/** Something that runs: a function of ours, or an actor of the world around it, which nothing kills. */
export type Task = {
  id: number;
  name: string;
  /** Whose dice it throws: a purchase, or one run of a schedule. */
  scope: string;
  isFunction: boolean;
  /** By up to so much each of its effects is later than those of others. */
  slowMs: number;
  isDead: boolean;
  /** Has answered. What it left unawaited goes on, as it does when a frozen instance is used again. */
  isOver: boolean;
  /** What it waits for. */
  open: number;
  die?: (end: 'KILLED' | 'TIMED_OUT') => void;
};

/** How a function ended. What is killed answers nobody. */
export type Ended<Output> =
  | { end: 'DONE'; output: Output }
  | { end: 'FAILED'; error: unknown }
  | { end: 'KILLED' | 'TIMED_OUT' };

/** One effect upon the outside: which service, what is done, about what, and how the service fails. */
export type Call = {
  service: 'dynamodb' | 'kms' | 'sfn' | 'sqs' | 'pix' | 'rpc' | 'webhook';
  name: string;
  about: string;
  /** Whether it changes nothing. */
  isRead: boolean;
  /** What the caller is thrown: the service did nothing, or nobody knows. */
  failure: (fault: Fault) => unknown;
  /** What cannot happen to it. */
  never?: readonly Fault[];
  /** What the service answered before; undefined where it knows no other answer. */
  stale?: () => unknown;
};

type Options = { seed: string; startAt: number; faults: Faults; keepsLog?: boolean };

/** So many turns of the event loop code may need between two effects. */
const MOST_TURNS = 5_000;
const never = () => new Promise<never>(() => undefined);

export type Kernel = ReturnType<typeof openKernel>;

/**
 * The one scheduler: virtual time, one effect at a time, and between two effects everything runs until it waits. When an
 * effect happens, and whether it goes wrong, follows from the seed, its scope and its number within that scope.
 */
export function openKernel({ seed, startAt, faults, keepsLog = true }: Options) {
  const storage = new AsyncLocalStorage<Task>();
  const agenda = openAgenda();
  const counters = new Map<string, number>();
  const digest = createHash('sha256');
  const lines: string[] = [];
  const counts = { effects: 0, kills: 0, timeouts: 0 };
  let now = startAt;
  let tasks = 0;
  let running = 0;
  let performing: Task | undefined;
  const real = new Set<Promise<void>>();
  const living = new Set<Task>();
  let failure: unknown;

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

  function block(task: Task): void {
    if (task.open++ === 0 && !task.isOver) running--;
  }

  function unblock(task: Task): void {
    if (--task.open === 0 && !task.isOver) running++;
  }

  function bury(task: Task): void {
    close(task);
    task.isDead = true;
  }

  function close(task: Task): void {
    if (task.isOver) return;
    if (task.open === 0) running--;
    task.isOver = true;
    living.delete(task);
  }

  function newTask(name: string, scope: string, isFunction: boolean, slowMs = 0): Task {
    running++;
    const task: Task = {
      ...{ id: ++tasks, name, scope, isFunction, slowMs },
      ...{ isDead: false, isOver: false, open: 0 },
    };
    living.add(task);
    return task;
  }

  /** What the current task waits for until the promise settles. */
  async function blocked<Answer>(promise: Promise<Answer>): Promise<Answer> {
    const task = storage.getStore();
    if (!task) return promise;
    block(task);
    try {
      return await promise;
    } finally {
      unblock(task);
    }
  }

  function wait(ms: number): Promise<void> {
    const task = storage.getStore();
    if (!task) return Promise.resolve();
    if (task.isDead) return never();
    block(task);
    return new Promise((resolve) => {
      agenda.plan(now + Math.ceil(ms), () => {
        if (task.isDead) return;
        unblock(task);
        resolve();
      });
    });
  }

  /** Queues one effect of the current task. Its instant and its fault are decided here, so they cannot depend on others. */
  function effect<Answer>(call: Call, run: () => Answer | Promise<Answer>): Promise<Answer> {
    const task = storage.getStore();
    if (!task) return Promise.resolve().then(run);
    if (task.isDead) return never();
    const number = numberIn(task.scope);
    const fault = faults.decide(task, call, { number, now });
    const slowMs = Math.floor(chance(seed, task.scope, number, 'slow') * task.slowMs);
    const latency = 5 + Math.floor(chance(seed, task.scope, number, 'latency') ** 3 * 400) + slowMs;
    block(task);
    return new Promise<Answer>((resolve, reject) => {
      const settle = (act: () => void) => {
        if (task.isDead) return;
        unblock(task);
        act();
      };
      const perform = () => performEffect({ task, call, number, fault, run }, resolve, reject, settle);
      agenda.plan(now + latency + faults.delayOf(fault, task.scope, number), perform);
    });
  }

  type Effect<Answer> = {
    task: Task;
    number: number;
    call: Call;
    fault: Fault | undefined;
    run: () => Answer | Promise<Answer>;
  };

  async function performEffect<Answer>(
    { task, call, number, fault: decided, run }: Effect<Answer>,
    resolve: (answer: Answer) => void,
    reject: (error: unknown) => void,
    settle: (act: () => void) => void,
  ): Promise<void> {
    // Nobody is there any more who could be killed.
    const fault = task.isOver && decided?.startsWith('KILL') ? undefined : decided;
    if (task.isDead && fault !== 'LATE') return;
    const land = async () => {
      counts.effects++;
      performing = task;
      try {
        return { answer: await run() };
      } catch (error) {
        return { error };
      } finally {
        performing = undefined;
      }
    };
    const told = (words: string) =>
      note(`${task.name}#${task.id} [${task.scope}] ${call.service} ${call.name} ${call.about} ${words}`);
    const landLater = () => {
      const number = numberIn(task.scope);
      agenda.plan(now + 4000 + Math.floor(chance(seed, task.scope, number, 'late') * 90_000), async () => {
        told(`landed late: ${wordOf(await land())}`);
      });
    };
    if (fault === 'KILL_BEFORE') {
      // What was under way when its caller died may still arrive.
      const isUnderWay = !call.isRead && chance(seed, task.scope, number, 'under way') < 0.3;
      told(isUnderWay ? 'killed, still under way' : 'killed before');
      if (isUnderWay) landLater();
      return kill(task, 'KILLED');
    }
    if (fault === 'FAIL' || fault === 'THROTTLE' || fault === 'CONFLICT') {
      told(`refused: ${fault}`);
      return settle(() => reject(call.failure(fault)));
    }
    if (fault === 'LATE') {
      told('no answer in time, lands later');
      landLater();
      return settle(() => reject(call.failure('LATE')));
    }
    if (fault === 'STALE') {
      const old = call.stale?.();
      if (old !== undefined) {
        told('answered as before');
        return settle(() => resolve(old as Answer));
      }
    }
    let landed = await land();
    if (fault === 'TWICE') landed = await land();
    if (fault === 'KILL_AFTER') {
      told(`${wordOf(landed)}, killed after`);
      return kill(task, 'KILLED');
    }
    if (fault === 'LOSE') {
      told(`${wordOf(landed)}, answer lost`);
      return settle(() => reject(call.failure('LOSE')));
    }
    told(fault === undefined || fault === 'STALE' ? wordOf(landed) : `${wordOf(landed)} (${fault})`);
    settle(() => ('error' in landed ? reject(landed.error) : resolve(landed.answer)));
  }

  function kill(task: Task, end: 'KILLED' | 'TIMED_OUT'): void {
    if (task.isOver || !task.isFunction) return;
    counts[end === 'KILLED' ? 'kills' : 'timeouts']++;
    bury(task);
    task.die?.(end);
  }

  type Spawned = { name: string; scope: string; timeoutMs: number; slowMs?: number };

  /** Runs a function of ours as a task of its own, which may be killed, and dies by itself when its time is over. */
  function invoke<Output>({ name, scope, timeoutMs, slowMs }: Spawned, work: () => Promise<Output>) {
    const task = newTask(name, scope, true, slowMs);
    const ended = new Promise<Ended<Output>>((resolve) => {
      const limit: Entry = agenda.plan(now + timeoutMs, () => {
        note(`${name}#${task.id} [${scope}] out of time`);
        kill(task, 'TIMED_OUT');
      });
      const end = (ended: Ended<Output>) => {
        limit.isCancelled = true;
        resolve(ended);
      };
      task.die = (how) => end({ end: how });
      storage.run(task, () => {
        work().then(
          (output) => {
            if (task.isDead) return;
            close(task);
            end({ end: 'DONE', output });
          },
          (error: unknown) => {
            if (task.isDead) return;
            close(task);
            note(
              `${name}#${task.id} [${scope}] failed: ${error instanceof Error ? error.name : String(error)}`,
            );
            end({ end: 'FAILED', error });
          },
        );
      });
    });
    return blocked(ended);
  }

  /** Starts an actor of the world. What it throws ends the simulation. */
  function act(name: string, scope: string, work: () => Promise<void>): Task {
    const task = newTask(name, scope, false);
    storage.run(task, () => {
      work().then(
        () => bury(task),
        (error: unknown) => {
          bury(task);
          failure ??= error;
        },
      );
    });
    return task;
  }

  /** Real work outside of this process, such as a call of the chain's: time stands still until it is done. */
  async function outOfTime<Answer>(work: Promise<Answer>): Promise<Answer> {
    const done = work.then(
      () => undefined,
      () => undefined,
    );
    real.add(done);
    try {
      return await work;
    } finally {
      real.delete(done);
    }
  }

  /** Until nothing can go on by itself: microtasks, and turns of the loop that a library takes. */
  async function settleDown(): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (running === 0) return;
      if (real.size > 0) await Promise.race(real);
    }
    const stuck = [...living].filter(({ open }) => open === 0).map(({ name, scope }) => `${name} [${scope}]`);
    throw new Error(`a task waits for something that the scheduler does not know: ${stuck}`);
  }

  async function run(isOver: () => boolean): Promise<void> {
    for (;;) {
      await settleDown();
      if (failure !== undefined) throw failure;
      if (isOver()) return;
      const next = agenda.take();
      if (!next) return;
      if (next.at > now) now = next.at;
      await next.run();
    }
  }

  return {
    now: () => now,
    /** As the task that runs now, or whose effect happens, would throw them. */
    bytes(length: number): Uint8Array<ArrayBuffer> {
      const scope = (performing ?? storage.getStore())?.scope ?? 'world';
      return bytesOf(length, seed, scope, numberIn(`${scope} bytes`));
    },
    /** What the world does by itself, whoever's task it is part of: no effect of any function. */
    outside: <Answer>(work: () => Promise<Answer>): Promise<Answer> => storage.exit(work),
    plan: (ms: number, then: Entry['run']) => agenda.plan(now + ms, then),
    /** Ends an actor where it is, as a lost execution ends. */
    abandon: bury,
    effect,
    outOfTime,
    wait,
    blocked,
    invoke,
    act,
    note,
    run,
    counts,
    lines,
    digest: () => digest.copy().digest('hex'),
  };
}

function wordOf(landed: { answer: unknown } | { error: unknown }): string {
  if (!('error' in landed)) return 'done';
  const { error } = landed;
  return error instanceof Error ? error.name : 'failed';
}

/** Days and the time of day since the beginning. */
function clockOf(ms: number): string {
  const time = new Date(ms).toISOString().slice(11, 23);
  return `${Math.floor(ms / 86_400_000)}d ${time}`;
}
