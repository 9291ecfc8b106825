import { isOnrampError, type OnrampError } from './errors.ts';

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;

/**
 * The longest `Retry-After`, in seconds, for which the library waits. The window of the rate limit is one
 * minute. If the service asks for a longer wait, the call rejects at once and the caller decides.
 */
const longestRetryAfterSeconds = 60;

type RetryPolicy = { maxRetries: number; random: () => number };

/**
 * Returns the milliseconds to wait before the next attempt. Undefined if the library must not repeat the
 * request.
 */
export function retryDelayMs(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt > policy.maxRetries || !isOnrampError(error) || !isTransient(error)) return undefined;
  const retryAfterSeconds = error.retryAfterSeconds ?? 0;
  if (retryAfterSeconds > longestRetryAfterSeconds) return undefined;

  const backoffMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempt - 1));
  const atLeastMs = Math.max(retryAfterSeconds * 1000, backoffMs / 2);
  return atLeastMs + (policy.random() * backoffMs) / 2;
}

/**
 * True if the same request may succeed a little later. The library does not repeat a request after any other
 * error.
 */
function isTransient({ code, status }: OnrampError): boolean {
  if (code === 'NETWORK_ERROR' || code === 'TIMEOUT' || code === 'IDEMPOTENCY_IN_PROGRESS') return true;
  return status === 429 || (status !== undefined && status >= 500);
}

/** Reads `Retry-After`, which is a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);

  // Every HTTP date in use ends with GMT. The check of this suffix is needed, because `Date.parse` reads even
  // "-5" and "1.5" as dates.
  const dateMs = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}
