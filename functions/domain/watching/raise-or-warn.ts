import { Unavailable } from '../errors.ts';
import type { Fields, Log } from '../ports.ts';
import { CONDITIONS, type Condition } from './conditions.ts';

/**
 * Raises the condition. If a provider or service does not answer, it only warns: the work is repeated, and the outage
 * has alarms of its own.
 */
export function raiseOrWarn(
  log: Log,
  condition: Condition,
  { error, fields }: { error: unknown; fields?: Fields },
): void {
  if (error instanceof Unavailable) log.warn(CONDITIONS[condition], error, fields);
  else log.raise(condition, error, fields);
}
