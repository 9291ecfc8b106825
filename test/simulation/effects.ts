import type { Entry } from './agenda.ts';
import type { Call, Fault } from './call.ts';
import { chance } from './dice.ts';
import type { Faults } from './faults.ts';
import { never, type Task, type Tasks } from './tasks.ts';

type Effect<Answer> = {
  task: Task;
  number: number;
  call: Call;
  fault: Fault | undefined;
  run: () => Answer | Promise<Answer>;
};
type Landed<Answer> = { answer: Answer } | { error: unknown };
type Caller<Answer> = {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
  /** Continues the caller, unless it is dead. */
  settle: (act: () => void) => void;
};

type Options = {
  seed: string;
  faults: Faults;
  tasks: Tasks;
  now: () => number;
  plan: (ms: number, then: Entry['run']) => Entry;
  /** The next number of a scope. The random numbers of an effect depend on it. */
  numberIn: (scope: string) => number;
  note: (text: string) => void;
  kill: (task: Task, end: 'KILLED') => void;
  /** Called with each error that a failing service throws. */
  onFailure: (error: unknown) => void;
  /** Called when the simulated world itself has a bug. Such an error is no answer of a service. */
  onBroken: (error: unknown) => void;
};

/** Most latencies are short. This is the longest. */
const LONGEST_LATENCY_MS = 400;
const LATE_AFTER_MS = 4000;
const LATE_WITHIN_MS = 90_000;
/** Within this time the SDK or a proxy repeats a request that got no answer. */
const REPEATED_WITHIN_MS = 2500;
/** The share of writes that still reach the service although their caller dies before it sends them. */
const UNDER_WAY_SHARE = 0.3;

/**
 * Runs one effect at a time. Its instant and its fault depend only on the seed, its scope and its number in the
 * scope.
 */
