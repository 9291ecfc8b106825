import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** A stored value with the version that a compare-and-set names. */
export type Item<T> = { key: string; value: T; version: number };

/** The simulators' memory. */
export type Store = {
  get<T>(key: string): Promise<Item<T> | undefined>;
  /**
   * Writes. False when the stored version is not `expectedVersion`; 0 means that the item must not exist. Without
   * `expectedVersion` it always writes.
   */
  put(key: string, value: unknown, expectedVersion?: number): Promise<boolean>;
  list<T>(prefix: string): Promise<Item<T>[]>;
};

const CHANGE_TRIES = 50;

/**
 * Reads, changes, and writes by compare-and-set. Repeats after a lost race, and throws after 50 of them. Where `next`
 * answers undefined, the item stays unchanged.
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
  return {
    get: async <T>(key: string) => read<T>(key),
    put: async (key, value, expectedVersion) => {
      const version = items.get(key)?.version ?? 0;
      if (expectedVersion !== undefined && expectedVersion !== version) return false;
      items.set(key, { json: JSON.stringify(value), version: version + 1 });
      return true;
    },
    list: async <T>(prefix: string) =>
      [...items.keys()]
        .filter((key) => key.startsWith(prefix))
        .sort()
        .flatMap((key) => read<T>(key) ?? []),
  };
}

type Row = { id: string; value: string; version: number };

const toItem = <T>(row: Row): Item<T> => ({
  key: row.id,
  value: JSON.parse(row.value) as T,
  version: row.version,
});

/**
 * Keeps the items in one table with the partition key `id`. A listing scans the table, which is fast enough for the
 * few rows of a sandbox.
 */
export function dynamoStore(table: string, client = new DynamoDBClient({})): Store {
  const db = DynamoDBDocumentClient.from(client);
  return {
    get: async <T>(key: string) => {
      const { Item } = await db.send(
        new GetCommand({ TableName: table, Key: { id: key }, ConsistentRead: true }),
      );
      return Item && toItem<T>(Item as Row);
    },
    put: (key, value, expectedVersion) => putRow(db, table, { key, value, expectedVersion }),
    list: async <T>(prefix: string) => (await scan(db, table, prefix)).map((row) => toItem<T>(row)),
  };
}

type Put = { key: string; value: unknown; expectedVersion: number | undefined };

async function putRow(db: DynamoDBDocumentClient, table: string, put: Put): Promise<boolean> {
  const condition =
    put.expectedVersion === undefined
      ? {}
      : put.expectedVersion === 0
        ? { ConditionExpression: 'attribute_not_exists(id)' }
        : { ConditionExpression: '#version = :expected' };
  const expected = put.expectedVersion ? { ':expected': put.expectedVersion } : {};
  try {
    await db.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: put.key },
        UpdateExpression: 'SET #value = :value, #version = if_not_exists(#version, :zero) + :one',
        ExpressionAttributeNames: { '#value': 'value', '#version': 'version' },
        ExpressionAttributeValues: {
          ':value': JSON.stringify(put.value),
          ':zero': 0,
          ':one': 1,
          ...expected,
        },
        ...condition,
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

async function scan(db: DynamoDBDocumentClient, table: string, prefix: string): Promise<Row[]> {
  const rows: Row[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await db.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        FilterExpression: 'begins_with(id, :prefix)',
        ExpressionAttributeValues: { ':prefix': prefix },
        ExclusiveStartKey: from,
      }),
    );
    rows.push(...((page.Items ?? []) as Row[]));
    from = page.LastEvaluatedKey;
  } while (from);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}
