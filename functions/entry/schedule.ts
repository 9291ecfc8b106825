import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';

/**
 * Wraps the function of a schedule. EventBridge calls it at each run. An operator may also invoke it
 * asynchronously with an `event` of their own.
 */
export function schedule<const List extends readonly Need[], Output>(
  { needs }: { needs: List },
  operation: (ports: Needs<List>, event?: unknown) => Promise<Output>,
) {
  return async (event?: unknown): Promise<Output> => operation(await live(needs), event);
}
