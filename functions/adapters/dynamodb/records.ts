import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { getDefined } from '../../domain/get.ts';
import { type Delivery, deliveryId, type Pace } from '../../domain/partners/deliveries.ts';
import type { DomainEvent } from '../../domain/partners/events.ts';
import type { Announcements, Deliveries, Events } from '../../domain/partners/webhook-ports.ts';
import type { Random } from '../../domain/ports.ts';
import type { Callbacks } from '../../domain/purchase/callback-ports.ts';
import type { Evidence } from '../../domain/purchase/evidence.ts';
import type { EvidenceStore } from '../../domain/purchase/evidence-ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { DELIVERIES_DUE, DUE, EVIDENCE_DAY } from '../../tables/sharded.ts';
import { eventListKeys } from './event-log.ts';
import type { PurchaseClaim } from './purchase-claims.ts';
import type { CallbackRow, DeliveryRow, EventRow, EvidenceRow } from './rows.ts';
import { keyIn, listDueIds, listFirst, rowIds } from './shards.ts';
import { find, isDone, putNew, type Store, updateRow, writeRow } from './table.ts';

type Client = DynamoDBDocumentClient;

/**
 * Stores evidence, which is never changed. A row's id consists of the decision's subject, kind and instant. A
 * second put of the same decision changes nothing.
 */
export function evidenceStore(client: Client, table: string): EvidenceStore {
  return {
    async record(evidence) {
      await ignoreExisting(client.send(new PutCommand(putNew(table, evidenceRow(evidence)))));
    },
  };
}

/**
 * Stores the evidence in the DynamoDB transaction that opens a purchase. An earlier request may have stored
 * the same evidence. The purchase is then opened without this write.
 */
export function evidenceClaim(table: string, evidence: Evidence): PurchaseClaim {
  return { item: { Put: putNew(table, evidenceRow(evidence)) } };
}

/** The id of a decision's row. */
export function evidenceId({ subject, kind, at }: Pick<Evidence, 'subject' | 'kind' | 'at'>): string {
  return `${subject}#${kind}#${at}`;
}

export function evidenceRow(evidence: Evidence): EvidenceRow {
  const { kind, at } = evidence;
  // Evidence of the publication of a list never expires. It has no personal data, and later decisions refer
  // to it.
  const ttl = kind === 'lists' ? undefined : ttlOf('evidence', at);
  const id = evidenceId(evidence);
  return { ...evidence, id, dayKey: keyIn(EVIDENCE_DAY, id, dayInBrasilia(at)), ttl };
}

/**
 * Makes the row of a new event. The transaction that writes the event also writes the change that the event
 * announces.
 */
export function eventRow(event: DomainEvent): EventRow {
  const { id, at } = event;
  const ttl = ttlOf('events', at);
  return { ...event, ...eventListKeys(event), sweep: keyIn(DUE, id), nextCheckAt: at, ttl };
}

export function announcementStore(client: Client, table: string): Announcements {
  return {
    async announce(event) {
      await ignoreExisting(client.send(new PutCommand(putNew(table, eventRow(event)))));
    },
  };
}

/**
 * The writes of events and deliveries are repeated, because a litigation hold changes the same rows in transactions. A
 * webhook whose result could not be written would be sent twice.
 */
export function eventStore(client: Client, table: string, random: Random): Events {
  const store = { client, table, random };
  return {
    findEvent: (id) => find<DomainEvent>(store, id),
    listUndelivered: (before, limit) => listDueIds(store, DUE, { now: before, limit }),
    async assign(id, endpointIds) {
      const { Attributes } = await updateRow(store, id, {
        UpdateExpression: 'SET endpointIds = if_not_exists(endpointIds, :ids)',
        ExpressionAttributeValues: { ':ids': endpointIds },
        ReturnValues: 'ALL_NEW',
      });
      return getDefined((Attributes as DomainEvent).endpointIds, `endpoints of ${id}`);
    },
    async postpone(id, until) {
      const postponed = updateRow(store, id, {
        UpdateExpression: 'SET nextCheckAt = :until',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':until': until },
      });
      await isDone(postponed);
    },
    async markTaken(id) {
      await updateRow(store, id, { UpdateExpression: 'REMOVE sweep' });
    },
  };
}

/**
 * The id of the row with the `Pace` of one URL, which delays deliveries to a slow endpoint. The id has a
 * digest of the URL, because a URL may be too long for a key.
 */
function paceRowId(partnerId: string, url: string): string {
  return `PACE#${partnerId}#${createHash('sha256').update(url).digest('hex')}`;
}

const INSTANT_DIGITS = 15;
/**
 * The sort key of a partner's deliveries. A partner's id consists of a-z and 0-9, so all keys of one partner
 * lie between `<id>#` and `<id>#~`.
 */
const lookAtOf = (partnerId: string, instant: number) =>
  `${partnerId}#${String(Math.ceil(instant)).padStart(INSTANT_DIGITS, '0')}`;
const afterAllOf = (partnerId: string) => `${partnerId}#~`;

/**
 * Why a delivery waits. `DELIVERY`: it must be sent, for the first time or again. `HELD`: its partner is
 * suspended. `REPLAY`: an operator or the partner has requested to send it again.
 */
