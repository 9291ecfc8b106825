import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';

/** Wraps what runs by the clock. `event` is the clock's, or that of an operator who does not wait for it. */
export function schedule<const List extends readonly Need[], Output>(
  { needs }: { needs: List },
  operation: (ports: Needs<List>, event?: unknown) => Promise<Output>,
) {
  return async (event?: unknown): Promise<Output> => operation(await live(needs), event);
}
