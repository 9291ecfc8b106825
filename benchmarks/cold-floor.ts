import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

/** The least that a function of this service can do: the plain DynamoDB client reads one row. */
export async function handler({ table, id }: { table: string; id: string }) {
  const client = new DynamoDBClient({});
  const command = new GetItemCommand({ TableName: table, Key: { id: { S: id } }, ConsistentRead: true });
  const { Item } = await client.send(command);
  return { statusCode: 200, body: JSON.stringify({ success: true, data: { isFound: Item !== undefined } }) };
}
