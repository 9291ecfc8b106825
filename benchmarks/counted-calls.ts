import type { Call } from '../sandbox/cloud/wire.ts';
import type { Counts } from './prices.ts';

const READS = /^(Get|BatchGet|TransactGet|Query|Scan)/;

/**
 * Counts the billed units of one call. `units` are the capacity units of a call of DynamoDB, as the emulator computes
 * them from the sizes of rows, from indexes and from transactions.
 */
export function billedFor({ service, operation }: Pick<Call, 'service' | 'operation'>, units = 0): Counts {
  if (service === 'dynamodb') return READS.test(operation) ? { readUnits: units } : { writeUnits: units };
  if (service === 'kms')
    return operation === 'Sign' || operation === 'GetPublicKey' ? { signatures: 1 } : { keyRequests: 1 };
  if (service === 'secretsmanager') return { secretReads: 1 };
  if (service === 'sqs') return { queueRequests: 1 };
  return service === 's3' ? { bucketReads: 1 } : {};
}
