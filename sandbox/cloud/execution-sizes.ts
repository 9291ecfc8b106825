import { awsError } from './wire.ts';

/** Source: Step Functions, "Quotas related to task executions": 256 KiB of UTF-8. */
export const MOST_BYTES = 262_144;

export const isTooLarge = (data: string): boolean => Buffer.byteLength(data) > MOST_BYTES;

/** Refuses a request whose input or output is above the limit. */
export function refuseLong(field: 'input' | 'output', data: string): void {
  if (!isTooLarge(data)) return;
  const constraint = `Member must have length less than or equal to ${MOST_BYTES}`;
  throw awsError(
    'ValidationException',
    `1 validation error detected: Value at '${field}' failed to satisfy constraint: ${constraint}`,
  );
}

/**
 * The error of a task whose result is too large. On AWS even a Retry or a Catch of `States.ALL` does not take this
 * error.
 */
export const DATA_LIMIT = {
  error: 'States.DataLimitExceeded',
  cause: 'The state/task returned a result with a size exceeding the maximum number of bytes service limit.',
};
