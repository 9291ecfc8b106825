/** Lambda's limits for the sizes of events and answers. */

import { awsError, type Fields } from './wire.ts';

const PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024;
const EVENT_LIMIT_BYTES = 1024 * 1024;

/** Throws for an event of more than 6 MiB. */
export function refuseLargeRequest(event: string): void {
  if (Buffer.byteLength(event) <= PAYLOAD_LIMIT_BYTES) return;
  throw awsError('RequestTooLargeException', 'Request must be smaller than 6291456 bytes', 413);
}

/** Throws for an asynchronous event of more than 1 MiB. */
export function refuseLargeEvent(payload: unknown): void {
  const size = Buffer.byteLength(JSON.stringify(payload ?? {}));
  if (size <= EVENT_LIMIT_BYTES) return;
  const limit = `too large for the Event invocation type (limit ${EVENT_LIMIT_BYTES} bytes)`;
  throw awsError('RequestTooLargeException', `${size} byte payload is ${limit}`, 413);
}

/** The error in place of an answer of more than 6 MiB. */
export function refusalOfAnswer(payload: string): Fields | undefined {
  if (Buffer.byteLength(payload) <= PAYLOAD_LIMIT_BYTES) return undefined;
  return {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded ${PAYLOAD_LIMIT_BYTES} bytes.`,
  };
}
