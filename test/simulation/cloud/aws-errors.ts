/**
 * What a call of AWS can meet although nothing is wrong with it, under the names of the API references ("Errors" of each
 * action, "Common errors"), which are those of the SDK's `@throws`. What only a mistake of ours, a quota that nobody comes
 * near or an operator's act brings about (`AccessDenied`, `DisabledException`, `ExecutionLimitExceeded` and the like) is not.
 */
export type AwsService = 'dynamodb' | 'kms' | 'sfn' | 'sqs' | 'secrets';
type Named = { name: string; status: number };

/** The service failed, and did nothing. */
const FAILS: Record<AwsService, readonly Named[]> = {
  dynamodb: [
    { name: 'InternalServerError', status: 500 },
    { name: 'ServiceUnavailable', status: 503 },
  ],
  kms: [
    { name: 'KMSInternalException', status: 500 },
    { name: 'DependencyTimeoutException', status: 503 },
    { name: 'KeyUnavailableException', status: 500 },
  ],
  sfn: [
    { name: 'InternalFailure', status: 500 },
    { name: 'ServiceUnavailable', status: 503 },
  ],
  sqs: [
    { name: 'InternalFailure', status: 500 },
    { name: 'ServiceUnavailable', status: 503 },
  ],
  secrets: [
    { name: 'InternalServiceError', status: 500 },
    { name: 'ServiceUnavailable', status: 503 },
  ],
};

/** It is asked too much. */
const THROTTLES: Record<AwsService, readonly Named[]> = {
  dynamodb: [
    { name: 'ProvisionedThroughputExceededException', status: 400 },
    { name: 'ThrottlingException', status: 400 },
    { name: 'RequestLimitExceeded', status: 400 },
  ],
  kms: [{ name: 'ThrottlingException', status: 400 }],
  sfn: [
    { name: 'ThrottlingException', status: 400 },
    { name: 'KmsThrottlingException', status: 400 },
  ],
  sqs: [
    { name: 'RequestThrottled', status: 403 },
    { name: 'KmsThrottled', status: 400 },
  ],
  secrets: [{ name: 'ThrottlingException', status: 400 }],
};

/** No answer: the SDK's own time-out, a connection that broke, one that never was. */
const SILENCES = [
  { name: 'TimeoutError', code: 'ETIMEDOUT' },
  { name: 'Error', code: 'ECONNRESET' },
  { name: 'Error', code: 'EPIPE' },
];

/** After the SDK's own repetitions, of which each met the same. */
const metadata = (httpStatusCode?: number) => ({ httpStatusCode, attempts: 3, totalRetryDelay: 300 });

export const failed = (service: AwsService, pick: number) => named(one(FAILS[service], pick));
export const throttled = (service: AwsService, pick: number) => named(one(THROTTLES[service], pick));

/** Whether the call took effect is not known. */
export function silent(pick: number): Error {
  const { name, code } = one(SILENCES, pick);
  return Object.assign(new Error(code), { name, code, $metadata: metadata() });
}

/** One of the list; `pick` is in [0, 1). */
export function one<Item>(list: readonly Item[], pick: number): Item {
  return list[Math.floor(pick * list.length)]!;
}

function named({ name, status }: Named): Error {
  const $fault = status < 500 ? 'client' : 'server';
  return Object.assign(new Error(name), { name, $fault, $metadata: metadata(status) });
}