export function openEffects({
  seed,
  faults,
  tasks,
  now,
  plan,
  numberIn,
  note,
  kill,
  onFailure,
  onBroken,
}: Options) {
  const counts = { effects: 0 };
  let performing: Task | undefined;

  /**
   * Queues one effect of the current task. Its instant and its fault are decided here, so other effects cannot change
   * them.
   */
  function effect<Answer>(call: Call, run: () => Answer | Promise<Answer>): Promise<Answer> {
    const task = tasks.current();
    if (!task) return Promise.resolve().then(run);
    if (task.isDead) return never();
    const number = numberIn(task.scope);
    const fault = faults.decide(task, call, { number, now: now() });
    const slowMs = Math.floor(chance(seed, task.scope, number, 'slow') * task.slowMs);
    const share = chance(seed, task.scope, number, 'latency') ** 3;
    const latency = 5 + Math.floor(share * LONGEST_LATENCY_MS) + slowMs;
    tasks.block(task);
    return new Promise<Answer>((resolve, reject) => {
      const settle = (act: () => void) => {
        if (task.isDead) return;
        tasks.unblock(task);
        act();
      };
      plan(latency + faults.delayOf(fault, task.scope, number), () =>
        perform({ task, call, number, fault, run }, { resolve, reject, settle }),
      );
    });
  }

  async function perform<Answer>(effect: Effect<Answer>, caller: Caller<Answer>): Promise<void> {
    const { task, fault: decided } = effect;
    // A task that is over cannot be killed any more.
    const fault = task.isOver && decided?.startsWith('KILL') ? undefined : decided;
    if (task.isDead && fault !== 'LATE') return;
    if (fault === 'KILL_BEFORE') return killBefore(effect);
    if (isUndone(fault)) return refuse(effect, fault, caller);
    if (fault === 'STALE' && answerOld(effect, caller)) return;
    const landed = await land(effect);
    if (fault === 'TWICE') return repeat(effect, landed, caller);
    answer({ ...effect, fault }, landed, caller);
  }

  /**
   * Lets the service do the call a second time. Other effects may come between the two. The caller gets the second
   * answer only.
   */
  function repeat<Answer>(effect: Effect<Answer>, first: Landed<Answer>, caller: Caller<Answer>): void {
    const { task, number } = effect;
    tell(effect, `${wordOf(first)}, and once more`);
    const laterMs = Math.floor(chance(seed, task.scope, number, 'again') ** 2 * REPEATED_WITHIN_MS);
    plan(laterMs, async () => {
      if (!task.isDead) answer({ ...effect, fault: 'TWICE' }, await land(effect), caller);
    });
  }

  async function land<Answer>({ task, run }: Effect<Answer>): Promise<Landed<Answer>> {
    counts.effects++;
    performing = task;
    try {
      return { answer: await run() };
    } catch (error) {
      if (isMistake(error)) onBroken(error);
      return { error };
    } finally {
      performing = undefined;
    }
  }

  function landLater<Answer>(effect: Effect<Answer>): void {
    const { scope } = effect.task;
    const laterMs = Math.floor(chance(seed, scope, numberIn(scope), 'late') * LATE_WITHIN_MS);
    plan(LATE_AFTER_MS + laterMs, async () => tell(effect, `landed late: ${wordOf(await land(effect))}`));
  }

  function killBefore<Answer>(effect: Effect<Answer>): void {
    const { task, call, number } = effect;
    // A request that was under way when its caller died may still arrive.
    const isUnderWay = !call.isRead && chance(seed, task.scope, number, 'under way') < UNDER_WAY_SHARE;
    tell(effect, isUnderWay ? 'killed, still under way' : 'killed before');
    if (isUnderWay) landLater(effect);
    kill(task, 'KILLED');
  }

  function refuse<Answer>(effect: Effect<Answer>, fault: Fault, { reject, settle }: Caller<Answer>): void {
    tell(effect, fault === 'LATE' ? 'no answer in time, lands later' : `refused: ${fault}`);
    if (fault === 'LATE') landLater(effect);
    settle(() => reject(failureOf(effect, fault)));
  }

  /** Returns false when there was no older answer to give. */
  function answerOld<Answer>(effect: Effect<Answer>, { resolve, reject, settle }: Caller<Answer>): boolean {
    const old = effect.call.stale?.(pickOf(effect));
    if (old === undefined) return false;
    tell(effect, 'answered as before');
    settle(() => (old instanceof Error ? reject(old) : resolve(old as Answer)));
    return true;
  }

  function answer<Answer>(effect: Effect<Answer>, landed: Landed<Answer>, caller: Caller<Answer>): void {
    const { task, fault } = effect;
    const { resolve, reject, settle } = caller;
    if (fault === 'KILL_AFTER') {
      tell(effect, `${wordOf(landed)}, killed after`);
      kill(task, 'KILLED');
    } else if (fault === 'LOSE') {
      tell(effect, `${wordOf(landed)}, answer lost`);
      settle(() => reject(failureOf(effect, 'LOSE')));
    } else {
      const isAsUsual = fault === undefined || fault === 'STALE';
      tell(effect, isAsUsual ? wordOf(landed) : `${wordOf(landed)} (${fault})`);
      settle(() => ('error' in landed ? reject(landed.error) : resolve(landed.answer)));
    }
  }

  const pickOf = <Answer>({ task, number }: Effect<Answer>) => chance(seed, task.scope, number, 'which');

  function failureOf<Answer>(effect: Effect<Answer>, fault: Fault): unknown {
    const error = effect.call.failure(fault, pickOf(effect));
    onFailure(error);
    return error;
  }

  function tell<Answer>({ task, call }: Effect<Answer>, words: string): void {
    const { service, name, about } = call;
    note(`${task.name}#${task.id} [${task.scope}] ${service} ${name} ${about} ${words}`);
  }

  return {
    effect,
    counts,
    /** The task whose effect runs now. */
    performing: () => performing,
  };
}

const ofTheWorld = new WeakSet<Error>();

/** Marks an error that the world throws as a service's answer, although it looks like a programming mistake. */
export function asThrown(error: Error): Error {
  ofTheWorld.add(error);
  return error;
}

/** True for an error that no service gives as an answer. */
function isMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return !ofTheWorld.has(error) && /^(Assertion|Range|Reference|Syntax|Type)?Error$/.test(error.name);
}

/** True when the service does nothing, or nothing yet. */
function isUndone(fault: Fault | undefined): fault is Fault {
  return fault !== undefined && ['FAIL', 'UNSENT', 'THROTTLE', 'CONFLICT', 'LATE'].includes(fault);
}

function wordOf(landed: Landed<unknown>): string {
  if (!('error' in landed)) return 'done';
  const { error } = landed;
  return error instanceof Error ? error.name : 'failed';
}
