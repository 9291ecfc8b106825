import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';

/** Wraps what runs by the clock. */
export function schedule<const List extends readonly Need[], Output>(
  { needs }: { needs: List },
  operation: (ports: Needs<List>) => Promise<Output>,
) {
  return async (): Promise<Output> => operation(await live(needs));
}
