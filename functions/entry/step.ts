import { live } from '../adapters/live.ts';
import { isOrdinary, StepOutcome, Unavailable } from '../domain/errors.ts';
import type { Log, Need, Needs } from '../domain/ports.ts';

/** The input of every step. A step reads all else from the tables, because only they are true. */
export type StepInput = { transactionId: string };
/** The instant of the last check of client and wallet, in epoch milliseconds. Absent where that check was skipped. */
export type Checked = StepInput & { checkedAt?: number };

/** Wraps a step of the state machine. The machine sees an error by its `name`. */
export function step<const List extends readonly Need[], Input extends StepInput, Output>(
  { needs }: { needs: List },
  operation: (input: Input, ports: Needs<List>) => Promise<Output>,
) {
  return async (input: Input): Promise<Output> => {
    try {
      return await operation(input, await live(needs));
    } catch (error) {
      const { log } = await live(['log']);
      reportStep(error, input, log);
      throw error;
    }
  };
}

/**
 * Raises the condition of a step's error. An ordinary error raises none, because the machine expects it. Only a paid
 * purchase that waits for a reviewer calls a person by an ordinary error.
 */
export function reportStep(error: unknown, { transactionId }: StepInput, log: Log): void {
  const fields = { transactionId };
  if (isOrdinary(error)) {
    if (error.name === 'ReviewPending') log.raise('PurchaseWaitsForReviewer', error, fields);
  } else if (error instanceof Unavailable) log.raise('StepWaits', error, fields);
  else if (error instanceof StepOutcome) log.raise('SettlementTryFailed', error, fields);
  else log.raise('StepFailed', error, fields);
}
