/** The writes about a client's TOTP codes: docs/decisions.md, "Codes of a challenge". */
import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import { type Client, isLocked } from '../../domain/kyc/client.ts';
import type { AcceptedCode, LockRule } from '../../domain/kyc/client-ports.ts';
import type { ClientRow } from './rows.ts';
import { find, isDone, type SharedStore, updateRow } from './table.ts';

/** The condition that the client is not locked now. */
const IS_OPEN = '(attribute_not_exists(lockedUntil) OR lockedUntil <= :now)';

export function acceptCode(
  store: SharedStore,
  { id, totpCipher }: Pick<Client, 'id' | 'totpCipher'>,
  { step, transactionId, requestId, now }: AcceptedCode,
): Promise<boolean> {
  const accepted = updateRow(store, id, {
    UpdateExpression:
      'SET lastStep = :step, lastTransactionId = :transaction, lastRequestId = :request, ' +
      'wrongCodes = :zero, enrolledAt = if_not_exists(enrolledAt, :now) REMOVE lockedUntil',
    // A code works once, but a client may repeat it for the same purchase until the charge exists. The write also
    // requires the secret with which the code was checked.
    ConditionExpression:
      `${IS_OPEN} AND totpCipher = :cipher AND attribute_not_exists(mustProve) AND ` +
      '(attribute_not_exists(lastStep) OR lastStep < :step OR ' +
      '(lastStep = :step AND lastTransactionId = :transaction))',
    ExpressionAttributeValues: {
      ':step': step,
      ':transaction': transactionId,
      ':request': requestId,
      ':cipher': totpCipher,
      ':zero': 0,
      ':now': now,
    },
  });
  return isDone(accepted);
}

/**
 * The most tries to count one wrong code. A try fails if an accepted code sets the count to zero between the
 * two writes `count` and `lock`.
 */
const COUNT_ROUNDS = 5;

export async function countWrongCode(
  store: SharedStore,
  id: string,
  rule: LockRule,
): Promise<{ lockedUntil?: number }> {
  for (let round = 0; round < COUNT_ROUNDS; round++) {
    if ((await isDone(count(store, id, rule))) || (await isDone(lock(store, id, rule)))) return {};
    const { lockedUntil } = getDefined(await find<ClientRow>(store, id), 'client');
    if (isLocked({ lockedUntil }, rule.now)) return { lockedUntil };
  }
  throw new Unavailable('the count of wrong codes');
}

const count = (store: SharedStore, id: string, { limit, now }: LockRule) =>
  updateRow(store, id, {
    UpdateExpression: 'ADD wrongCodes :one',
    ConditionExpression: `${IS_OPEN} AND wrongCodes < :last`,
    ExpressionAttributeValues: { ':one': 1, ':now': now, ':last': limit - 1 },
  });

const lock = (store: SharedStore, id: string, { limit, now, lockUntil }: LockRule) =>
  updateRow(store, id, {
    UpdateExpression: 'SET lockedUntil = :until, wrongCodes = :zero',
    ConditionExpression: `${IS_OPEN} AND wrongCodes >= :last`,
    ExpressionAttributeValues: { ':until': lockUntil, ':zero': 0, ':now': now, ':last': limit - 1 },
  });

/**
 * Replaces the client's TOTP secret and marks that the client must prove their face. The last accepted code cannot be
 * repeated for its purchase any more.
 */
export async function replaceTotp(
  store: SharedStore,
  id: string,
  { totpCipher, now }: { totpCipher: string; now: number },
): Promise<void> {
  await updateRow(store, id, {
    UpdateExpression:
      'SET totpCipher = :cipher, mustProve = :now, wrongCodes = :zero ' +
      'REMOVE enrolledAt, lockedUntil, lastTransactionId, lastRequestId',
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeValues: { ':cipher': totpCipher, ':now': now, ':zero': 0 },
  });
}

/**
 * Removes the mark `mustProve` that the reset at `resetAt` has set. A later reset needs a proof of its own, so its mark
 * stays.
 */
export async function markProven(store: SharedStore, id: string, resetAt: number): Promise<void> {
  await isDone(
    updateRow(store, id, {
      UpdateExpression: 'REMOVE mustProve',
      ConditionExpression: 'mustProve = :resetAt',
      ExpressionAttributeValues: { ':resetAt': resetAt },
    }),
  );
}
