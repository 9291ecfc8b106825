import { live } from '../adapters/live.ts';
import { isOrdinary, StepOutcome, Unavailable } from '../domain/errors.ts';
import type { Log, Need, Needs } from '../domain/ports.ts';

/**
 * The input of every step of the state machine. A step reads everything else from the tables, because only
 * they have the present state.
 */
export type StepInput = { transactionId: string };
/**
 * `checkedAt` is the instant of the last check of client and wallet, in epoch milliseconds. It is absent if that check
 * was skipped.
 */
export type Checked = StepInput & { checkedAt?: number };

/** Wraps a step of the state machine. The machine chooses its next state by the error's `name`. */
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
 * Raises the alarm of a step's error. An error marked by `ordinary` raises none, because the machine expects
 * it. The exception is `ReviewPending`: a paid purchase waits for a reviewer, so a person must act.
 */
export function reportStep(error: unknown, { transactionId }: StepInput, log: Log): void {
  const fields = { transactionId };
  if (isOrdinary(error)) {
    if (error.name === 'ReviewPending') log.raise('PurchaseWaitsForReviewer', error, fields);
  } else if (error instanceof Unavailable) log.raise('StepWaits', error, fields);
  else if (error instanceof StepOutcome) log.raise('SettlementTryFailed', error, fields);
  else log.raise('StepFailed', error, fields);
}
