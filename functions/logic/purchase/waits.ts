import { StepOutcome } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Machine } from '../../domain/purchase/machine-ports.ts';
import { machineStatusOf, type Status } from '../../domain/purchase/status.ts';
import { isPastDeadline, type Transaction } from '../../domain/purchase/transaction.ts';
import { getTransaction } from '../rows.ts';

/**
 * Resumes the state machine if it waits for the end of a status that the purchase has left. The function that begins a
 * wait writes its token and then reads the status. The function that moves the purchase writes the status and then
 * reads the token. The second of the two sees both writes. The token is stored with the status that it waits for, so a
 * move never resumes another wait.
 */
export async function resumeIfMoved(transaction: Transaction, machine: Machine): Promise<void> {
  const { wait, status } = transaction;
  if (wait && wait.status !== status) await resumeWait(transaction, wait, machine);
}

type Wait = NonNullable<Transaction['wait']>;

async function resumeWait({ id, status }: Transaction, wait: Wait, machine: Machine): Promise<void> {
  await machine.resume(wait.token, { transactionId: id, status: machineStatusOf(status) });
}

/**
 * Also ends a wait whose deadline has passed. The wait began late, so the machine's own timer would end it late. The
 * machine then waits anew, and `registerWait` ends that wait at once.
 */
export async function resumeIfOver(transaction: Transaction, machine: Machine, now: number): Promise<void> {
  const { wait, status } = transaction;
  if (wait?.status === status && isPastDeadline(transaction, now))
    await resumeWait(transaction, wait, machine);
  else await resumeIfMoved(transaction, machine);
}

/**
 * Resumes the wait that was stored before the move, and reads the purchase again in parallel. If another wait has begun
 * meanwhile, or the purchase has moved further, resumes that wait as well. Returns the purchase as it is then.
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

export const WAIT_NEEDS = ['transactions:read', 'purchaseWaits', 'machine', 'clock'] as const;
type WaitInput = { transactionId: string; status: Status; taskToken: string };

/**
 * Stores the task token of a wait that begins. If the status has already changed, the wait ends at once. An
 * execution that replaces a lost one may begin a wait after the purchase's deadline. That wait ends at once,
 * too.
 */
export async function registerWait(
  { transactionId, status, taskToken }: WaitInput,
  { transactions, purchaseWaits, machine, clock }: Needs<typeof WAIT_NEEDS>,
): Promise<void> {
  await purchaseWaits.saveWait(transactionId, { status, token: taskToken });
  const transaction = await getTransaction(transactions, transactionId);
  if (transaction.status === status && isPastDeadline(transaction, clock.now())) {
    throw new StepOutcome('DeadlinePassed', 'the deadline of this wait has passed');
  }
  await resumeIfMoved(transaction, machine);
}
