import { WaitError } from './errors.ts';
import { type CallOptions, requireMs, type Transport } from './transport.ts';

export type WaitOptions = CallOptions & {
  /** The limit of the whole wait. The default is 600,000 ms (ten minutes). */
  timeoutMs?: number;
  /**
   * The pause between two reads. The default is 10,000 ms for a KYC record and 2,000 ms for a transaction.
   * Two seconds make 30 requests a minute. A key may make 100.
   */
  intervalMs?: number;
};

/** The resource whose status is read. */
type Subject<Read, Status> = {
  /** The resource's name in error messages. It must not contain a token. */
  name: string;
  read: (call: CallOptions) => Promise<Read>;
  terminal: readonly string[];
  /** Whether the status `wanted` cannot come any more. Absent if a resource may go back to a former status. */
  isPast?: (wanted: Status, present: string) => boolean;
  /**
   * Returns the service's reason why the resource was rejected, failed, or cannot advance. A reason ends the
   * wait, because further reads would show nothing new.
   */
  reasonOf: (found: Read) => string | undefined;
  intervalMs: number;
};

/**
 * Reads until the status is one of `statuses`. Rejects with `STATUS_UNREACHABLE` at another terminal status,
 * beyond all of `statuses`, or if there is a reason. Rejects with `WAIT_TIMED_OUT` after `timeoutMs`.
 */
export async function waitForStatus<Read extends { status: string }, Status extends Read['status']>(
  { name, read, terminal, isPast, reasonOf, ...subject }: Subject<Read, Status>,
  statuses: readonly Status[],
  { sleep, now, ...options }: WaitOptions & Pick<Transport, 'sleep' | 'now'>,
): Promise<Read & { status: Status }> {
  const { signal: given } = options;
  const timeoutMs = requireMs('timeoutMs', options.timeoutMs ?? 600_000);
  const intervalMs = requireMs('intervalMs', options.intervalMs ?? subject.intervalMs);
  const deadlineMs = now() + timeoutMs;
  // Aborts a read that lasts beyond the deadline, and its retries.
  const cutoff = AbortSignal.timeout(timeoutMs);
  const signal = given ? AbortSignal.any([given, cutoff]) : cutoff;

  for (let last: string | undefined; ; ) {
    const found = await read({ signal }).catch((error: unknown) => {
      throw cutoff.aborted && !given?.aborted ? timedOut(name, last) : error;
    });
    last = found.status;
    if (hasStatus(found, statuses)) return found;
    const reason = reasonOf(found);
    if (terminal.includes(last)) throw unreachable(`${name} ended as ${last}`, last, reason);
    if (reason) throw unreachable(`${name} stays ${last}`, last, reason);
    const present = last;
    if (isPast && statuses.every((wanted) => isPast(wanted, present)))
      throw unreachable(`${name} is ${last} already`, last, undefined);
    if (now() >= deadlineMs) throw timedOut(name, last);
    await sleep(Math.min(intervalMs, deadlineMs - now()), given);
  }
}

function hasStatus<Read extends { status: string }, Status extends Read['status']>(
  found: Read,
  statuses: readonly Status[],
): found is Read & { status: Status } {
  return statuses.some((status) => status === found.status);
}

function timedOut(name: string, status: string | undefined): WaitError {
  return new WaitError('WAIT_TIMED_OUT', `${name} is still ${status ?? 'unread'}`, { details: { status } });
}

function unreachable(what: string, status: string, reason: string | undefined): WaitError {
  const message = reason ? `${what}: ${reason}` : what;
  const details = { status, ...(reason && { reason }) };
  return new WaitError('STATUS_UNREACHABLE', message, { details });
}
