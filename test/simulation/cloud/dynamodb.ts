import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { invalid, noTable } from './dynamodb-errors.ts';
import { type Kind, keyIn, type RowInput, type TransactItem, writeAll, writeOne } from './operations.ts';
import { query, type ReadInput, scan } from './reads.ts';
import { type Change, type MemoryTable, memoryTable, type TableSchema } from './tables.ts';
import { copyIn, copyOut, type Row } from './values.ts';

/** One call. Its input is a copy, because a real call copies the input when it sends it. */
export type Call = { operation: Operation; tables: string[]; isWrite: boolean; input: Readonly<Row> };
/**
 * Runs the call at an instant of its choice, or fails without running it. The caller gets the answer or error of this
 * function.
 */
export type Around = (call: Call, run: () => object) => Promise<object>;
/** A row before and after a write, as a table's stream would report it. */
export type Written = { table: string; id: string; before?: Row; after?: Row };

export type MemoryDynamoDb = {
  client: DynamoDBDocumentClient;
  /** Makes every call an effect of the simulation. */
  around?: Around;
  /** Called with every write in order. The writes of one transaction follow each other. */
  onWrite?: (written: Written) => void;
  /**
   * From now on, index queries answer as before the last `writes` writes. DynamoDB's indexes are only eventually
   * consistent.
   */
  staleBy(writes: number): void;
  /** Every row of a table, for invariants, which change no row. The simulated service does not use it. */
  rows(table: string): readonly Readonly<Row>[];
};

/**
 * The inputs that are simulated. Any other input fails, so that no test passes with an input that the simulation
 * ignores.
 */
const INPUTS = {
  Get: ['TableName', 'Key', 'ConsistentRead', 'ProjectionExpression'],
  Put: ['TableName', 'Item', 'ConditionExpression', 'ReturnValues'],
  Update: ['TableName', 'Key', 'UpdateExpression', 'ConditionExpression', 'ReturnValues'],
  Delete: ['TableName', 'Key', 'ConditionExpression', 'ReturnValues'],
  Query: [
    'TableName',
    'IndexName',
    'KeyConditionExpression',
    'FilterExpression',
    'Limit',
    'ExclusiveStartKey',
  ],
  Scan: ['TableName', 'FilterExpression', 'Limit', 'ExclusiveStartKey', 'ConsistentRead'],
  BatchGet: ['RequestItems'],
  TransactWrite: ['TransactItems', 'ClientRequestToken'],
} as const satisfies Record<string, readonly string[]>;
const OF_MANY = [
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
  'ScanIndexForward',
  'ConsistentRead',
];
type Operation = keyof typeof INPUTS;

const MOST_KEYS = 100;
/** The greatest number of writes by which an index can be stale. */
const LONGEST_STALENESS = 1000;

/**
 * DynamoDB in memory, behind the document client. Every call happens at one instant, and the same calls give the same
 * answers.
 *
 * Pages and throughput have no limit. Faults of the environment are injected by `around`.
 * `test/simulation/cloud/dynamodb.test.ts` compares it with the emulator.
 */
