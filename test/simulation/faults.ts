import type { Call, Fault, Service } from './call.ts';
import { chance } from './dice.ts';
import type { Task } from './tasks.ts';

const ALWAYS = [
  ['KILL_BEFORE', 2],
  ['KILL_AFTER', 3],
  ['FAIL', 3],
  ['UNSENT', 2],
  ['LOSE', 4],
  ['DELAY', 2],
] as const satisfies readonly (readonly [Fault, number])[];

/** Faults of every AWS service: it may be too busy, and the SDK repeats a request that got no answer. */
const OF_AWS = [
  ['THROTTLE', 2],
  ['TWICE', 2],
  ['LATE', 2],
] as const satisfies readonly (readonly [Fault, number])[];

/** The further faults of each service. A late or repeated read changes nothing, so reads do not get these faults. */
const OF_SERVICE: Record<Service, readonly (readonly [Fault, number])[]> = {
  dynamodb: [...OF_AWS, ['CONFLICT', 3], ['STALE', 3]],
  kms: OF_AWS,
  sfn: [...OF_AWS, ['STALE', 3]],
  sqs: OF_AWS,
  secrets: OF_AWS,
  pix: [
    ['TWICE', 3],
    ['STALE', 3],
    ['LATE', 3],
  ],
  rpc: [
    ['TWICE', 2],
    ['STALE', 4],
    ['LATE', 3],
  ],
  webhook: [
    ['TWICE', 2],
    ['LATE', 1],
  ],
  market: [],
};
const WRITES_ONLY: readonly Fault[] = ['TWICE', 'LATE', 'CONFLICT'];
/**
 * The share of faulty effects around one purchase. Mostly it is small, because otherwise few purchases would get far.
 */
const INTENSITIES = [0, 0.01, 0.03, 0.08, 0.2];

export type Injected = { key: string; fault: Fault; what: string };
export type Faults = ReturnType<typeof openFaults>;

type Options = {
  seed: string;
  /** From this time on no fault happens. */
  quietAt: number;
  /** Injects only the faults with these keys. When absent, the seed decides. */
  only?: ReadonlySet<string>;
};

/**
 * Decides about each fault by the seed, the scope and the effect's number in the scope. One fault can therefore be
 * left out without changing the others.
 */
export function openFaults({ seed, quietAt, only }: Options) {
  const injected: Injected[] = [];
  const intensities = new Map<string, number>();
  const counts: Record<string, number> = {};

  function intensityOf(scope: string): number {
    const known = intensities.get(scope);
    if (known !== undefined) return known;
    const index = Math.floor(chance(seed, scope, 'intensity') * INTENSITIES.length);
    const intensity = INTENSITIES[index] ?? 0;
    intensities.set(scope, intensity);
    return intensity;
  }

  function faultOf(scope: string, number: number, call: Call): Fault {
    const possible = [...ALWAYS, ...OF_SERVICE[call.service]].filter(
      ([fault]) =>
        !(call.isRead && WRITES_ONLY.includes(fault)) &&
        !(fault === 'STALE' && !call.stale) &&
        !call.never?.includes(fault),
    );
    const total = possible.reduce((sum, [, weight]) => sum + weight, 0);
    let left = chance(seed, scope, number, 'kind') * total;
    for (const [fault, weight] of possible) {
      left -= weight;
      if (left < 0) return fault;
    }
    return 'FAIL';
  }

  return {
    injected,
    counts,
    quietAt,
    isQuiet: (now: number) => now >= quietAt,
    decide(task: Task, call: Call, { number, now }: { number: number; now: number }): Fault | undefined {
      if (now >= quietAt || !task.isFunction) return undefined;
      const { scope } = task;
      if (chance(seed, scope, number, 'fault') >= intensityOf(scope)) return undefined;
      const fault = faultOf(scope, number, call);
      const key = `${scope}:${number}`;
      if (only && !only.has(key)) return undefined;
      injected.push({ key, fault, what: `${task.name} ${call.service} ${call.name} ${call.about}` });
      const kind = `${call.service} ${fault}`;
      counts[kind] = (counts[kind] ?? 0) + 1;
      return fault;
    },
    /** True when the world does something else to a scope, for example sends a message twice. */
    happens(share: number, ...words: (string | number)[]): boolean {
      // The key has no spaces, because the command for the replay prints it as one word.
      const key = words.join(':').replaceAll(' ', '-');
      if (chance(seed, ...words) >= share || (only && !only.has(key))) return false;
      injected.push({ key, fault: 'DELAY', what: key });
      return true;
    },
    delayOf(fault: Fault | undefined, scope: string, number: number): number {
      return fault === 'DELAY' ? Math.floor(chance(seed, scope, number, 'delay') * 40_000) : 0;
    },
  };
}
