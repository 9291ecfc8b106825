import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Idempotency, IdempotencyClaim, StoredAnswer } from '../../domain/partners/idempotency-ports.ts';
import type { Cipher, Clock } from '../../domain/ports.ts';
import { RETENTION, retentionEndOf, ttlOf } from '../../domain/retention.ts';
import type { IdempotencyRow } from './rows.ts';
import { isConditionFailed } from './table.ts';

/**
 * Stores the claims and the answers of requests. The store itself checks `expiresAt` of each row, because
 * DynamoDB may delete an expired row days later.
 */
export function idempotencyStore(
  client: DynamoDBDocumentClient,
  table: string,
  { cipher, clock }: { cipher: Cipher; clock: Clock },
): Idempotency {
  return {
    async claim(scope, requestHash, reservation, leaseMs) {
      const id = idempotencyRowId(scope);
      const now = clock.now();
      const row: IdempotencyRow = {
        id,
        requestHash,
        reservation,
        leaseUntil: now + leaseMs,
        // docs/decisions.md, "Idempotency": a key is remembered for 24 hours.
        expiresAt: retentionEndOf(RETENTION.idempotencyKeys.life, now),
      };
      const there = await putUnlessAlive(client, table, row, now);
      if (!there) return { state: 'OURS', reservation };
      // The row is this call's own: the SDK has repeated the write, because the first answer was lost.
      if (there.reservation.seed === reservation.seed) return { state: 'OURS', reservation };
      if (there.requestHash !== requestHash) return { state: 'OTHER_REQUEST' };
      if (there.answer) return { state: 'ANSWERED', answer: await openAnswer(cipher, there.answer, id) };
      return takeOver({ client, table, now }, there, { by: reservation.seed, leaseMs });
    },

    async remember(scope, answer) {
      const id = idempotencyRowId(scope);
      const ciphertext = await cipher.encrypt(JSON.stringify(answer), id);
      await client.send(updateOwnRow(table, id, 'SET answer = :answer', { ':answer': ciphertext }));
    },

    async release(scope) {
      await client.send(
        updateOwnRow(table, idempotencyRowId(scope), 'SET leaseUntil = :zero', { ':zero': 0 }),
      );
    },
  };
}

const idempotencyRowId = (scope: string) => `IDEMPOTENCY#${scope}`;

/**
 * Puts the row and answers undefined. If a row with this id exists and has not expired, nothing is written,
 * and the answer is that row.
 */
async function putUnlessAlive(
  client: DynamoDBDocumentClient,
  table: string,
  row: IdempotencyRow,
  now: number,
) {
  try {
    await client.send(
      new PutCommand({
        TableName: table,
        Item: { ...row, ttl: ttlOf('idempotencyKeys', now) },
        ConditionExpression: 'attribute_not_exists(id) OR expiresAt <= :now',
        ExpressionAttributeValues: { ':now': now },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return undefined;
  } catch (error) {
    if (!isConditionFailed(error) || !error.Item) throw error;
    return unmarshall(error.Item) as IdempotencyRow;
  }
}

type IdempotencyTable = { client: DynamoDBDocumentClient; table: string; now: number };

/**
 * Takes over a request whose lease has run out, because the function that had it crashed or failed. The
 * function that takes over uses the same reservation, so it creates nothing twice. `by` is unique to the
 * claim. If the SDK repeats the write because the first answer was lost, `by` shows that the row is the claim's
 * own.
 */
async function takeOver(
  { client, table, now }: IdempotencyTable,
  row: IdempotencyRow,
  { by, leaseMs }: { by: string; leaseMs: number },
): Promise<IdempotencyClaim> {
  const inProgress = (until: number): IdempotencyClaim => ({
    state: 'IN_PROGRESS',
    retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)),
  });
  if (row.leaseUntil > now) return inProgress(row.leaseUntil);
  const ours: IdempotencyClaim = { state: 'OURS', reservation: row.reservation };
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { id: row.id },
        UpdateExpression: 'SET leaseUntil = :until, takenBy = :by',
        ConditionExpression: 'leaseUntil = :was AND attribute_not_exists(answer)',
        ExpressionAttributeValues: { ':until': now + leaseMs, ':was': row.leaseUntil, ':by': by },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return ours;
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    const there = error.Item && (unmarshall(error.Item) as IdempotencyRow);
    return there?.takenBy === by ? ours : inProgress(now + leaseMs);
  }
}

async function openAnswer(cipher: Cipher, ciphertext: string, id: string): Promise<StoredAnswer> {
  return JSON.parse(await cipher.decrypt(ciphertext, id)) as StoredAnswer;
}

function updateOwnRow(table: string, id: string, expression: string, values: Record<string, unknown>) {
  return new UpdateCommand({
    TableName: table,
    Key: { id },
    UpdateExpression: expression,
    ExpressionAttributeValues: values,
  });
}
