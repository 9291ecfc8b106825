import { AsyncLocalStorage } from 'node:async_hooks';

/** A running function of the service, or an actor of the world around it. Only functions can be killed. */
export type Task = {
  id: number;
  name: string;
  /** The scope of its random numbers: a purchase, or one run of a schedule. */
  scope: string;
  isFunction: boolean;
  /** The most by which each of its effects is slower than those of other tasks. */
  slowMs: number;
  isDead: boolean;
  /**
   * True once the task has answered. Its calls that it did not await go on, as in a frozen instance that is used
   * again.
   */
  isOver: boolean;
  /** The number of things that the task waits for. */
  open: number;
  /** True while the task waits for work that an earlier call of its instance began, such as the read of a secret. */
  isLeaning: boolean;
  die?: (end: 'KILLED' | 'TIMED_OUT') => void;
};

/** How a function ended. A killed function gives no answer. */
export type Ended<Output> =
  | { end: 'DONE'; output: Output }
  | { end: 'FAILED'; error: unknown }
  | { end: 'KILLED' | 'TIMED_OUT' };

/** A promise that never settles. A dead task waits for it, so it never goes on. */
export const never = () => new Promise<never>(() => undefined);

/** The most turns of the event loop that code may need between two effects. A busy machine also gets `MOST_MS`. */
const MOST_TURNS = 5_000;
const MOST_MS = 200;

export type Tasks = ReturnType<typeof openTasks>;

/** Knows which tasks live, which of them run, and which only wait. */
export function openTasks() {
  const storage = new AsyncLocalStorage<Task>();
  const living = new Set<Task>();
  const real = new Set<Promise<void>>();
  let begun = 0;
  let running = 0;

  function begin(name: string, scope: string, isFunction: boolean, slowMs = 0): Task {
    running++;
    const task: Task = {
      id: ++begun,
      name,
      scope,
      isFunction,
      slowMs,
      isDead: false,
      isOver: false,
      open: 0,
      isLeaning: false,
    };
    living.add(task);
    return task;
  }

  /** Counts a leaning task as running again when it goes on. */
  function standUp(task: Task): void {
    if (task.isLeaning) running++;
    task.isLeaning = false;
  }

  function block(task: Task): void {
    standUp(task);
    if (task.open++ === 0 && !task.isOver) running--;
  }

  function unblock(task: Task): void {
    if (--task.open === 0 && !task.isOver) running++;
  }

  function close(task: Task): void {
    if (task.isOver) return;
    standUp(task);
    if (task.open === 0) running--;
    task.isOver = true;
    living.delete(task);
  }

  function bury(task: Task): void {
    close(task);
    task.isDead = true;
  }

  /** Counts the current task as waiting until the promise settles. */
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

  /**
   * Waits for real work outside of this process, such as a call of anvil. The virtual time stands still until it is
   * done.
   */
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

  /** Waits until no task can go on by itself. Microtasks and a library's turns of the event loop run before that. */
  async function settleDown(isMorePlanned: () => boolean): Promise<void> {
    const since = performance.now();
    for (let turn = 0; turn < MOST_TURNS || performance.now() - since < MOST_MS; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (running === 0) return;
      if (real.size > 0) await Promise.race(real);
    }
    const stuck = [...living].filter(({ open, isLeaning }) => open === 0 && !isLeaning);
    if (!isMorePlanned()) {
      const who = stuck.map(({ name, scope }) => `${name} [${scope}]`);
      throw new Error(`a task waits for something that the scheduler does not know: ${who}`);
    }
    for (const task of stuck) task.isLeaning = true;
    running -= stuck.length;
  }

  return {
    current: () => storage.getStore(),
    /** Runs the work, and everything that follows from it, as this task. */
    runAs: <Answer>(task: Task, work: () => Answer): Answer => storage.run(task, work),
    /** Runs work of the world itself. It is no effect of a function, even when a function's call leads to it. */
    outside: <Answer>(work: () => Promise<Answer>): Promise<Answer> => storage.exit(work),
    begin,
    block,
    unblock,
    /** The task has answered. Its unfinished work may go on. */
    close,
    /** The task never goes on. */
    bury,
    blocked,
    outOfTime,
    settleDown,
  };
}
