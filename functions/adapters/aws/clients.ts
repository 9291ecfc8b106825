/** The AWS clients, each imported and made when a function first needs it. */
import { once } from '../once.ts';

/** Connections are kept; three tries of a call that hangs end well before any function's time-out. */
const CONNECT_MS = 1000;
const ANSWER_MS = 2000;
const SLOW_ANSWER_MS = 30_000;

/** @param patience how many times as long as that a connection and an answer may take */
export function awsClients(patience: () => number) {
  const options = (answerMs = ANSWER_MS) => ({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: CONNECT_MS * patience(),
      requestTimeout: answerMs * patience(),
      throwOnRequestTimeout: true,
    },
  });
  return {
    dynamo: once(async () => (await import('./clients/dynamodb.ts')).makeClient(options())),
    kms: once(async () => (await import('./clients/kms.ts')).makeClient(options())),
    sfn: once(async () => (await import('./clients/sfn.ts')).makeClient(options())),
    sqs: once(async () => (await import('./clients/sqs.ts')).makeClient(options())),
    s3: once(async () => (await import('./clients/s3.ts')).makeClient(options())),
    /** Writes files of many megabytes, a dozen at once, when nobody waits. */
    slowS3: once(async () => (await import('./clients/s3.ts')).makeClient(options(SLOW_ANSWER_MS))),
    secretsManager: once(async () => (await import('./clients/secrets-manager.ts')).makeClient(options())),
  };
}