type DeliveryWait = 'DELIVERY' | 'HELD' | 'REPLAY';

/**
 * Stores deliveries. A sparse index with the keys `due` and `lookAt` has only the deliveries that wait.
 * `lookAt` begins with the partner's id. One query of each shard therefore finds the next partner, even if
 * one partner has very many deliveries. A second sparse index, with the key `parkedFor`, has only the parked
 * deliveries.
 */
export function deliveryStore(client: Client, table: string, random: Random): Deliveries {
  const store = { client, table, random };
  return {
    findDelivery: (eventId, endpointId) => find<Delivery>(store, deliveryId(eventId, endpointId)),
    listDuePartners: (now) => waitingPartners(store, 'DELIVERY', now),
    listDue: (partnerId, now, limit) => waitingIds(store, 'DELIVERY', { partnerId, now, limit }),
    listHeldPartners: (now) => waitingPartners(store, 'HELD', now),
    listHeld: (partnerId, now, limit) => waitingIds(store, 'HELD', { partnerId, now, limit }),
    listReplayPartners: (now) => waitingPartners(store, 'REPLAY', now),
    listReplays: (partnerId, now, limit) => waitingIds(store, 'REPLAY', { partnerId, now, limit }),
    async postpone({ id, partnerId }, { now, until }) {
      const postponed = updateRow(store, id, {
        UpdateExpression: 'SET lookAt = :until',
        ConditionExpression: 'lookAt <= :now',
        ExpressionAttributeValues: {
          ':until': lookAtOf(partnerId, until),
          ':now': lookAtOf(partnerId, now),
        },
      });
      // The write is refused if another process has saved the delivery meanwhile. The saved row then says
      // when the delivery is due.
      await isDone(postponed);
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
    async save(delivery, begun) {
      const condition = begun && {
        ConditionExpression: 'attribute_not_exists(id) OR openedAt = :begunAt',
        ExpressionAttributeValues: { ':begunAt': begun.openedAt },
      };
      const put = new PutCommand({ TableName: table, Item: toDeliveryRow(delivery), ...condition });
      await isDone(writeRow(() => client.send(put), random));
    },
    findPace: (partnerId, url) => find<Pace>(store, paceRowId(partnerId, url)),
    async savePace(partnerId, url, pace) {
      const condition =
        pace.version === 1
          ? { ConditionExpression: 'attribute_not_exists(id)' }
          : {
              ConditionExpression: '#version = :was',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':was': pace.version - 1 },
            };
      const Item = { ...pace, id: paceRowId(partnerId, url) };
      return isDone(client.send(new PutCommand({ TableName: table, Item, ...condition })));
    },
  };
}

function toDeliveryRow(delivery: Delivery): DeliveryRow {
  const { id, partnerId, status, nextAttemptAt, heldAt, openedAt } = delivery;
  const look = heldAt ?? nextAttemptAt;
  return {
    ...delivery,
    due: look === undefined ? undefined : keyIn(DELIVERIES_DUE, id, deliveryWaiting(delivery)),
    lookAt: look === undefined ? undefined : lookAtOf(partnerId, look),
    parkedFor: status === 'PARKED' ? partnerId : undefined,
    ttl: ttlOf('deliveries', openedAt),
  };
}

function deliveryWaiting({ status, replayedBy }: Delivery): DeliveryWait {
  if (status === 'HELD') return 'HELD';
  return replayedBy === undefined ? 'DELIVERY' : 'REPLAY';
}

async function waitingPartners(store: Store, key: DeliveryWait, now: number): Promise<string[]> {
  const partnerIds: string[] = [];
  for (let from = ' '; ; ) {
    const lookAt = await firstLookAfter(store, key, from);
    if (lookAt === undefined) return partnerIds;
    const partnerId = lookAt.replace(/#.*$/, '');
    if (lookAt <= lookAtOf(partnerId, now)) partnerIds.push(partnerId);
    from = afterAllOf(partnerId);
  }
}

async function firstLookAfter(store: Store, key: DeliveryWait, from: string): Promise<string | undefined> {
  const range = { condition: '#sort > :from', values: { ':from': from } };
  const [first] = await listFirst(store, { index: DELIVERIES_DUE, value: key, range }, 1);
  return first && String(first.lookAt);
}

type DueLook = { partnerId: string; now: number; limit: number };

async function waitingIds(
  store: Store,
  key: DeliveryWait,
  { partnerId, now, limit }: DueLook,
): Promise<string[]> {
  const values = { ':first': lookAtOf(partnerId, 0), ':now': lookAtOf(partnerId, now) };
  const range = { condition: '#sort BETWEEN :first AND :now', values };
  return rowIds(await listFirst(store, { index: DELIVERIES_DUE, value: key, range }, limit));
}

/**
 * Stores provider callbacks. Each fact in a callback is read again at the provider, so the row is kept only
 * for a short time.
 */
export function callbackStore(client: Client, table: string): Callbacks {
  return {
    async store(callback) {
      const row: CallbackRow = { ...callback, ttl: ttlOf('callbacks', callback.at) };
      await ignoreExisting(client.send(new PutCommand(putNew(table, row))));
    },
  };
}

async function ignoreExisting(write: Promise<unknown>): Promise<void> {
  await isDone(write);
}
