import { StepOutcome } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Machine } from '../../domain/purchase/machine-ports.ts';
import { machineStatusOf, type Status } from '../../domain/purchase/status.ts';
import { isOver, type Transaction } from '../../domain/purchase/transaction.ts';
import { getTransaction } from '../rows.ts';

/**
 * Resumes the state machine if it waits for the end of a status that the transaction has left. The registrar writes its
 * token and then reads. The advancer writes the status and then reads. The second of the two sees both writes. News of
 * one wait never resumes another wait, because the token carries the status that it waits with.
 */
export async function resumeIfMoved({ id, wait, status }: Transaction, machine: Machine): Promise<void> {
  if (wait && wait.status !== status)
    await machine.resume(wait.token, { transactionId: id, status: machineStatusOf(status) });
}

/**
 * Resumes the wait that was known before the move, and reads the purchase again at once. If a wait has begun in
 * between, or the purchase has moved further, that wait is resumed, too. Answers the purchase as it is then.
 */
export async function resumeMoved(
  moved: Transaction,
  { transactions, machine }: Needs<readonly ['transactions:read', 'machine']>,
): Promise<Transaction> {
  const [present] = await Promise.all([
    getTransaction(transactions, moved.id),
    resumeIfMoved(moved, machine),
  ]);
  const isNews = present.wait?.token !== moved.wait?.token || present.status !== moved.status;
  if (isNews) await resumeIfMoved(present, machine);
  return present;
}

export const WAIT_NEEDS = ['transactions', 'machine', 'clock'] as const;
export type WaitInput = { transactionId: string; status: Status; taskToken: string };

/**
 * A waiting state of the machine begins. Its token is stored, and is used at once if the status has changed already. An
 * execution that replaces a lost one may begin a wait after its deadline. Then the wait ends at once.
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
