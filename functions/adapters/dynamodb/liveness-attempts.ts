import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { LivenessAttempts } from '../../domain/purchase/liveness-ports.ts';
import { isConditionFailed, updateOf, writeRow } from './table.ts';

/** A field of the purchase's row. It has a store of its own: a function that reads a status may write this alone. */
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
        ConditionExpression: '#status = :awaiting AND #liveness.attempt = :was',
        ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#status': 'status' },
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':awaiting': 'AWAITING_MFA',
          ':was': was,
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
