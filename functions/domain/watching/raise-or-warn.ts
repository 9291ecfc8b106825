import { Unavailable } from '../errors.ts';
import type { Fields, Log } from '../ports.ts';
import { CONDITIONS, type Condition } from './conditions.ts';

/**
 * Raises a condition that calls a person. If the error is `Unavailable`, it only warns, because the work is
 * repeated and the outage has its own alarm.
 */
export function raiseOrWarn(
  log: Log,
  condition: Condition,
  { error, fields }: { error: unknown; fields?: Fields },
): void {
  if (error instanceof Unavailable) log.warn(CONDITIONS[condition], error, fields);
  else log.raise(condition, error, fields);
}
