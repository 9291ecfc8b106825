import { TABLE_SCHEMAS, type Tables } from '../support/tables.ts';
import type { Call, Fault } from './call.ts';
import { one } from './cloud/aws-errors.ts';
import { type MemoryDynamoDb, memoryDynamoDb } from './cloud/dynamodb.ts';
import { BUSY_CODES, cancelledFor, rowConflict, stillInProgress } from './cloud/dynamodb-errors.ts';
import { awsFailure } from './cloud-services.ts';
import type { Kernel } from './kernel.ts';

/** The most writes that an index may not show yet. The functions of a world write fewer rows in a second. */
const MOST_STALE = 60;

/**
 * No transaction writes a row of these tables. A plain write therefore never meets a transaction there, and DynamoDB
 * never throws `TransactionConflictException`. The simulation fails when a transaction names one of these tables.
 */
const ALONE = ['requests', 'callbacks', 'deliveries'];
/**
 * Rows of these tables that a transaction does write: the pause of an endpoint ends its period of failures in the same
 * transaction.
 */
const SHARED = /^FAILING#/;
/** In the floats' table, transactions write the rows of the assets, but no price history. */
const isAlone = (table: string, { input }: Operation) => {
  const id = String((input.Key as { id?: unknown } | undefined)?.id);
  return (ALONE.includes(table) && !SHARED.test(id)) || /^price#/.test(id);
};

type Operation = Parameters<NonNullable<MemoryDynamoDb['around']>>[0];

/** The service's tables in memory. Each command is one effect. */
export function openTables(kernel: Kernel): { memory: MemoryDynamoDb; tables: Tables } {
  const memory = memoryDynamoDb(TABLE_SCHEMAS);
  memory.around = (operation, run) =>
    kernel.effect(
      callOf(operation, (pick) => before(pick, run)),
      run,
    );

  function before(pick: number, run: () => object): object {
    memory.staleBy(1 + Math.floor(pick * MOST_STALE));
    try {
      return run();
    } finally {
      memory.staleBy(0);
    }
  }

  const names = Object.fromEntries(TABLE_SCHEMAS.map(({ name }) => [name, name])) as Tables['names'];
  return { memory, tables: { client: memory.client, names } };
}

function callOf(operation: Operation, stale: (pick: number) => object): Call {
  const { operation: name, tables, isWrite, input } = operation;
  const isIndex = name === 'Query' && input.IndexName !== undefined;
  if (!isWrite && !isIndex) requireConsistent(operation);
  return {
    service: 'dynamodb',
    name,
    about: `${tables.join('+')} ${keysOf(input)}`,
    isRead: !isWrite,
    failure: (fault, pick) => dynamoFailure(operation, fault, pick),
    never: neverOf(operation),
    ...(isIndex && { stale }),
  };
}

/** The faults that this call cannot meet, although other calls of the service can. */
function neverOf(operation: Operation): Fault[] {
  const { tables } = operation;
  // The SDK repeats a transaction with the same token, and DynamoDB then answers as at first (API reference,
  // TransactWriteItems).
  if (operation.operation === 'TransactWrite') {
    const ids = keysOf(operation.input).split('+');
    const alone = tables.find((table, item) => ALONE.includes(table) && !SHARED.test(ids[item] ?? ''));
    if (alone) throw new Error(`a transaction writes ${alone}: its plain writes can meet it`);
    return ['TWICE'];
  }
  return isAlone(tables[0]!, operation) ? ['CONFLICT'] : [];
}

/** An eventually consistent read of rows is not simulated, because the stores never do one. */
function requireConsistent({ operation, tables, input }: Operation): void {
  const requests = Object.values((input.RequestItems ?? { only: input }) as Record<string, object>);
  if (requests.some((each) => (each as { ConsistentRead?: boolean }).ConsistentRead !== true))
    throw new Error(`${operation} of ${tables} is not consistent`);
}

function dynamoFailure({ operation, tables }: Operation, fault: Fault, pick: number): Error {
  const isTransaction = operation === 'TransactWrite';
  if (fault === 'CONFLICT' && !isTransaction) return rowConflict();
  const at = Math.floor(pick * tables.length);
  if (fault === 'CONFLICT') return cancelledFor('TransactionConflict', tables.length, at);
  // The integer part of `pick` × items has chosen the item. The fraction chooses the error.
  const fine = (pick * tables.length) % 1;
  if (fault === 'THROTTLE' && isTransaction && fine < 0.5)
    return cancelledFor(one(BUSY_CODES.slice(1), fine * 2), tables.length, at);
  if (fault === 'LOSE' && isTransaction && fine < 0.3) return stillInProgress();
  return awsFailure('dynamodb')(fault, pick);
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
