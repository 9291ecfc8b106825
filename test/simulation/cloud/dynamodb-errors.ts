import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';

/** The SDK puts this metadata on the exceptions of DynamoDB. */
const $metadata = { httpStatusCode: 400, attempts: 1, totalRetryDelay: 0 };

/**
 * Errors that come from the content of an item. In a transaction such an error cancels the transaction for that item;
 * DynamoDB does not refuse the request.
 */
const ofItems = new WeakSet<Error>();

export function invalid(message: string): DynamoDBServiceException {
  return clientFault('ValidationException', message);
}

export function invalidForItem(message: string): DynamoDBServiceException {
  const error = invalid(message);
  ofItems.add(error);
  return error;
}

export function isOfItem(error: unknown): error is DynamoDBServiceException {
  return error instanceof DynamoDBServiceException && ofItems.has(error);
}

export function conditionFailed(item?: ConditionalCheckFailedException['Item']) {
  return new ConditionalCheckFailedException({
    message: CONDITION_FAILED.Message,
    $metadata,
    ...(item && { Item: item }),
  });
}

export const CONDITION_FAILED = {
  Code: 'ConditionalCheckFailed',
  Message: 'The conditional request failed',
} as const;

/** `reasons` has one entry per item of the transaction, in the items' order. */
export function cancelled(reasons: CancellationReason[]): TransactionCanceledException {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new TransactionCanceledException({ message, $metadata, CancellationReasons: reasons });
}

export function noTable(): ResourceNotFoundException {
  return new ResourceNotFoundException({ message: 'Requested resource not found', $metadata });
}

/**
 * The reasons that cancel a transaction although its conditions hold (API reference, TransactWriteItems,
 * "Cancellation reasons").
 */
export const BUSY_CODES = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
] as const;

/**
 * The error that a simulation injects into a transaction of `items` writes. The row at index `at` is locked or too
 * busy.
 */
export function cancelledFor(code: (typeof BUSY_CODES)[number], items: number, at = 0) {
  const reason = { Code: code, Message: 'the item cannot be written now' };
  return cancelled(Array.from({ length: items }, (_, each) => (each === at ? reason : { Code: 'None' })));
}

/** The error of a plain write to a row that a transaction locks. */
export function rowConflict(): DynamoDBServiceException {
  return clientFault('TransactionConflictException', 'Transaction is ongoing for the item');
}

/** The error of a repeated transaction with the same token while the first one still runs. */
export function stillInProgress(): DynamoDBServiceException {
  return clientFault('TransactionInProgressException', 'The transaction is in progress');
}

function clientFault(name: string, message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name, $fault: 'client', message, $metadata });
}
