import { TABLE_SCHEMAS, type Tables } from '../support/tables.ts';
import { type MemoryDynamoDb, memoryDynamoDb } from './cloud/dynamodb.ts';
import { lostAnswer, rowConflict, throttled, transactionConflict } from './cloud/dynamodb-errors.ts';
import { awsFailure } from './cloud-services.ts';
import type { Fault } from './faults.ts';
import type { Kernel } from './kernel.ts';

/** The service's tables in memory, every command of theirs one effect. */
export function openTables(kernel: Kernel): { memory: MemoryDynamoDb; tables: Tables } {
  const memory = memoryDynamoDb(TABLE_SCHEMAS);
  memory.around = (call, run) => {
    const { operation, tables, isWrite, input } = call;
    const failure = (fault: Fault) => dynamoFailure(fault, call);
    const about = `${tables.join('+')} ${keysOf(input)}`;
    const isIndex = operation === 'Query' && input.IndexName !== undefined;
    const stale = () => {
      memory.staleBy(10);
      try {
        return run();
      } finally {
        memory.staleBy(0);
      }
    };
    const never =
      isWrite && !SHARED_ROWS.includes(tables[0]!) && operation !== 'TransactWrite'
        ? ['CONFLICT' as const]
        : [];
    return kernel.effect(
      {
        service: 'dynamodb',
        name: operation,
        about,
        isRead: !isWrite,
        failure,
        never,
        ...(isIndex && { stale }),
      },
      run,
    );
  };
  const names = Object.fromEntries(TABLE_SCHEMAS.map(({ name }) => [name, name])) as Tables['names'];
  return { memory, tables: { client: memory.client, names } };
}

/** Tables whose rows are written alone and within transactions. */
const SHARED_ROWS = ['transactions', 'clients', 'kycRecords', 'strays'];

function dynamoFailure(fault: Fault, { operation, tables }: { operation: string; tables: string[] }): Error {
  if (fault === 'THROTTLE') return throttled();
  if (fault === 'CONFLICT')
    return operation === 'TransactWrite' ? transactionConflict(tables.length) : rowConflict();
  return fault === 'FAIL' ? awsFailure(fault) : lostAnswer();
}

function keysOf(input: Readonly<Record<string, unknown>>): string {
  const { Key, Item, TransactItems, IndexName, RequestItems } = input as {
    Key?: { id: string };
    Item?: { id: string };
    TransactItems?: Record<string, Record<string, unknown>>[];
    IndexName?: string;
    RequestItems?: object;
  };
  if (TransactItems) return TransactItems.map((item) => keysOf(Object.values(item)[0]!)).join('+');
  return Key?.id ?? Item?.id ?? IndexName ?? Object.keys(RequestItems ?? {}).join();
}
