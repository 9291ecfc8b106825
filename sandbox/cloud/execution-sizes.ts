import { awsError } from './wire.ts';

/**
 * The most bytes of the input or output of a task or an execution. Source: Step Functions, "Quotas related to
 * task executions": 256 KiB of UTF-8.
 */
export const MOST_BYTES = 262_144;

export const isTooLarge = (data: string): boolean => Buffer.byteLength(data) > MOST_BYTES;

/** Throws ValidationException if the input or output in a request is longer than `MOST_BYTES`. */
export function refuseLong(field: 'input' | 'output', data: string): void {
  if (!isTooLarge(data)) return;
  const constraint = `Member must have length less than or equal to ${MOST_BYTES}`;
  throw awsError(
    'ValidationException',
    `1 validation error detected: Value at '${field}' failed to satisfy constraint: ${constraint}`,
  );
}

/**
 * The error of a task whose result is too large. On AWS a Retry or Catch of `States.ALL` does not match this
 * error.
 */
export const DATA_LIMIT = {
  error: 'States.DataLimitExceeded',
  cause: 'The state/task returned a result with a size exceeding the maximum number of bytes service limit.',
};
