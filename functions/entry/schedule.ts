import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';

/**
 * Wraps the function of a schedule. EventBridge sends `event` at each run. An operator may also send an
 * event, without waiting for the answer.
 */
export function schedule<const List extends readonly Need[], Output>(
  { needs }: { needs: List },
  operation: (ports: Needs<List>, event?: unknown) => Promise<Output>,
) {
  return async (event?: unknown): Promise<Output> => operation(await live(needs), event);
}
