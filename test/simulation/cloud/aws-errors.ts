/**
 * The errors that a correct call of AWS can meet. The names are those of the API references ("Errors" of each action,
 * "Common errors") and of the SDK's `@throws`.
 *
 * Three kinds of errors are left out: mistakes of ours, quotas that we never come near, and acts of an operator.
 * Examples are `AccessDenied`, `DisabledException` and `ExecutionLimitExceeded`.
 */
export type AwsService = 'dynamodb' | 'kms' | 'sfn' | 'sqs' | 'secrets';
type Named = { name: string; status: number };

/** The service failed and did nothing. */
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

/** The service gets too many requests. */
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

/** No answer came: the SDK timed out, the connection broke, or no connection was made. */
const SILENCES = [
  { name: 'TimeoutError', code: 'ETIMEDOUT' },
  { name: 'Error', code: 'ECONNRESET' },
  { name: 'Error', code: 'EPIPE' },
];

/** The metadata after the SDK's own repetitions, which all met the same error. */
const metadata = (httpStatusCode?: number) => ({ httpStatusCode, attempts: 3, totalRetryDelay: 300 });

export const failed = (service: AwsService, pick: number) => named(one(FAILS[service], pick));
export const throttled = (service: AwsService, pick: number) => named(one(THROTTLES[service], pick));

/** The error after which the caller does not know whether the call took effect. */
export function silent(pick: number): Error {
  const { name, code } = one(SILENCES, pick);
  return Object.assign(new Error(code), { name, code, $metadata: metadata() });
}

/** Chooses one entry of the list. `pick` is in [0, 1). */
export function one<Item>(list: readonly Item[], pick: number): Item {
  return list[Math.floor(pick * list.length)]!;
}

function named({ name, status }: Named): Error {
  const $fault = status < 500 ? 'client' : 'server';
  return Object.assign(new Error(name), { name, $fault, $metadata: metadata(status) });
}