export function memoryDynamoDb(schemas: readonly TableSchema[]): MemoryDynamoDb {
  const tables = new Map(schemas.map((schema) => [schema.name, memoryTable(schema)]));
  const changes: Change[] = [];
  let staleness = 0;

  function tableOf({ TableName = '' }: { TableName?: string }): MemoryTable {
    const table = tables.get(TableName);
    if (!table) throw noTable();
    return table;
  }

  function write(table: MemoryTable, id: string, after: Row | undefined): void {
    const before = table.find(id);
    table.put(id, after);
    changes.unshift({ table, id, before });
    if (changes.length > LONGEST_STALENESS) changes.pop();
    if (memory.onWrite) memory.onWrite(copyOut({ table: table.name, id, before, after }));
  }

  function perform({ operation, input }: Call): object {
    switch (operation) {
      case 'Get':
        return found(projected(tableOf(input).find(keyIn((input as RowInput).Key)), input));
      case 'Query':
        return query(input as ReadInput, tableOf(input), changes.slice(0, staleness));
      case 'Scan':
        return scan(input as ReadInput, tableOf(input));
      case 'BatchGet':
        return batchGet(input, tableOf);
      case 'TransactWrite':
        return writeAll(input.TransactItems as TransactItem[], tableOf, write);
      default:
        return writeOne(operation satisfies Kind, input as RowInput, tableOf(input), write);
    }
  }

  async function send(command: { input: Row }): Promise<object> {
    const call = callOf(command);
    const run = () => ({ $metadata: { httpStatusCode: 200 }, ...perform(call) });
    return memory.around ? memory.around(call, run) : run();
  }

  const memory: MemoryDynamoDb = {
    // Paginators require an instance of the class. This object has the prototype and nothing else of a real client.
    client: Object.assign(Object.create(DynamoDBDocumentClient.prototype) as DynamoDBDocumentClient, {
      send,
    }),
    staleBy(writes) {
      staleness = Math.min(writes, LONGEST_STALENESS);
    },
    rows: (name) => tableOf({ TableName: name }).all(),
  };
  return memory;
}

function found(row: Row | undefined): { Item?: Row } {
  return row ? { Item: copyOut(row) } : {};
}

/** Projects whole attributes only, because the stores never ask for parts of an attribute. */
function projected(
  row: Row | undefined,
  { ProjectionExpression, ExpressionAttributeNames }: Row,
): Row | undefined {
  if (!row || ProjectionExpression === undefined) return row;
  const names = (ExpressionAttributeNames ?? {}) as Record<string, string>;
  const wanted = String(ProjectionExpression).split(/\s*,\s*/);
  if (!wanted.every((name) => /^#?\w+$/.test(name)))
    throw invalid('only whole attributes are projected here');
  const kept = wanted.map((name) => names[name] ?? name);
  return Object.fromEntries(Object.entries(row).filter(([name]) => kept.includes(name)));
}

type RequestItems = Record<string, { Keys: Row[] }>;

function batchGet(input: Readonly<Row>, tableOf: (input: { TableName: string }) => MemoryTable): object {
  const requests = Object.entries(input.RequestItems as RequestItems);
  const ids = requests.flatMap(([name, { Keys }]) => Keys.map((key) => `${name}/${keyIn(key)}`));
  if (ids.length === 0 || ids.length > MOST_KEYS)
    throw invalid('Too many items requested for the BatchGetItem call');
  if (new Set(ids).size < ids.length) throw invalid('Provided list of item keys contains duplicates');
  const Responses = Object.fromEntries(
    requests.map(([name, { Keys }]) => {
      const rows = Keys.map((key) => tableOf({ TableName: name }).find(keyIn(key)));
      return [name, copyOut(rows.filter((row) => row !== undefined))];
    }),
  );
  return { Responses, UnprocessedKeys: {} };
}

function callOf(command: { input: Row }): Call {
  const operation = command.constructor.name.replace(/Command$/, '') as Operation;
  if (!Object.hasOwn(INPUTS, operation)) throw new Error(`${operation} of DynamoDB is not simulated`);
  const input = copyIn(command.input) as Row;
  const unknown = Object.keys(input).filter((name) => ![...INPUTS[operation], ...OF_MANY].includes(name));
  if (unknown.length > 0) throw new Error(`${unknown} of DynamoDB's ${operation} is not simulated`);
  return { operation, tables: tablesOf(input), isWrite: !/Get|Query|Scan/.test(operation), input };
}

function tablesOf({ TableName, TransactItems, RequestItems }: Row): string[] {
  if (typeof TableName === 'string') return [TableName];
  const inputs = ((TransactItems ?? []) as TransactItem[]).flatMap((item) => Object.values(item));
  return [...inputs.map((input) => String(input.TableName)), ...Object.keys(RequestItems ?? {})];
}
