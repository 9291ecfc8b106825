import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deliveryId } from '../../domain/deliveries.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { KycRecord } from '../../domain/kyc.ts';
import type {
  Callbacks,
  Deliveries,
  Delivery,
  Events,
  EvidenceStore,
  KycRecords,
  Random,
} from '../../domain/ports.ts';
import type { Evidence } from '../../domain/screening.ts';
import { find, isConditionFailed, putNew, queryDue, writeAll } from './table.ts';

/** The stores that only put rows and find them again. */
type Client = DynamoDBDocumentClient;

type KycTables = { kycRecords: string; evidence: string };

/** A record and what it was decided by are one write, so neither is there without the other. */
export function kycRecordStore(client: Client, tables: KycTables, random: Random): KycRecords {
  const findRecord = (token: string) => find<KycRecord>({ client, table: tables.kycRecords }, token);
  return {
    findRecord,
    async create(record, evidence) {
      const row = { ...record, id: record.token };
      const items = [
        { Put: putNew(tables.kycRecords, row) },
        { Put: putNew(tables.evidence, evidenceRow(evidence)) },
      ];
      if ((await writeAll(client, items, random)) === 'WRITTEN') return row;
      // Refused, or the answer was lost: the record that is there now came with its own evidence.
      const there = await findRecord(record.token);
      if (!there) throw new Unavailable('the KYC records table');
      return there;
    },
  };
}

/** Append-only: a decision's id is its subject, kind and instant, and a second put of it changes nothing. */
export function evidenceStore(client: Client, table: string): EvidenceStore {
  return {
    async record(evidence) {
      await ignoreExisting(client.send(new PutCommand(putNew(table, evidenceRow(evidence)))));
    },
  };
}

function evidenceRow(evidence: Evidence) {
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
    async markTaken(id) {
      await client.send(
        new UpdateCommand({ TableName: table, Key: { id }, UpdateExpression: 'REMOVE sweep' }),
      );
    },
  };
}

/** `due` is a delivery's key in the sparse index of what is to be sent. */
export function deliveryStore(client: Client, table: string): Deliveries {
  return {
    findDelivery: (eventId, endpointId) => find<Delivery>({ client, table }, deliveryId(eventId, endpointId)),
    listDue: (now, limit) =>
      queryDue(
        { client, table },
        {
          KeyConditionExpression: 'due = :key AND nextAttemptAt <= :now',
          ExpressionAttributeValues: { ':key': 'DELIVERY', ':now': now },
          Limit: limit,
        },
      ),
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
          new PutCommand(
            putNew(table, { ...callback, ttl: Math.ceil(callback.at / 1000) + CALLBACK_LIFE_SECONDS }),
          ),
        ),
      );
    },
  };
}

async function ignoreExisting(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
  }
}
