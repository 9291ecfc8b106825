import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

// This is a module of its own, so that a lazy import loads only the client and not every command of its package.
export function makeClient(options: DynamoDBClientConfig): DynamoDBDocumentClient {
  const marshallOptions = { removeUndefinedValues: true };
  return DynamoDBDocumentClient.from(new DynamoDBClient(options), { marshallOptions });
}
