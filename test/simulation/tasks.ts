import { AsyncLocalStorage } from 'node:async_hooks';

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
  /** Waits for what a former call of its instance has begun, such as a secret that is being read. */
  isLeaning: boolean;
  die?: (end: 'KILLED' | 'TIMED_OUT') => void;
};

/** How a function ended. What is killed answers nobody. */
export type Ended<Output> =
  | { end: 'DONE'; output: Output }
  | { end: 'FAILED'; error: unknown }
  | { end: 'KILLED' | 'TIMED_OUT' };

/** Of who can wait no longer: whatever is awaited there never goes on. */
export const never = () => new Promise<never>(() => undefined);

/** So many turns of the event loop code may need between two effects, and so long on a machine that is busy. */
const MOST_TURNS = 5_000;
const MOST_MS = 200;

export type Tasks = ReturnType<typeof openTasks>;

/** Who is there, who of them runs, and who only waits. */
export function openTasks() {
  const storage = new AsyncLocalStorage<Task>();
  const living = new Set<Task>();
  const real = new Set<Promise<void>>();
  let begun = 0;
  let running = 0;

  function begin(name: string, scope: string, isFunction: boolean, slowMs = 0): Task {
    running++;
    const task: Task = {
      ...{ id: ++begun, name, scope, isFunction, slowMs },
      ...{ isDead: false, isOver: false, open: 0, isLeaning: false },
    };
    living.add(task);
    return task;
  }

  /** It goes on: whatever it does next tells. */
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
    /** Runs as the task, with everything that it goes on to do. */
    runAs: <Answer>(task: Task, work: () => Answer): Answer => storage.run(task, work),
    /** What the world does by itself, whoever's task it is part of: no effect of any function. */
    outside: <Answer>(work: () => Promise<Answer>): Promise<Answer> => storage.exit(work),
    begin,
    block,
    unblock,
    /** Has answered, and may go on with what it left. */
    close,
    /** Never goes on. */
    bury,
    blocked,
    outOfTime,
    settleDown,
  };
}
