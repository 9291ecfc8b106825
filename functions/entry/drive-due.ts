import type { Clock } from '../domain/ports.ts';

type Drive = {
  /** Drives one thing. Where it throws, the others go on, and `report` tells. */
  look: (id: string) => Promise<unknown>;
  report: (id: string, error: unknown) => void;
  batch: number;
  atOnce: number;
  /** Real time, well below the function's: what is left is due in the next minute. */
  busyMs: number;
  clock: Pick<Clock, 'now'>;
};

/**
 * Looks at everything that is due, oldest first, some at once, each but once in a run: the index may be stale, and what
 * was looked at may still be in it. Answers how many.
 */
export async function driveDue(
  listDue: (now: number, limit: number) => Promise<string[]>,
  { look, report, batch, atOnce, busyMs, clock }: Drive,
): Promise<number> {
  const until = clock.now() + busyMs;
  const seen = new Set<string>();
  while (clock.now() < until) {
    const due = (await listDue(clock.now(), batch)).filter((id) => !seen.has(id));
    if (due.length === 0) break;
    for (let from = 0; from < due.length && clock.now() < until; from += atOnce) {
      const some = due.slice(from, from + atOnce);
      await Promise.all(some.map((id) => look(id).catch((error: unknown) => report(id, error))));
      for (const id of some) seen.add(id);
    }
  }
  return seen.size;
}
