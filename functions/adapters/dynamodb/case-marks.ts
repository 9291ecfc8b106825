import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { CaseMarks } from '../../domain/screening/review-case-ports.ts';
import { listOpenCases } from './case-rows.ts';
import { isDone, updateOf, updateRow } from './table.ts';

export function caseMarkStore(client: DynamoDBDocumentClient, table: string, random: Random): CaseMarks {
  return {
    listOpen: () => listOpenCases({ client, table }),
    async mark(id, gone) {
      const changes = updateOf({ entryGone: gone }, gone ? [] : ['entryGone']);
      const marked = updateRow({ client, table, random }, id, {
        ...changes,
        ConditionExpression: '#status = :open',
        ExpressionAttributeNames: { ...changes.ExpressionAttributeNames, '#status': 'status' },
        ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ':open': 'OPEN' },
      });
      // If the status is not `OPEN`, a reviewer has decided the case meanwhile. Nothing is written then,
      // because the decision counts.
      await isDone(marked);
    },
  };
}
