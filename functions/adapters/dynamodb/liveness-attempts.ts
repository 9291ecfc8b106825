import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { LivenessAttempts } from '../../domain/purchase/liveness-ports.ts';
import { isConditionFailed, updateOf, writeRow } from './table.ts';

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
    async save(id, liveness, was) {
      const { UpdateExpression, ...update } = updateOf({ liveness });
      const command = new UpdateCommand({
        TableName: table,
        Key: { id },
        UpdateExpression,
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
      try {
        await writeRow(() => client.send(command), random);
        return true;
      } catch (error) {
        if (isConditionFailed(error)) return false;
        throw error;
      }
    },
  };
}
