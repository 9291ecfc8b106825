import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  type GlobalSecondaryIndex,
} from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import { startDynoxide } from './dynoxide.ts';
import { awsOptions, physical } from './sandbox.ts';

const PLAIN = ['partners', 'requests', 'evidence', 'clients', 'callbacks', 'settlements'] as const;
/** The sparse index of each table that has one: its constant, and the instant that it is ordered by. */
const INDEXED = {
  transactions: ['sweep', 'nextCheckAt'],
  kycRecords: ['sweep', 'nextCheckAt'],
  events: ['sweep', 'at'],
  deliveries: ['due', 'lookAt'],
} as const;

/** Further indexes: a name, the text that it is keyed by, and the instant that it is ordered by. */
const EXTRA: Partial<Record<TableName, readonly [string, string, string]>> = {
  kycRecords: ['client', 'pendingClientId', 'issuedAt'],
};

type TableName = (typeof PLAIN)[number] | keyof typeof INDEXED;

/** The service's tables somewhere, with the client that the service itself uses. */
export type Tables = { client: DynamoDBDocumentClient; names: Record<TableName, string> };

const allNames = [...PLAIN, ...(Object.keys(INDEXED) as (keyof typeof INDEXED)[])];

/** Those of the shared sandbox: whatever else runs there sees the rows too. */
export function sandboxTables(): Tables {
  const logicalId = (name: string) => `Tables${name[0]!.toUpperCase()}${name.slice(1)}`;
  const names = Object.fromEntries(allNames.map((name) => [name, physical(logicalId(name))]));
  return { client: makeClient(awsOptions()), names: names as Tables['names'] };
}

/** Those of one test file, which nobody else sees. */
export async function startTables(): Promise<Tables & { stop(): Promise<void> }> {
  const database = await startDynoxide([...PLAIN]);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = makeClient({ endpoint: database.url, region: 'sa-east-1', credentials });
  for (const [table, [constant, instant]] of Object.entries(INDEXED)) {
    const input = indexedTable(table, constant, instant);
    const extra = EXTRA[table as TableName];
    await client.send(new CreateTableCommand(extra ? withIndex(input, ...extra) : input));
  }
  const names = Object.fromEntries(allNames.map((name) => [name, name])) as Tables['names'];
  return { client, names, stop: database.stop };
}

/** What is parked, by partner: the deliveries have it besides. */
const PARKED: { attributes: AttributeDefinition[]; index: GlobalSecondaryIndex } = {
  attributes: [
    { AttributeName: 'parkedFor', AttributeType: 'S' },
    { AttributeName: 'parkedAt', AttributeType: 'N' },
  ],
  index: {
    IndexName: 'parked',
    Projection: { ProjectionType: 'ALL' },
    KeySchema: [
      { AttributeName: 'parkedFor', KeyType: 'HASH' },
      { AttributeName: 'parkedAt', KeyType: 'RANGE' },
    ],
  },
};

function indexedTable(TableName: string, constant: string, instant: string): CreateTableCommandInput {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: constant, AttributeType: 'S' },
      // Of the deliveries it is the partner and the instant.
      { AttributeName: instant, AttributeType: TableName === 'deliveries' ? 'S' : 'N' },
      ...(TableName === 'deliveries' ? PARKED.attributes : []),
    ],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'due',
        Projection: { ProjectionType: 'KEYS_ONLY' },
        KeySchema: [
          { AttributeName: constant, KeyType: 'HASH' },
          { AttributeName: instant, KeyType: 'RANGE' },
        ],
      },
      ...(TableName === 'deliveries' ? [PARKED.index] : []),
    ],
  };
}

function withIndex(
  input: CreateTableCommandInput,
  ...[IndexName, key, instant]: readonly [string, string, string]
): CreateTableCommandInput {
  const { AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = input;
  return {
    ...input,
    AttributeDefinitions: [
      ...AttributeDefinitions,
      { AttributeName: key, AttributeType: 'S' },
      { AttributeName: instant, AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      ...GlobalSecondaryIndexes,
      {
        IndexName,
        Projection: { ProjectionType: 'KEYS_ONLY' },
        KeySchema: [
          { AttributeName: key, KeyType: 'HASH' },
          { AttributeName: instant, KeyType: 'RANGE' },
        ],
      },
    ],
  };
}

/** A row as it lies in its table. */
export async function rowIn(
  { client, names }: Tables,
  table: TableName,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const command = new GetCommand({ TableName: names[table], Key: { id }, ConsistentRead: true });
  return (await client.send(command)).Item;
}

type Send = (command: object) => Promise<unknown>;

/** The same tables with something `between` the store and the database. */
export function tapped(tables: Tables, between: (send: Send) => Send): Tables {
  const send = ((command: never) => tables.client.send(command)) as unknown as Send;
  return { ...tables, client: { send: between(send) } as unknown as DynamoDBDocumentClient };
}
