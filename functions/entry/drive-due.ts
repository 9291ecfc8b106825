import type { Clock } from '../domain/ports.ts';

type Drive = {
  /** Handles one item. If it throws, `report` gets the error, and the run continues with the other items. */
  look: (id: string) => Promise<unknown>;
  report: (id: string, error: unknown) => void;
  batch: number;
  atOnce: number;
  /**
   * How long a run may begin new items, in real time. It is much shorter than the function's time-out. The next run
   * handles the rest.
   */
  busyMs: number;
  clock: Pick<Clock, 'now'>;
  /** The most items in one run. Without it, only `busyMs` limits them. */
  most?: number;
};

/**
 * Handles the items that are due, several at once, in the order of `listDue`. It stops when none is left,
 * when `busyMs` have passed, or when `most` items were handled. Each item is handled once in a run, even if
 * the index still lists it.
 *
 * @returns the number of handled items
 */
export async function driveDue(
  listDue: (now: number, limit: number) => Promise<string[]>,
  { look, report, batch, atOnce, busyMs, clock, most = Number.POSITIVE_INFINITY }: Drive,
): Promise<number> {
  const until = clock.now() + busyMs;
  const seen = new Set<string>();
  while (clock.now() < until && seen.size < most) {
    const listed = await listDue(clock.now(), batch);
    const due = listed.filter((id) => !seen.has(id)).slice(0, most - seen.size);
    if (due.length === 0) break;
    for (let from = 0; from < due.length && clock.now() < until; from += atOnce) {
      const some = due.slice(from, from + atOnce);
      await Promise.all(some.map((id) => look(id).catch((error: unknown) => report(id, error))));
      for (const id of some) seen.add(id);
    }
  }
  return seen.size;
}
