import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { LivenessAttempts } from '../../domain/purchase/liveness-ports.ts';
import { isDone, updateOf, updateRow } from './table.ts';

/**
 * Stores the liveness attempt in the purchase's row. It is a store of its own, so that a function that only reads the
 * status may write this attribute and no other.
 */
export function livenessAttempts(
  client: DynamoDBDocumentClient,
  table: string,
  random: Random,
): LivenessAttempts {
  return {
    save(id, liveness, was) {
      const update = updateOf({ liveness });
      const saved = updateRow({ client, table, random }, id, {
        ...update,
        ConditionExpression: [
          '#status = :awaiting AND #liveness.attempt = :attempt',
          ...(was.urlExpiresAt === undefined ? [] : ['#liveness.urlExpiresAt = :urlExpiresAt']),
        ].join(' AND '),
        ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#status': 'status' },
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':awaiting': 'AWAITING_MFA',
          ':attempt': was.attempt,
          ...(was.urlExpiresAt !== undefined && { ':urlExpiresAt': was.urlExpiresAt }),
        },
      });
      return isDone(saved);
    },
  };
}
