import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { Cancellations } from '../../domain/treasury/settlement-ports.ts';
import { NOT_OVER, payKey } from './settlement-rows.ts';
import { isDone, writeRow } from './table.ts';

/**
 * Asks settlement to cancel (docs/settlement.md, step 8). The wish alone ends nothing and frees no refund; it names no
 * attribute but its own and the state, so that who may ask can be granted no more.
 */
export function cancellations(client: DynamoDBDocumentClient, table: string, random: Random): Cancellations {
  const { ConditionExpression: condition, ExpressionAttributeNames, ExpressionAttributeValues } = NOT_OVER;
  return {
    ask(transactionId, cancellation) {
      const command = new UpdateCommand({
        TableName: table,
        Key: { id: payKey(transactionId) },
        UpdateExpression: 'SET cancel = :cancel',
        // An update makes a row where there is none; only one that began has a state.
        ConditionExpression: `attribute_exists(#state) AND attribute_not_exists(cancel) AND ${condition}`,
        ExpressionAttributeNames,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':cancel': cancellation },
      });
      return isDone(writeRow(() => client.send(command), random));
    },
  };
}
