import { type Outcome, simulateWorld, type WorldOptions } from './world.ts';

/** The most worlds and the longest real time that the search for a shorter history may take. */
const MOST_RUNS = 60;
const MOST_MS = 90_000;

export type Shrunk = { options: WorldOptions; outcome: Outcome; runs: number };

/**
 * Searches for a shorter history that still breaks an invariant: first fewer purchases, then fewer faults. The luck
 * of a purchase depends only on its own random numbers, so leaving out another changes little.
 */
export async function shrink(options: WorldOptions, found: Outcome): Promise<Shrunk> {
  let best: Shrunk = { options, outcome: found, runs: 0 };
  const until = Date.now() + MOST_MS;
  const wanted = new Set(found.violations.map(({ invariant }) => invariant));

  /** Keeps the changes when they still break the same invariant. */
  async function attempt(changes: Partial<WorldOptions>): Promise<boolean> {
    if (best.runs >= MOST_RUNS || Date.now() > until) return false;
    const options = { ...best.options, ...changes };
    const outcome = await simulateWorld(options);
    const isSame = outcome.violations.some(({ invariant }) => wanted.has(invariant));
    best = isSame ? { options, outcome, runs: best.runs + 1 } : { ...best, runs: best.runs + 1 };
    return isSame;
  }

  // A thief has several scopes, such as p7.0 and p7.1.
  const numbers = new Set(found.violations.flatMap(({ scope }) => scope?.split('.')[0] ?? []));
  const concerned = options.purchases.filter((index) => numbers.has(`p${index}`));
  if (concerned.length > 0 && !(await attempt({ purchases: concerned.slice(0, 1) })))
    await attempt({ purchases: concerned });
  await halve(
    () => best.options.purchases,
    (purchases) => attempt({ purchases }),
  );
  await halve(
    () => (best.options.only ? [...best.options.only] : best.outcome.injected.map(({ key }) => key)),
    (keys) => attempt({ only: new Set(keys) }),
  );
  return best;
}

/** Leaves out smaller and smaller parts of a list while the rest still fails (delta debugging). */
async function halve<Item>(
  list: () => readonly Item[],
  fails: (rest: readonly Item[]) => Promise<boolean>,
): Promise<void> {
  if (list().length > 0 && (await fails([]))) return;
  for (let size = Math.ceil(list().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < list().length; ) {
      const rest = list().filter((_, at) => at < from || at >= from + size);
      if (rest.length === 0 || !(await fails(rest))) from += size;
    }
  }
}
