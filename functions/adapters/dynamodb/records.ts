import { type DynamoDBDocumentClient, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Delivery, deliveryId, type Pace } from '../../domain/deliveries.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { Callbacks, Deliveries, Events, EvidenceStore } from '../../domain/ports.ts';
import type { Evidence } from '../../domain/screening.ts';
import { find, isDone, putNew, queryDue } from './table.ts';

/** The stores that only put rows and find them again. */
type Client = DynamoDBDocumentClient;

/** Append-only: a decision's id is its subject, kind and instant, and a second put of it changes nothing. */
export function evidenceStore(client: Client, table: string): EvidenceStore {
  return {
    async record(evidence) {
      await ignoreExisting(client.send(new PutCommand(putNew(table, evidenceRow(evidence)))));
    },
  };
}

export function evidenceRow(evidence: Evidence) {
  return { ...evidence, id: `${evidence.subject}#${evidence.kind}#${evidence.at}` };
}

export function eventStore(client: Client, table: string): Events {
  return {
    findEvent: (id) => find<DomainEvent>({ client, table }, id),
    async listUndelivered(before, limit) {
      return queryDue(
        { client, table },
        {
          KeyConditionExpression: 'sweep = :key AND #at <= :before',
          ExpressionAttributeNames: { '#at': 'at' },
          ExpressionAttributeValues: { ':key': 'EVENT', ':before': before },
          Limit: limit,
        },
      );
    },
    async assign(id, endpointIds) {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression: 'SET endpointIds = if_not_exists(endpointIds, :ids)',
          ExpressionAttributeValues: { ':ids': endpointIds },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return (Attributes as DomainEvent).endpointIds!;
    },
    async markTaken(id) {
      await client.send(
        new UpdateCommand({ TableName: table, Key: { id }, UpdateExpression: 'REMOVE sweep' }),
      );
    },
  };
}

const paceRowId = (partnerId: string, endpointId: string) => `ENDPOINT#${partnerId}#${endpointId}`;

/**
 * `due` with `lookAt` and `parkedFor` are a delivery's keys in the sparse indexes of what is to be sent and of what is
 * parked.
 */
export function deliveryStore(client: Client, table: string): Deliveries {
  const store = { client, table };
  return {
    findDelivery: (eventId, endpointId) => find<Delivery>(store, deliveryId(eventId, endpointId)),
    listDue: (now, limit) =>
      queryDue(store, {
        KeyConditionExpression: 'due = :key AND lookAt <= :now',
        ExpressionAttributeValues: { ':key': 'DELIVERY', ':now': now },
        Limit: limit,
      }),
    async postpone(id, { now, until }) {
      const postponed = new UpdateCommand({
        TableName: table,
        Key: { id },
        UpdateExpression: 'SET lookAt = :until',
        ConditionExpression: 'lookAt <= :now',
        ExpressionAttributeValues: { ':until': until, ':now': now },
      });
      // Tried, done or parked meanwhile: then that says when to look, if at all.
      await isDone(client.send(postponed));
    },
    async listParked(partnerId) {
      const found: Delivery[] = [];
      const query = {
        TableName: table,
        IndexName: 'parked',
        KeyConditionExpression: 'parkedFor = :partner',
        ExpressionAttributeValues: { ':partner': partnerId },
      };
      for await (const { Items = [] } of paginateQuery({ client }, query))
        found.push(...(Items as Delivery[]));
      return found;
    },
    async save(delivery) {
      const lookAt = delivery.nextAttemptAt;
      const due = lookAt === undefined ? undefined : 'DELIVERY';
      const parkedFor = delivery.status === 'PARKED' ? delivery.partnerId : undefined;
      await client.send(new PutCommand({ TableName: table, Item: { ...delivery, due, lookAt, parkedFor } }));
    },
    findPace: (partnerId, endpointId) => find<Pace>(store, paceRowId(partnerId, endpointId)),
    async savePace(partnerId, endpointId, pace) {
      const condition =
        pace.version === 1
          ? { ConditionExpression: 'attribute_not_exists(id)' }
          : {
              ConditionExpression: '#version = :was',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':was': pace.version - 1 },
            };
      const Item = { ...pace, id: paceRowId(partnerId, endpointId) };
      return isDone(client.send(new PutCommand({ TableName: table, Item, ...condition })));
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
          new PutCommand(
            putNew(table, { ...callback, ttl: Math.ceil(callback.at / 1000) + CALLBACK_LIFE_SECONDS }),
          ),
        ),
      );
    },
  };
}

async function ignoreExisting(write: Promise<unknown>): Promise<void> {
  await isDone(write);
}
