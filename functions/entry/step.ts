import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';

/** What the state machine hands to every step: no step is told more, the table is the truth. */
export type StepInput = { transactionId: string };
/** When client and wallet were checked last, in epoch milliseconds; absent after a way round that check. */
export type Checked = StepInput & { checkedAt?: number };

/** Wraps a step of the state machine. What it throws reaches the machine under its `name`. */
export function step<const List extends readonly Need[], Input extends StepInput, Output>(
  { needs }: { needs: List },
  operation: (input: Input, ports: Needs<List>) => Promise<Output>,
) {
  return async (input: Input): Promise<Output> => operation(input, await live(needs));
}
