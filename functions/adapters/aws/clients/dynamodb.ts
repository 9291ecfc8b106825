import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

// A module of ours, so that a lazy import brings the client alone and not every command of its package.
export function makeClient(options: DynamoDBClientConfig): DynamoDBDocumentClient {
  const marshallOptions = { removeUndefinedValues: true };
  return DynamoDBDocumentClient.from(new DynamoDBClient(options), { marshallOptions });
}
