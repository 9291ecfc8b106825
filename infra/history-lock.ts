import type { Node } from 'constructs';
import type { Stage } from './stage.ts';

/** `COMPLIANCE`: nobody can delete a version before its time. `GOVERNANCE`: a special permission can. */
const MODES = ['GOVERNANCE', 'COMPLIANCE'] as const;

export type HistoryLock = { mode: (typeof MODES)[number]; days: number };

/**
 * The least lock, in years. Circular BCB 3.978/2020 demands ten years, from the first day of the year after the event:
 * `functions/domain/retention.ts`.
 */
const LEAST_YEARS = 10;
const MOST_YEARS = 99;
/** The days of a leap year. Every year counts with this number, so that a lock never ends a day early. */
const DAYS_OF_YEAR = 366;

/**
 * Reads how long the archive of histories is locked. A lock begins with the upload, but the legal period
 * begins only on the first day of the next year. The lock therefore lasts one year more than the legal
 * period.
 */
export function historyLockOf(stage: Stage, node: Node): HistoryLock {
  const ofStages = node.tryGetContext('historyLock') as Partial<Record<Stage, object>> | undefined;
  const { mode, days, years } = (ofStages?.[stage] ?? {}) as { mode?: string; days?: number; years?: number };
  const known = MODES.find((each) => each === mode);
  if (!known) throw new Error(`historyLock of ${stage}: mode must be ${MODES.join(' or ')}`);
  if (stage === 'sandbox' && years === undefined) return { mode: known, days: requireDays(days) };
  if (!Number.isInteger(years) || Number(years) < LEAST_YEARS || Number(years) > MOST_YEARS)
    throw new Error(`historyLock of ${stage}: years must be whole, from ${LEAST_YEARS} to ${MOST_YEARS}`);
  return { mode: known, days: (Number(years) + 1) * DAYS_OF_YEAR };
}

function requireDays(days = Number.NaN): number {
  if (Number.isInteger(days) && days >= 1) return days;
  throw new Error('historyLock of sandbox: days must be a whole number, 1 at least');
}
