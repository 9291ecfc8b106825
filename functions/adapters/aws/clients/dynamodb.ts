import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

// A separate module, so that a lazy import loads the client alone and not every command of its package.
export function makeClient(options: DynamoDBClientConfig): DynamoDBDocumentClient {
  const marshallOptions = { removeUndefinedValues: true };
  return DynamoDBDocumentClient.from(new DynamoDBClient(options), { marshallOptions });
}
