import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';

/** The input of every step. A step reads all else from the tables, because only they are true. */
export type StepInput = { transactionId: string };
/** The instant of the last check of client and wallet, in epoch milliseconds. Absent where that check was skipped. */
export type Checked = StepInput & { checkedAt?: number };

/** Wraps a step of the state machine. The machine sees an error by its `name`. */
export function step<const List extends readonly Need[], Input extends StepInput, Output>(
  { needs }: { needs: List },
  operation: (input: Input, ports: Needs<List>) => Promise<Output>,
) {
  return async (input: Input): Promise<Output> => operation(input, await live(needs));
}
