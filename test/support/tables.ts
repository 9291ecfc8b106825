import { CreateTableCommand, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import type { TableName } from '../../functions/tables/describe.ts';
import { TABLE_LIST } from '../../functions/tables.ts';
import { memoryDynamoDb } from '../simulation/cloud/dynamodb.ts';
import type { TableSchema } from '../simulation/cloud/tables.ts';
import { startDynoxide } from './dynoxide.ts';
import { awsOptions, physical } from './sandbox.ts';

/** The service's tables for an in-memory database. Tests use the plain table names. */
export const TABLE_SCHEMAS: readonly TableSchema[] = TABLE_LIST.map(({ name, indexes }) => ({
  name,
  indexes: Object.entries(indexes).map(([indexName, { key, sort, sortType, projection }]) => ({
    name: indexName,
    hash: key,
    range: sort,
    rangeType: sortType ?? 'N',
    keysOnly: projection === undefined,
  })),
}));

/** The service's tables in some database, with the client that the service itself uses. */
export type Tables = { client: DynamoDBDocumentClient; names: Record<TableName, string> };

const OWN_NAMES = Object.fromEntries(TABLE_LIST.map(({ name }) => [name, name])) as Tables['names'];

/** The tables of the shared sandbox. Everything else that runs there sees the rows too. */
export function sandboxTables(): Tables {
  const logicalId = (name: string) => `Tables${name[0]!.toUpperCase()}${name.slice(1)}`;
  const names = Object.fromEntries(TABLE_LIST.map(({ name }) => [name, physical(logicalId(name))]));
  return { client: makeClient(awsOptions()), names: names as Tables['names'] };
}

/**
 * Tables in memory for one caller alone. `test/simulation/cloud/dynamodb.test.ts` compares them with the emulator.
 *
 * Each call waits for one to three turns of the event loop. Calls that are made at once therefore interleave in many
 * ways, the same in each run.
 */
export function memoryTables(): Tables {
  const memory = memoryDynamoDb(TABLE_SCHEMAS);
  let calls = 0;
  memory.around = async (_, run) => {
    for (let turns = turnsOfCall(calls++); turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
    return run();
  };
  return { client: memory.client, names: OWN_NAMES };
}

/** A number from 1 to 3 that looks random: the high bits of a multiplicative hash. */
const turnsOfCall = (call: number) => 1 + (((call * 2_654_435_761) >>> 16) % 3);

/** Tables in an emulator for one test file alone. */
export async function startTables(): Promise<Tables & { url: string; stop(): Promise<void> }> {
  const database = await startDynoxide([]);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = makeClient({ endpoint: database.url, region: 'sa-east-1', credentials });
  for (const schema of TABLE_SCHEMAS) await client.send(new CreateTableCommand(tableWith(schema)));
  return { client, names: OWN_NAMES, url: database.url, stop: database.stop };
}

function tableWith({ name: TableName, indexes = [] }: TableSchema): CreateTableCommandInput {
  const types = new Map<string, 'S' | 'N'>([['id', 'S']]);
  for (const { hash, range, rangeType } of indexes) types.set(hash, 'S').set(range!, rangeType!);
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map(({ name, hash, range, keysOnly }) => ({
        IndexName: name,
        Projection: { ProjectionType: keysOnly ? 'KEYS_ONLY' : 'ALL' },
        KeySchema: [
          { AttributeName: hash, KeyType: 'HASH' },
          { AttributeName: range, KeyType: 'RANGE' },
        ],
      })),
    }),
  };
}

/** The stored row of a table. */
export async function rowIn(
  { client, names }: Tables,
  table: TableName,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const command = new GetCommand({ TableName: names[table], Key: { id }, ConsistentRead: true });
  return (await client.send(command)).Item;
}

/** All rows of all tables. */
export async function allRowsIn({ client, names }: Tables): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const TableName of Object.values(names)) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) rows.push(...Items);
  }
  return rows;
}

type Send = (command: object) => Promise<unknown>;

/** The same tables with `between` around each command of a store. */
export function tapped(tables: Tables, between: (send: Send) => Send): Tables {
  const send = ((command: never) => tables.client.send(command)) as unknown as Send;
  // The paginators of AWS's library accept only a real client.
  const client = Object.assign(Object.create(tables.client) as DynamoDBDocumentClient, {
    send: between(send),
  });
  return { ...tables, client };
}
