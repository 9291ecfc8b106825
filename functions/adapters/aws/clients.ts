/** The AWS clients, each imported and made when a function first needs it. */
import { once } from '../once.ts';

/** Connections are kept; three tries of a call that hangs end well before any function's time-out. */
const requestHandler = { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true };
const clientOptions = { maxAttempts: 3, requestHandler };

export const dynamo = once(async () => (await import('./clients/dynamodb.ts')).makeClient(clientOptions));
export const kms = once(async () => (await import('./clients/kms.ts')).makeClient(clientOptions));
export const sfn = once(async () => (await import('./clients/sfn.ts')).makeClient(clientOptions));
export const sqs = once(async () => (await import('./clients/sqs.ts')).makeClient(clientOptions));
export const s3 = once(async () => (await import('./clients/s3.ts')).makeClient(clientOptions));
/** Writes files of many megabytes, a dozen at once, when nobody waits. */
export const slowS3 = once(async () => {
  const patient = { ...requestHandler, requestTimeout: 30_000 };
  return (await import('./clients/s3.ts')).makeClient({ ...clientOptions, requestHandler: patient });
});
export const secretsManager = once(async () =>
  (await import('./clients/secrets-manager.ts')).makeClient(clientOptions),
);
