import { OnrampError } from './errors.ts';
import type { CallOptions, Sleep } from './transport.ts';
import type { Transaction, TransactionStatus } from './types.ts';

export type WaitOptions = CallOptions & {
  /** For the whole wait. Ten minutes when absent. */
  timeoutMs?: number;
  /** Between two reads. Two seconds when absent: 30 of the 100 requests that a key has per minute. */
  intervalMs?: number;
};

type Needs = {
  read: (transactionId: string, call: CallOptions) => Promise<Transaction>;
  sleep: Sleep;
  now: () => number;
};

const terminal: readonly TransactionStatus[] = ['COMPLETED', 'FAILED', 'EXPIRED'];

/** Reads until the status is one of `statuses`. A terminal status that is none of them ends it at once. */
export async function waitForStatus<Status extends TransactionStatus>(
  { read, sleep, now }: Needs,
  [transactionId, statuses]: [string, readonly Status[]],
  { timeoutMs = 600_000, intervalMs = 2_000, signal: given }: WaitOptions,
): Promise<Transaction & { status: Status }> {
  const deadlineMs = now() + timeoutMs;
  // Ends a read that hangs beyond the deadline, with its retries.
  const cutoff = AbortSignal.timeout(timeoutMs);
  const signal = given ? AbortSignal.any([given, cutoff]) : cutoff;

  for (let last: TransactionStatus | undefined; ; ) {
    const transaction = await read(transactionId, { signal }).catch((error: unknown) => {
      throw cutoff.aborted && !given?.aborted ? timedOut(transactionId, last) : error;
    });
    last = transaction.status;
    if (hasStatus(transaction, statuses)) return transaction;
    if (terminal.includes(last)) throw unreachable(transactionId, last);
    if (now() >= deadlineMs) throw timedOut(transactionId, last);
    await sleep(Math.min(intervalMs, deadlineMs - now()), given);
  }
}

function hasStatus<Status extends TransactionStatus>(
  transaction: Transaction,
  statuses: readonly Status[],
): transaction is Transaction & { status: Status } {
  return statuses.some((status) => status === transaction.status);
}

function timedOut(transactionId: string, status: TransactionStatus | undefined): OnrampError {
  const message = `Transaction ${transactionId} is still ${status ?? 'unread'}`;
  return new OnrampError('WAIT_TIMED_OUT', message, { details: { status } });
}

function unreachable(transactionId: string, status: TransactionStatus): OnrampError {
  const message = `Transaction ${transactionId} ended as ${status}`;
  return new OnrampError('STATUS_UNREACHABLE', message, { details: { status } });
}
