import type { Call } from '../sandbox/cloud/wire.ts';
import type { Counts } from './prices.ts';

type Write = { Put?: unknown; Update?: unknown; Delete?: unknown; ConditionCheck?: unknown };

/**
 * Returns the number of secondary indexes of a table. A write to the table may also write to each of them.
 */
export type Indexes = (table: string) => number;

/**
 * Counts the billed units of one call. It takes each row as at most 1 kB in a write, and at most 4 kB in a
 * read. A write counts once more for each secondary index of the table, which is the highest possible cost.
 */
export function billedFor(
  { service, operation, input }: Pick<Call, 'service' | 'operation' | 'input'>,
  indexes: Indexes,
): Counts {
  if (service === 'dynamodb') return ofTable(operation, input, indexes);
  if (service === 'kms')
    return operation === 'Sign' || operation === 'GetPublicKey' ? { signatures: 1 } : { keyRequests: 1 };
  if (service === 'secretsmanager') return { secretReads: 1 };
  if (service === 'sqs') return { queueRequests: 1 };
  return service === 's3' ? { bucketReads: 1 } : {};
}

function ofTable(operation: string, input: Record<string, unknown>, indexes: Indexes): Counts {
  const written = (table: unknown) => 1 + indexes(String(table));
  if (operation === 'TransactWriteItems') {
    const items = (input.TransactItems ?? []) as Write[];
    // A transaction costs twice.
    return { writeUnits: 2 * items.reduce((sum, item) => sum + unitsOf(item, written), 0) };
  }
  if (operation === 'TransactGetItems')
    return { readUnits: 2 * ((input.TransactItems ?? []) as unknown[]).length };
  if (operation === 'BatchGetItem') return { readUnits: keysIn(input.RequestItems) };
  if (/^(Put|Update|Delete)Item$/.test(operation)) return { writeUnits: written(input.TableName) };
  return { readUnits: input.ConsistentRead === true ? 1 : 0.5 };
}

function unitsOf(item: Write, written: (table: unknown) => number): number {
  const { TableName } = (item.Put ?? item.Update ?? item.Delete ?? {}) as { TableName?: string };
  return TableName === undefined ? 1 : written(TableName);
}

function keysIn(requests: unknown): number {
  const tables = Object.values((requests ?? {}) as Record<string, { Keys?: unknown[] }>);
  return tables.reduce((sum, { Keys = [] }) => sum + Keys.length, 0);
}
