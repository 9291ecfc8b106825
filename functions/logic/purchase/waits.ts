import { StepOutcome } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Machine } from '../../domain/purchase/machine-ports.ts';
import { machineStatusOf, type Status } from '../../domain/purchase/status.ts';
import { isOver, type Transaction } from '../../domain/purchase/transaction.ts';
import { getTransaction } from '../rows.ts';

/**
 * Resumes the state machine where it waits for a status that the transaction has left. The registrar writes its
 * token and then reads; the advancer writes the status and then reads: whoever comes second sees both. A wait is
 * never resumed by another's news, because the token carries the status that it waits with.
 */
export async function resumeIfMoved({ id, wait, status }: Transaction, machine: Machine): Promise<void> {
  if (wait && wait.status !== status)
    await machine.resume(wait.token, { transactionId: id, status: machineStatusOf(status) });
}

export const WAIT_NEEDS = ['transactions', 'machine', 'clock'] as const;
export type WaitInput = { transactionId: string; status: Status; taskToken: string };

/**
 * A waiting state of the machine begins: its token is stored, and given back at once if it came too late. A wait
 * whose deadline has passed, because an execution was lost and started anew, is over before it begins.
 */
export async function registerWait(
  { transactionId, status, taskToken }: WaitInput,
  { transactions, machine, clock }: Needs<typeof WAIT_NEEDS>,
): Promise<void> {
  await transactions.saveWait(transactionId, { status, token: taskToken });
  const transaction = await getTransaction(transactions, transactionId);
  if (transaction.status === status && isOver(transaction, clock.now())) {
    throw new StepOutcome('DeadlinePassed', 'nobody is waited for any more');
  }
  await resumeIfMoved(transaction, machine);
}
