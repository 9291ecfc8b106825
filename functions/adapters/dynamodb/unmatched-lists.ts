import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { UnmatchedPayment } from '../../domain/purchase/unmatched-payment.ts';
import type { UnmatchedLists } from '../../domain/purchase/unmatched-payment-ports.ts';
import { rowIds } from './shards.ts';
import { find } from './table.ts';

export function unmatchedLists(client: DynamoDBDocumentClient, table: string): UnmatchedLists {
  return {
    async listOf(transactionId) {
      const query = {
        TableName: table,
        IndexName: 'ofTransaction',
        KeyConditionExpression: 'transactionId = :transaction',
        ExpressionAttributeValues: { ':transaction': transactionId },
      };
      const ids: string[] = [];
      for await (const { Items = [] } of paginateQuery({ client }, query)) ids.push(...rowIds(Items));
      const found = await Promise.all(ids.map((id) => find<UnmatchedPayment>({ client, table }, id)));
      return found.filter((payment) => payment !== undefined);
    },
  };
}
