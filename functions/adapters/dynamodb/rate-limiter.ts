import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { RATE_LIMITS, type RateCounts, type RateScope } from '../../domain/partners/rate-limit.ts';
import type { RateLimiter } from '../../domain/partners/rate-limit-ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { isConditionFailed } from './table.ts';

/**
 * Counts the requests of an API key in one row for each key and minute. One conditional write counts a
 * request in all of its scopes, or in none if one scope has reached its limit.
 */
export function rateLimiter(client: DynamoDBDocumentClient, table: string): RateLimiter {
  return {
    async count(keyId, minute, scopes) {
      try {
        const { Attributes } = await client.send(
          rateCommand(table, rateRowId(keyId, minute), minute, scopes),
        );
        return { isAllowed: true, counts: Attributes as RateCounts };
      } catch (error) {
        if (!isConditionFailed(error)) throw error;
        const counts = scopes.map((scope) => [scope, countOf(error.Item?.[scope])]);
        return { isAllowed: false, counts: Object.fromEntries(counts) as RateCounts };
      }
    },
    async findCounts(keyId, minute) {
      const { Item = {} } = await client.send(
        new GetCommand({ TableName: table, Key: { id: rateRowId(keyId, minute) } }),
      );
      return Item as RateCounts;
    },
  };
}

const rateRowId = (keyId: string, minute: number) => `RATE#${keyId}#${minute}`;

function rateCommand(table: string, id: string, minute: number, scopes: RateScope[]): UpdateCommand {
  return new UpdateCommand({
    TableName: table,
    Key: { id },
    UpdateExpression: `SET #ttl = :ttl ADD ${scopes.map((scope) => `#${scope} :one`).join(', ')}`,
    ConditionExpression: scopes
      .map((scope) => `(attribute_not_exists(#${scope}) OR #${scope} < :${scope})`)
      .join(' AND '),
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      ...Object.fromEntries(scopes.map((scope) => [`#${scope}`, scope])),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':ttl': ttlOf('rateCounts', minute * MINUTE_MS),
      ...Object.fromEntries(scopes.map((scope) => [`:${scope}`, RATE_LIMITS[scope]])),
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
}

/** Reads a count from the rejected item, which has DynamoDB's wire form: `{N: "100"}`. */
function countOf(attribute: { N?: string } | undefined): number | undefined {
  return attribute?.N === undefined ? undefined : Number(attribute.N);
}
