import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { Cancellations } from '../../domain/treasury/settlement-ports.ts';
import { NOT_OVER, payKey } from './settlement-rows.ts';
import { isDone, updateRow } from './table.ts';

/**
 * Asks for the cancel of a payment (docs/settlement.md, step 8). The request alone ends nothing and allows no refund.
 * The write uses only `cancel` and `state`, so that the function's grant can allow nothing else.
 */
export function cancellations(client: DynamoDBDocumentClient, table: string, random: Random): Cancellations {
  const { ConditionExpression: condition, ExpressionAttributeNames, ExpressionAttributeValues } = NOT_OVER;
  return {
    ask(transactionId, cancellation) {
      const asked = updateRow({ client, table, random }, payKey(transactionId), {
        UpdateExpression: 'SET cancel = :cancel',
        // An update would create a row that is missing. Only a settlement that has begun has a `state`.
        ConditionExpression: `attribute_exists(#state) AND attribute_not_exists(cancel) AND ${condition}`,
        ExpressionAttributeNames,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':cancel': cancellation },
      });
      return isDone(asked);
    },
  };
}
