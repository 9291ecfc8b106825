import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';

export type Store = { client: DynamoDBDocumentClient; table: string };
export type WriteItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const CONFLICT_TRIES = 6;
const CONFLICT_PAUSE_MS = 20;

/** A consistent read by `id`. The caller names the row's type: only this project writes these tables. */
export async function find<Row>({ client, table }: Store, id: string): Promise<Row | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  return Item as Row | undefined;
}

/** Puts the row where there is none; answers the row that is there now, so a repeated call sees the first. */
export async function putIfAbsent<Row extends { id: string }>(store: Store, row: Row): Promise<Row> {
  try {
    await store.client.send(
      new PutCommand({
        TableName: store.table,
        Item: row,
        ConditionExpression: 'attribute_not_exists(id)',
      }),
    );
    return row;
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    return (await find<Row>(store, row.id))!;
  }
}

export function isConditionFailed(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof ConditionalCheckFailedException;
}

/**
 * All of `items` or none. False where a condition did not hold. Two writers on one row at the same time meet
 * `TransactionConflict`, which says nothing about the conditions, so it is tried again with jitter.
 */
export async function writeTogether(client: DynamoDBDocumentClient, items: WriteItem[]): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }));
      return true;
    } catch (error) {
      const reasons = cancellationsOf(error);
      if (reasons.includes('ConditionalCheckFailed')) return false;
      if (!reasons.includes('TransactionConflict') || attempt === CONFLICT_TRIES) throw error;
      await pause(Math.random() * CONFLICT_PAUSE_MS * 2 ** attempt);
    }
  }
}

function cancellationsOf(error: unknown): string[] {
  if (!(error instanceof TransactionCanceledException)) throw error;
  return (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** `SET #a = :a, …` for every defined entry of `set` and `REMOVE #b, …`, with their names and values. */
export function updateOf(set: Record<string, unknown>, remove: readonly string[] = []) {
  const entries = Object.entries(set).filter(([, value]) => value !== undefined);
  const removal = remove.length > 0 ? ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : '';
  return {
    UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}${removal}`,
    ExpressionAttributeNames: Object.fromEntries(
      [...entries.map(([name]) => name), ...remove].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
  };
}
