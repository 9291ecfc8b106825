import type { Clock } from '../domain/ports.ts';

/** `busyMs` is real time, well below the function's: what is left is due in the next minute. */
export type Pace = { batch: number; atOnce: number; busyMs: number; clock: Pick<Clock, 'now'> };

/**
 * Looks at everything that is due, oldest first, some at once, each but once in a run: the index may be stale, and what
 * was looked at may still be in it. `look` must not throw, or one row keeps the others waiting. Answers how many.
 */
export async function driveDue(
  listDue: (now: number, limit: number) => Promise<string[]>,
  look: (id: string) => Promise<void>,
  { batch, atOnce, busyMs, clock }: Pace,
): Promise<number> {
  const until = clock.now() + busyMs;
  const seen = new Set<string>();
  while (clock.now() < until) {
    const due = (await listDue(clock.now(), batch)).filter((id) => !seen.has(id));
    if (due.length === 0) break;
    for (let from = 0; from < due.length && clock.now() < until; from += atOnce) {
      const some = due.slice(from, from + atOnce);
      await Promise.all(some.map(look));
      for (const id of some) seen.add(id);
    }
  }
  return seen.size;
}
