import { randomBytes } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { startDynoxide as startEmulator } from '../../sandbox/cloud/dynoxide.ts';

/** The settings of the settlement book for the tables `settlements` and `transactions` and the local chain. */
export const BOOK_SETTINGS = {
  settlementsTable: 'settlements',
  transactionsTable: 'transactions',
  ledgerTable: 'ledger',
  chainId: 31337,
  random: { bytes: (length: number) => new Uint8Array(randomBytes(length)) },
};

export type Dynoxide = { client: DynamoDBDocumentClient; url: string; stop: () => Promise<void> };

/**
 * Starts an in-memory DynamoDB for one test file, with one table per name. The key is `id`, or `id` in the attribute
 * that `folder` names.
 */
export async function startDynoxide(
  tables: string[],
  { folder }: { folder?: string } = {},
): Promise<Dynoxide> {
  const { url, stop } = await startEmulator();
  const plain = new DynamoDBClient({
    endpoint: url,
    region: 'sa-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  for (const table of tables) await createTable(plain, table, folder ? [folder, 'id'] : ['id']);
  return {
    url,
    client: DynamoDBDocumentClient.from(plain),
    async stop() {
      plain.destroy();
      await stop();
    },
  };
}

/** Stores a purchase as the settlement step finds it: paid, with no claim. */
export async function putPurchase({ client }: Dynoxide, id: string, status = 'PROCESSING'): Promise<void> {
  await client.send(new PutCommand({ TableName: 'transactions', Item: { id, status } }));
}

async function createTable(client: DynamoDBClient, table: string, keys: string[]): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
    }),
  );
}
