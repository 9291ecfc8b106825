import { isOnrampError, type OnrampError } from './errors.ts';

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;

/** The rate limit's window is a minute. A service that asks for more gets no retry: the caller decides. */
const longestRetryAfterSeconds = 60;

type RetryPolicy = { maxRetries: number; random: () => number };

/** Milliseconds to wait before the next attempt, or undefined when there must be none. */
export function retryDelayMs(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt > policy.maxRetries || !isOnrampError(error) || !isTransient(error)) return undefined;
  const retryAfterSeconds = error.retryAfterSeconds ?? 0;
  if (retryAfterSeconds > longestRetryAfterSeconds) return undefined;

  const backoffMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempt - 1));
  const atLeastMs = Math.max(retryAfterSeconds * 1000, backoffMs / 2);
  return atLeastMs + (policy.random() * backoffMs) / 2;
}

/** May the same request succeed a little later? A refusal never does. */
function isTransient({ code, status }: OnrampError): boolean {
  if (code === 'NETWORK_ERROR' || code === 'TIMEOUT' || code === 'IDEMPOTENCY_IN_PROGRESS') return true;
  return status === 429 || (status !== undefined && status >= 500);
}

/** Reads `Retry-After`, which is a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);

  // Date.parse alone takes "-5" or "1.5" for a date; every HTTP date that is still sent ends with GMT.
  const dateMs = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}
