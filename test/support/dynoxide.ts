import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export type Dynoxide = { client: DynamoDBDocumentClient; url: string; stop: () => Promise<void> };

/** A DynamoDB of one test file, in memory, with one table per name, keyed by `id`. */
export async function startDynoxide(tables: string[]): Promise<Dynoxide> {
  const port = await freePort();
  const binary = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  const child = spawn(binary, ['serve', '--port', String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const plain = new DynamoDBClient({
    endpoint: url,
    region: 'sa-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 20,
  });
  for (const table of tables) await createTable(plain, table);
  return {
    url,
    client: DynamoDBDocumentClient.from(plain),
    async stop() {
      plain.destroy();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function createTable(client: DynamoDBClient, table: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
