import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Client } from '../../domain/challenge.ts';
import type { Clients } from '../../domain/ports.ts';
import { find, isConditionFailed, putIfAbsent } from './table.ts';

export function clientStore(client: DynamoDBDocumentClient, table: string): Clients {
  const store = { client, table };
  return {
    findClient: (id) => find<Client>(store, id),
    create: (row) => putIfAbsent(store, row),

    async acceptCode(id, step, transactionId, now) {
      try {
        await client.send(
          new UpdateCommand({
            TableName: table,
            Key: { id },
            UpdateExpression:
              'SET lastStep = :step, lastTransactionId = :transaction, wrongCodes = :zero, ' +
              'enrolledAt = if_not_exists(enrolledAt, :now)',
            // A code is good once; the same code for the same purchase may come again until its charge exists.
            ConditionExpression:
              'attribute_not_exists(lastStep) OR lastStep < :step OR ' +
              '(lastStep = :step AND lastTransactionId = :transaction)',
            ExpressionAttributeValues: {
              ':step': step,
              ':transaction': transactionId,
              ':zero': 0,
              ':now': now,
            },
          }),
        );
        return true;
      } catch (error) {
        if (isConditionFailed(error)) return false;
        throw error;
      }
    },

    async countWrongCode(id, limit, lockUntil) {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression: 'ADD wrongCodes :one',
          ExpressionAttributeValues: { ':one': 1 },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      if (Number(Attributes?.wrongCodes) < limit) return;
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression: 'SET lockedUntil = :until, wrongCodes = :zero',
          ExpressionAttributeValues: { ':until': lockUntil, ':zero': 0 },
        }),
      );
    },
  };
}
