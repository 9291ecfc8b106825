import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { findAll } from '../../functions/adapters/dynamodb/find-all.ts';

/** A stored value with its version. A write can require that the stored version is still this one. */
export type Item<T> = { key: string; value: T; version: number };

/**
 * A value to write. With `expectedVersion` 0 the item must not exist yet. Without `expectedVersion` any
 * version is replaced.
 */
export type Put = { key: string; value: unknown; expectedVersion?: number | undefined };

/** The simulators' memory. */
export type Store = {
  get<T>(key: string): Promise<Item<T> | undefined>;
  /** The items under the keys, in their order. The keys differ from each other. */
  getAll(keys: readonly string[]): Promise<(Item<unknown> | undefined)[]>;
  /**
   * Writes a value. False if the stored version is not `expectedVersion`, where 0 means that the item does
   * not exist. Without `expectedVersion` it always writes.
   */
  put(key: string, value: unknown, expectedVersion?: number): Promise<boolean>;
  /**
   * Writes all items, at most 100, or none of them. False if a stored version is not its item's
   * `expectedVersion`.
   */
  putAll(puts: readonly Put[]): Promise<boolean>;
  /** The items directly in a folder, in the order of their keys. The folder of `psp/cob/1` is `psp/cob`. */
  list<T>(folder: string): Promise<Item<T>[]>;
};

const CHANGE_TRIES = 50;

/**
 * Reads a value, changes it with `next`, and writes it if the item has not changed meanwhile. Otherwise it
 * starts again, and throws after 50 tries. If `next` returns undefined, nothing is written.
 */
export async function change<T>(
  store: Store,
  key: string,
  next: (value: T | undefined) => T | undefined,
): Promise<T | undefined> {
  for (let tries = 0; tries < CHANGE_TRIES; tries++) {
    const item = await store.get<T>(key);
    const value = next(item?.value);
    if (value === undefined) return item?.value;
    if (await store.put(key, value, item?.version ?? 0)) return value;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * (tries + 1)));
  }
  throw new Error(`simulator store: too many racing writers of ${key}`);
}

export function memoryStore(): Store {
  const items = new Map<string, { json: string; version: number }>();
  const read = <T>(key: string): Item<T> | undefined => {
    const item = items.get(key);
    return item && { key, value: JSON.parse(item.json) as T, version: item.version };
  };
  const versionOf = (key: string) => items.get(key)?.version ?? 0;
  const putAll: Store['putAll'] = async (puts) => {
    const isExpected = ({ key, expectedVersion }: Put) =>
      expectedVersion === undefined || expectedVersion === versionOf(key);
    if (!puts.every(isExpected)) return false;
    for (const { key, value } of puts)
      items.set(key, { json: JSON.stringify(value), version: versionOf(key) + 1 });
    return true;
  };
  return {
    get: async <T>(key: string) => read<T>(key),
    getAll: async (keys) => keys.map((key) => read(key)),
    put: (key, value, expectedVersion) => putAll([{ key, value, expectedVersion }]),
    putAll,
    list: async <T>(folder: string) =>
      [...items.keys()]
        .filter((key) => folderOf(key) === folder)
        .sort()
        .flatMap((key) => read<T>(key) ?? []),
  };
}

type Row = { folder: string; id: string; value: string; version: number };

/** The part before the last slash, and a name for keys without one, because a key of DynamoDB cannot be empty. */
const folderOf = (key: string): string => key.slice(0, Math.max(key.lastIndexOf('/'), 0)) || 'root';

/** The primary key of an item. Its `id` is the whole key, so that a row can be read by itself. */
export const rowKeyOf = (key: string) => ({ folder: folderOf(key), id: key });

/**
 * The folders that each purchase and each webhook fills. Their rows end after 100 days, because a Pix can be returned
 * for 90. The other rows are settings, or clients whose reviews must not be told again.
 */
const FILLING = /^(stranger\/)?psp\/(cob|pix|txid|callback)$|^webhook-delivery\/|^identity\/link$/;
const LIFE_SECONDS = 100 * 24 * 3600;

const expiryOf = (key: string): number | undefined =>
  FILLING.test(folderOf(key)) ? Math.floor(Date.now() / 1000) + LIFE_SECONDS : undefined;

const toItem = <T>(row: Row): Item<T> => ({
  key: row.id,
  value: JSON.parse(row.value) as T,
  version: row.version,
});

/**
 * Keeps the items in one DynamoDB table with the partition key `folder`, the sort key `id` and the time to live
 * `expiresAt`.
 */
export function dynamoStore(table: string, client = new DynamoDBClient({})): Store {
  const db = DynamoDBDocumentClient.from(client);
  return {
    get: async <T>(key: string) => {
      const { Item } = await db.send(
        new GetCommand({ TableName: table, Key: rowKeyOf(key), ConsistentRead: true }),
      );
      return Item && toItem<T>(Item as Row);
    },
    getAll: async (keys) => {
      const found = await findAll<Row>({ client: db, table }, keys, rowKeyOf);
      return keys.map((key) => found.get(key)).map((row) => row && toItem(row));
    },
    put: (key, value, expectedVersion) => {
      const command = new UpdateCommand(updateOf(table, { key, value, expectedVersion }));
      return isWritten(db.send(command));
    },
    putAll: (puts) => {
      const updates = puts.map((put) => ({ Update: updateOf(table, put) }));
      return isWritten(db.send(new TransactWriteCommand({ TransactItems: updates })));
    },
    list: async <T>(folder: string) => (await query(db, table, folder)).map((row) => toItem<T>(row)),
  };
}

function updateOf(table: string, { key, value, expectedVersion }: Put) {
  const isNew = expectedVersion === 0;
  const condition = isNew ? 'attribute_not_exists(id)' : expectedVersion && '#version = :expected';
  const expiresAt = expiryOf(key);
  return {
    TableName: table,
    Key: rowKeyOf(key),
    UpdateExpression: [
      'SET #value = :value, #version = if_not_exists(#version, :zero) + :one',
      ...(expiresAt ? ['expiresAt = :expiresAt'] : []),
    ].join(', '),
    ...(condition && { ConditionExpression: condition }),
    ExpressionAttributeNames: { '#value': 'value', '#version': 'version' },
    ExpressionAttributeValues: {
      ':value': JSON.stringify(value),
      ':zero': 0,
      ':one': 1,
      ...(expectedVersion && { ':expected': expectedVersion }),
      ...(expiresAt && { ':expiresAt': expiresAt }),
    },
  };
}

async function isWritten(written: Promise<unknown>): Promise<boolean> {
  try {
    await written;
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

/** The errors of a single write if its condition failed, or if a running transaction holds the item. */
const REFUSALS = ['ConditionalCheckFailedException', 'TransactionConflictException'];
const RACES = ['None', 'ConditionalCheckFailed', 'TransactionConflict'];

/**
 * True if the write failed because another writer was faster. A conflict with a running transaction counts as
 * that, too.
 */
function isRefused(error: unknown): boolean {
  if (error instanceof TransactionCanceledException)
    return error.CancellationReasons?.every(({ Code }) => RACES.includes(Code ?? '')) ?? false;
  return error instanceof Error && REFUSALS.includes(error.name);
}

async function query(db: DynamoDBDocumentClient, table: string, folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await db.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'folder = :folder',
        ExpressionAttributeValues: { ':folder': folder },
        ExclusiveStartKey: from,
      }),
    );
    rows.push(...((page.Items ?? []) as Row[]));
    from = page.LastEvaluatedKey;
  } while (from);
  return rows;
}
