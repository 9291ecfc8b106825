import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import type { Random } from '../../domain/ports.ts';
import type { ShardedKey } from '../../tables/sharded.ts';
import { jitter } from '../jitter.ts';
import type { ShardedAttribute } from './rows.ts';

export type Store = { client: DynamoDBDocumentClient; table: string };
export type WriteItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const LONGEST_KEY_BYTES = 2048;
const CONFLICT_ATTEMPTS = 8;
const CONFLICT_PAUSE_MS = 20;
const CONFLICTS = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
const BUSY = [
  'TransactionInProgressException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'ProvisionedThroughputExceededException',
];

/**
 * Reads a row consistently. The caller names the row's type. It is not checked, because only this project
 * writes the tables.
 */
export async function find<Row>({ client, table }: Store, id: string): Promise<Row | undefined> {
  // The id may come from a caller's URL. DynamoDB refuses a key longer than `LONGEST_KEY_BYTES`, so no row
  // can have this id.
  if (Buffer.byteLength(id) > LONGEST_KEY_BYTES) return undefined;
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  return Item as Row | undefined;
}

/** Writes the row unless it exists, and returns the stored row. A repeated call therefore gets the first row. */
export async function putIfAbsent<Row extends ShardedFields & { id: string }>(
  store: Store,
  row: Row,
): Promise<Row> {
  try {
    await store.client.send(new PutCommand(putNew(store.table, row)));
    return row;
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    return getDefined(await find<Row>(store, row.id), `row in ${store.table} that a put has met`);
  }
}

/**
 * Attributes of a row. A key of a sharded index must be a `ShardedKey`, which contains the number of the
 * shard.
 */
type ShardedFields = { [Name in ShardedAttribute]?: ShardedKey | undefined };

/** A put that is refused if the row exists. */
export function putNew<Row extends ShardedFields & { id?: unknown }>(table: string, row: Row) {
  return { TableName: table, Item: row, ConditionExpression: 'attribute_not_exists(id)' };
}

export function isConditionFailed(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof ConditionalCheckFailedException;
}

/** False if the write was refused because the row does not meet its condition. */
export async function isDone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConditionFailed(error)) return false;
    throw error;
  }
}

/**
 * The outcome of a write. `UNKNOWN`: the write may have happened, so the caller must read the rows. A list:
 * nothing was written. Its entries are DynamoDB's reason codes, one for each item in order. The code of an
 * item that was not refused is `None`.
 */
export type Written = 'WRITTEN' | 'UNKNOWN' | string[];

/**
 * Writes all of `items` or none. If another transaction is writing one of the rows, DynamoDB answers
 * `TransactionConflict` without checking the conditions. The write is then repeated after a random pause, up
 * to `CONFLICT_ATTEMPTS` times. After the last one the outcome is `UNKNOWN`.
 */
export async function writeAll(
  client: DynamoDBDocumentClient,
  items: WriteItem[],
  random: Random,
  send = sendAll,
): Promise<Written> {
  for (let attempt = 0; attempt < CONFLICT_ATTEMPTS; attempt++) {
    try {
      await send(client, items);
      return 'WRITTEN';
    } catch (error) {
      const codes = reasonsOf(error);
      if (codes.some(isRefused)) return codes;
      if (!codes.some((code) => CONFLICTS.includes(code))) return requireLost(error);
    }
    await jitter(random, CONFLICT_PAUSE_MS * 2 ** attempt);
  }
  return 'UNKNOWN';
}

/**
 * Sends a write of one row, and repeats it while a transaction is writing the same row. During that time
 * DynamoDB refuses the write without checking its condition, and the SDK does not repeat it. Throws
 * `Unavailable` after `CONFLICT_ATTEMPTS` refusals.
 */
export async function writeRow<Answer>(write: () => Promise<Answer>, random: Random): Promise<Answer> {
  for (let attempt = 0; attempt < CONFLICT_ATTEMPTS; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TransactionConflictException') throw error;
    }
    await jitter(random, CONFLICT_PAUSE_MS * 2 ** attempt);
  }
  throw new Unavailable('a row that others write');
}

/**
 * A table whose rows are also written by transactions. `random` gives the pauses before a refused write is repeated.
 */
export type SharedStore = Store & { random: Random };
export type RowUpdate = Omit<UpdateCommandInput, 'TableName' | 'Key'>;

/** Updates a row. Repeats the update while a transaction is writing the same row, as `writeRow` does. */
export const updateRow = ({ client, table, random }: SharedStore, id: string, update: RowUpdate) =>
  writeRow(() => client.send(new UpdateCommand({ TableName: table, Key: { id }, ...update })), random);

export function isRefused(code: string | undefined): boolean {
  return code === 'ConditionalCheckFailed';
}

/**
 * Writes for a caller that must know whether its own write succeeded. If an answer is lost, the SDK repeats
 * the request. A DynamoDB transaction has an idempotency token, so the repeated request gets the first
 * answer. A plain write would be refused when it is repeated, because it has already changed the row.
 */
export function writeKnowingly(
  client: DynamoDBDocumentClient,
  items: WriteItem[],
  random: Random,
): Promise<Written> {
  return writeAll(client, items, random, sendTogether);
}

async function sendTogether(client: DynamoDBDocumentClient, items: WriteItem[]): Promise<void> {
  await client.send(new TransactWriteCommand({ TransactItems: items }));
}

/**
 * Sends a single item as a plain write, which costs half as much as a transaction. If the answer is lost, the
 * SDK repeats the write. The repeated write may be refused, because the first one has already changed the
 * row.
 */
async function sendAll(client: DynamoDBDocumentClient, items: WriteItem[]): Promise<void> {
  const [only = {}, ...others] = items;
  if (others.length === 0 && only.Put) await client.send(new PutCommand(only.Put));
  else if (others.length === 0 && only.Update) await client.send(new UpdateCommand(only.Update));
  else await sendTogether(client, items);
}

/**
 * The reason code of each item in a failed write. A plain write has one item. Empty if the error has no
 * reason codes.
 */
function reasonsOf(error: unknown): string[] {
  if (isConditionFailed(error)) return ['ConditionalCheckFailed'];
  if (error instanceof Error && error.name === 'TransactionConflictException') return ['TransactionConflict'];
  const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
  return reasons?.map((reason) => reason.Code ?? 'None') ?? [];
}

/**
 * Returns `UNKNOWN` if DynamoDB may have done the write: an answer is lost, DynamoDB failed, or it was busy.
 * Throws any other error, because it is a bug of ours.
 */
function requireLost(error: unknown): 'UNKNOWN' {
  const { $fault, $metadata, name } = error as { $fault?: string; $metadata?: unknown; name?: string };
  const isOnTheWay = $metadata !== undefined && $fault !== 'client';
  if (isOnTheWay || BUSY.includes(name ?? '')) return 'UNKNOWN';
  throw error;
}

/**
 * Builds an update. It sets each entry of `set` that is not undefined, and removes the attributes named in
 * `remove`.
 */
export function updateOf(set: ShardedFields & Record<string, unknown>, remove: readonly string[] = []) {
  const entries = Object.entries(set).filter(([, value]) => value !== undefined);
  const setting =
    entries.length > 0 ? `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}` : '';
  const removal = remove.length > 0 ? `REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : '';
  return {
    UpdateExpression: `${setting} ${removal}`.trim(),
    ExpressionAttributeNames: Object.fromEntries(
      [...entries.map(([name]) => name), ...remove].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}
