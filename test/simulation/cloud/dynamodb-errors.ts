import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';

/** The exceptions of DynamoDB, with what the SDK puts on them. */
const $metadata = { httpStatusCode: 400, attempts: 1, totalRetryDelay: 0 };

/** What an item's own content makes wrong: one item of a transaction is cancelled by it, not the request refused. */
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

/** One reason per item of the transaction, in the items' order. */
export function cancelled(reasons: CancellationReason[]): TransactionCanceledException {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new TransactionCanceledException({ message, $metadata, CancellationReasons: reasons });
}

export function noTable(): ResourceNotFoundException {
  return new ResourceNotFoundException({ message: 'Requested resource not found', $metadata });
}

/** What a simulation injects: another transaction holds one of the rows that a transaction of `items` writes. */
export function transactionConflict(items: number, at = 0): TransactionCanceledException {
  const conflict = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
  return cancelled(Array.from({ length: items }, (_, each) => (each === at ? conflict : { Code: 'None' })));
}

/** The same for a plain write of one row. */
export function rowConflict(): DynamoDBServiceException {
  return clientFault('TransactionConflictException', 'Transaction is ongoing for the item');
}

/** What is left after the SDK's own repetitions. */
export function throttled(): DynamoDBServiceException {
  return clientFault('ThrottlingException', 'Rate exceeded');
}

/** The answer did not come: whether the call took effect is not known. */
export function lostAnswer(): Error {
  return Object.assign(new Error('socket hang up'), {
    name: 'TimeoutError',
    code: 'ECONNRESET',
    $metadata: {},
  });
}

function clientFault(name: string, message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name, $fault: 'client', message, $metadata });
}
