import type { Needs } from '../../domain/ports.ts';
import { DAY_MS, isoInstant } from '../../domain/time.ts';

/** An open case raises an alarm this many days before its deadline, so that a person has time to decide. */
const NEAR_DAYS = 2;

/** Raises an alarm for each open case whose deadline is near or has passed. */
export async function reportDueCases({
  openCases,
  clock,
  log,
}: Needs<readonly ['openCases', 'clock', 'log']>): Promise<void> {
  const near = clock.now() + NEAR_DAYS * DAY_MS;
  for (const { id, kind, deadline } of await openCases.listOpen()) {
    if (deadline !== undefined && deadline <= near)
      log.raise('CaseDue', new Error(kind), { caseId: id, deadline: isoInstant(deadline) });
  }
}
