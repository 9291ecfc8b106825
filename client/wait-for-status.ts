import { OnrampError } from './errors.ts';
import { type CallOptions, requireMs, type Transport } from './transport.ts';

export type WaitOptions = CallOptions & {
  /** For the whole wait. Ten minutes when absent. */
  timeoutMs?: number;
  /**
   * Between two reads. When absent, two seconds for a transaction, which is 30 of the 100 requests that a key has
   * per minute, and ten for a KYC record.
   */
  intervalMs?: number;
};

/** What is waited for. */
type Subject<Read> = {
  /** Stands in messages, so it tells no token. */
  name: string;
  read: (call: CallOptions) => Promise<Read>;
  terminal: readonly string[];
  /** Why what was read is rejected or failed, or stays as it is: then nothing more comes of it. */
  reasonOf: (found: Read) => string | undefined;
  intervalMs: number;
};

/** Reads until the status is one of `statuses`. A terminal status that is none of them, or a reason, ends it at once. */
export async function waitForStatus<Read extends { status: string }, Status extends Read['status']>(
  { name, read, terminal, reasonOf, ...subject }: Subject<Read>,
  statuses: readonly Status[],
  { sleep, now, ...options }: WaitOptions & Pick<Transport, 'sleep' | 'now'>,
): Promise<Read & { status: Status }> {
  const { signal: given } = options;
  const timeoutMs = requireMs('timeoutMs', options.timeoutMs ?? 600_000);
  const intervalMs = requireMs('intervalMs', options.intervalMs ?? subject.intervalMs);
  const deadlineMs = now() + timeoutMs;
  // Ends a read that hangs beyond the deadline, with its retries.
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

function timedOut(name: string, status: string | undefined): OnrampError {
  return new OnrampError('WAIT_TIMED_OUT', `${name} is still ${status ?? 'unread'}`, { details: { status } });
}

function unreachable(what: string, status: string, reason: string | undefined): OnrampError {
  const message = reason ? `${what}: ${reason}` : what;
  const details = { status, ...(reason && { reason }) };
  return new OnrampError('STATUS_UNREACHABLE', message, { details });
}
