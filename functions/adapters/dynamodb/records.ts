import { type DynamoDBDocumentClient, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DomainEvent } from '../../domain/events.ts';
import type { KycRecord } from '../../domain/kyc.ts';
import type {
  Callbacks,
  Deliveries,
  Delivery,
  Events,
  EvidenceStore,
  KycRecords,
} from '../../domain/ports.ts';
import { find, isConditionFailed, putIfAbsent } from './table.ts';

/** The stores that only put rows and find them again. */
type Client = DynamoDBDocumentClient;

export function kycRecordStore(client: Client, table: string): KycRecords {
  const store = { client, table };
  return {
    findRecord: (token) => find<KycRecord>(store, token),
    create: (record) => putIfAbsent(store, { ...record, id: record.token }),
  };
}

/** Append-only: a decision's id is its subject, kind and instant, and a second put of it changes nothing. */
export function evidenceStore(client: Client, table: string): EvidenceStore {
  return {
    async record(evidence) {
      const id = `${evidence.subject}#${evidence.kind}#${evidence.at}`;
      await ignoreExisting(
        client.send(
          new PutCommand({
            TableName: table,
            Item: { ...evidence, id },
            ConditionExpression: 'attribute_not_exists(id)',
          }),
        ),
      );
    },
  };
}

export function eventStore(client: Client, table: string): Events {
  return {
    findEvent: (id) => find<DomainEvent>({ client, table }, id),
    async listUndelivered(before, limit) {
      return queryDue(client, table, {
        KeyConditionExpression: 'sweep = :key AND #at <= :before',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':key': 'EVENT', ':before': before },
        Limit: limit,
      });
    },
    async markTaken(id) {
      await client.send(
        new UpdateCommand({ TableName: table, Key: { id }, UpdateExpression: 'REMOVE sweep' }),
      );
    },
  };
}

/** A delivery's id is `<eventId>#<endpointId>`; `due` is its key in the sparse index of what is to be sent. */
export function deliveryStore(client: Client, table: string): Deliveries {
  return {
    findDelivery: (eventId, endpointId) => find<Delivery>({ client, table }, `${eventId}#${endpointId}`),
    listDue: (now, limit) =>
      queryDue(client, table, {
        KeyConditionExpression: 'due = :key AND nextAttemptAt <= :now',
        ExpressionAttributeValues: { ':key': 'DELIVERY', ':now': now },
        Limit: limit,
      }),
    async save(delivery) {
      const due = delivery.nextAttemptAt === undefined ? {} : { due: 'DELIVERY' };
      await client.send(new PutCommand({ TableName: table, Item: { ...delivery, ...due } }));
    },
  };
}

/** A callback is only a hint: kept as long as a payment may be disputed, then forgotten. */
const CALLBACK_LIFE_SECONDS = 90 * 24 * 60 * 60;

export function callbackStore(client: Client, table: string): Callbacks {
  return {
    async store(callback) {
      await ignoreExisting(
        client.send(
          new PutCommand({
            TableName: table,
            Item: { ...callback, ttl: Math.ceil(callback.at / 1000) + CALLBACK_LIFE_SECONDS },
            ConditionExpression: 'attribute_not_exists(id)',
          }),
        ),
      );
    },
  };
}

type DueQuery = Omit<ConstructorParameters<typeof QueryCommand>[0], 'TableName' | 'IndexName'>;

async function queryDue(client: Client, table: string, query: DueQuery): Promise<string[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({ TableName: table, IndexName: 'due', ...query }),
  );
  return Items.map((item) => String(item.id));
}

async function ignoreExisting(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
  }
}
