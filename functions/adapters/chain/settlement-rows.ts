import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { Settlement } from '../../domain/settlement.ts';
import { jitter } from './jitter.ts';

export type Item = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Row = Record<string, unknown>;

/** `UNKNOWN`: the answer was lost, the row tells. A list: why each item was refused. */
export type Written = 'WRITTEN' | 'UNKNOWN' | string[];

const CONFLICT_ATTEMPTS = 8;
const REFUSED = 'ConditionalCheckFailed';
const CONFLICTS = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
const BUSY = ['TransactionInProgressException', 'ThrottlingException', 'RequestLimitExceeded'];

/** All of the items or none. Conflicts with other writers are tried again after a random while. */
export async function writeAll(
  { client, random }: { client: DynamoDBDocumentClient; random: Random },
  items: Item[],
): Promise<Written> {
  for (let attempt = 0; attempt < CONFLICT_ATTEMPTS; attempt++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }));
      return 'WRITTEN';
    } catch (error) {
      const codes = reasonsOf(error);
      if (codes.some(isRefused)) return codes;
      if (!codes.some((code) => CONFLICTS.includes(code))) return requireLost(error);
    }
    await jitter(random, 20 * 2 ** attempt);
  }
  return 'UNKNOWN';
}

export function isRefused(code: string | undefined): boolean {
  return code === REFUSED;
}

/** The row is still as the change was computed from. Casts are left out: they are hints. */
export function stillAs(was: Settlement) {
  const owns = was.nonce === undefined ? 'attribute_not_exists(nonce)' : 'nonce = :nonce';
  return {
    ConditionExpression: `${owns} AND NOT #state IN (:confirmed, :failed) AND size(tries) = :tries AND size(attempts) = :attempts`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ...(was.nonce !== undefined && { ':nonce': was.nonce }),
      ':confirmed': 'CONFIRMED',
      ':failed': 'FAILED',
      ':tries': was.tries.length,
      ':attempts': was.attempts.length,
    },
  };
}

export function payKey(transactionId: string): string {
  return `PAY#${transactionId}`;
}

export function toRow(settlement: Settlement): Row {
  const row = { ...settlement, id: payKey(settlement.transactionId), units: String(settlement.units) };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

export function toSettlement({ id: _, units, ...rest }: Row): Settlement {
  return { ...rest, units: BigInt(units as string) } as Settlement;
}

function reasonsOf(error: unknown): string[] {
  const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
  return reasons?.map((reason) => reason.Code ?? 'None') ?? [];
}

/** An outage on the way leaves open whether the write happened; what DynamoDB refuses is our mistake. */
function requireLost(error: unknown): 'UNKNOWN' {
  const { $fault, $metadata, name } = error as { $fault?: string; $metadata?: unknown; name?: string };
  const isOnTheWay = $metadata !== undefined && $fault !== 'client';
  if (isOnTheWay || BUSY.includes(name ?? '')) return 'UNKNOWN';
  throw error;
}
