import { ttlOf } from '../../domain/retention.ts';
import type { OpenReviewCase } from '../../domain/screening/review-case.ts';
import { BY_STATUS } from '../../tables/sharded.ts';
import { keyIn } from './shards.ts';
import { updateOf, type WriteItem } from './table.ts';

/**
 * Opens a review case, as part of the write of the KYC record that needs it. If the case exists, the write
 * replaces only `token`, `opened` and `ttl`. The facts of the first opening and a reviewer's decision stay. A
 * case that was closed without a decision has no status, so this write opens it again. The search has found
 * the entry on its list, so the mark `entryGone` is removed.
 */
export function openReviewCase(table: string, { id, token, opened, ...first }: OpenReviewCase): WriteItem {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateOf({
    token,
    opened,
    ttl: ttlOf('cases', first.openedAt),
  });
  const fields = Object.entries({ ...first, statusKey: keyIn(BY_STATUS, id, first.status) });
  const assignments = fields.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`);
  return {
    Update: {
      TableName: table,
      Key: { id },
      UpdateExpression: `${UpdateExpression}, ${assignments.join(', ')} REMOVE #entryGone`,
      ExpressionAttributeNames: {
        ...ExpressionAttributeNames,
        '#entryGone': 'entryGone',
        ...Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
}
