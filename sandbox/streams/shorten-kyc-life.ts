import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import { live } from '../../functions/adapters/live.ts';
import type { Needs } from '../../functions/domain/ports.ts';
import { clientIdOf } from '../../functions/edge/client-id.ts';
import { scenarios } from '../providers/scenarios.ts';

// The table's variable and grant come with the second; what it does itself is not for a scenario.
export const needs = ['vault', 'kycReviews'] as const;

/** A KYC record as it was put, in the form of a stream. */
type Put = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

/**
 * Plays time for the scenario of a KYC token that does not live long. Nothing in the product knows of it: the record is
 * recognised from outside, by the client's look-up hash, and its end is moved.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  const { vault } = await live(['vault']);
  for (const { dynamodb } of Records) await shorten(dynamodb?.NewImage, vault);
}

async function shorten(put: Put, vault: Needs<['vault']>['vault']): Promise<void> {
  const [id, partnerId, clientId] = [put?.id?.S, put?.partnerId?.S, put?.clientId?.S];
  if (!id || !partnerId || !clientId) return;
  for (const { cpf, kycLifeMs } of scenarios) {
    if (kycLifeMs === undefined || (await clientIdOf({ partnerId, cpf }, vault)) !== clientId) continue;
    await table().send(
      new UpdateCommand({
        TableName: process.env.KYC_RECORDS_TABLE,
        Key: { id },
        UpdateExpression: 'SET expiresAt = issuedAt + :life',
        ExpressionAttributeValues: { ':life': kycLifeMs },
      }),
    );
  }
}

let client: ReturnType<typeof makeClient> | undefined;
const table = () => {
  client ??= makeClient({});
  return client;
};
