import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { eventRow } from '../../functions/adapters/dynamodb/records.ts';
import { newId } from './ports.ts';
import { dynamo, physical } from './sandbox.ts';

type Place = { client: DynamoDBDocumentClient; table: string };

const inSharedSandbox = (): Place => ({ client: dynamo(), table: physical('TablesEvents') });

/**
 * Writes `count` events of a partner as the service writes them, so that the outbox delivers them. Returns their ids
 * in the order of writing.
 */
export async function announce(partnerId: string, count: number, place?: Place): Promise<string[]> {
  const { client, table } = place ?? inSharedSandbox();
  const ids = Array.from({ length: count }, () => `${newId()}.1`);
  const put = (id: string) => {
    const data = { transactionId: id.split('.')[0], status: 'EXPIRED', sequence: 1 };
    const type = 'transaction.expired' as const;
    const Item = eventRow({ id, partnerId, type, sequence: 1, at: Date.now(), data });
    return client.send(new PutCommand({ TableName: table, Item }));
  };
  await Promise.all(ids.map(put));
  return ids;
}
