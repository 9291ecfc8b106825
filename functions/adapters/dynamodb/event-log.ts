/** Reads the events that a partner lists. */
import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DomainEvent } from '../../domain/partners/events.ts';
import type { EventLog, EventPage, EventsWanted, EventTargets } from '../../domain/partners/webhook-ports.ts';
import { findAll } from './find-all.ts';
import type { EventRow } from './rows.ts';
import { isDone, type Store } from './table.ts';

const INSTANT_DIGITS = 15;
/** An instant as text that sorts by time. No event is older than 1970, and a minus sign would not sort. */
const paddedTime = (at: number) => String(Math.max(0, at)).padStart(INSTANT_DIGITS, '0');
const AFTER_ALL = '~';
/** Almost no purchase has more events than this, so one call usually reads all. */
const OF_TRANSACTION = 50;

/**
 * The key of a list of events. A partner's id consists of a-z and 0-9, so `#` ends it. Each type of event has
 * its own list, so that the events of one partner spread over several partitions of DynamoDB.
 */
const listKeyOf = (partnerId: string, type: string) => `${partnerId}#${type}`;

/** The keys of the index `ofPartner`: the list of the event, and its place in the list. No two events share a place. */
export const eventListKeys = ({ id, partnerId, type, at }: DomainEvent) => ({
  list: listKeyOf(partnerId, type),
  place: `${paddedTime(at)}#${id}`,
});

export function eventLog(client: DynamoDBDocumentClient, table: string): EventLog {
  const store = { client, table };
  return {
    async listEvents(wanted, page) {
      const { transactionId } = wanted;
      const found = transactionId
        ? await eventsOfTransaction(store, transactionId)
        : await listOfPartner(store, wanted, page);
      const own = found.filter((row) => isEventWanted(row, wanted, page)).sort(byPlace(page));
      const events = own.slice(0, page.limit);
      return { events, ...(own.length > page.limit && { next: events.at(-1)?.place }) };
    },
  };
}

export function eventTargets(client: DynamoDBDocumentClient, table: string): EventTargets {
  return {
    async add(id, endpointId) {
      const added = new UpdateCommand({
        TableName: table,
        Key: { id },
        UpdateExpression: 'SET endpointIds = list_append(endpointIds, :list)',
        ConditionExpression: 'attribute_exists(endpointIds) AND NOT contains(endpointIds, :one)',
        ExpressionAttributeValues: { ':list': [endpointId], ':one': endpointId },
      });
      await isDone(client.send(added));
    },
  };
}

type Placed = { id: string; place: string };

/**
 * The places between which the page's events are. A place is an instant and an event's id. It therefore sorts
 * after the same instant without an id.
 */
function boundsOf({ since = 0, until }: EventsWanted, { order, after }: EventPage) {
  const [first, end] = [paddedTime(since), until === undefined ? AFTER_ALL : paddedTime(until)];
  if (order === 'OLDEST_FIRST') return { above: after ?? first, below: end };
  return { above: first, below: after ?? end };
}

function isEventWanted(row: EventRow, wanted: EventsWanted, page: EventPage): boolean {
  const { above, below } = boundsOf(wanted, page);
  const isOfList = row.partnerId === wanted.partnerId && wanted.types.includes(row.type);
  return isOfList && row.place > above && row.place < below;
}

const byPlace =
  ({ order }: EventPage) =>
  (one: Placed, other: Placed) =>
    one.place < other.place === (order === 'OLDEST_FIRST') ? -1 : 1;

/**
 * Reads at most two rows more than the page has. One is the last row of the previous page, because the bounds
 * of the query are inclusive. The other one is the first row of the next page.
 */
async function listOfPartner(store: Store, wanted: EventsWanted, page: EventPage): Promise<EventRow[]> {
  const most = page.limit + 2;
  const keys = wanted.types.map((type) => listKeyOf(wanted.partnerId, type));
  const queries = keys.map((key) => placesIn(store, eventQuery(key, wanted, page), most));
  const lists = await Promise.all(queries);
  const places = lists.flat().sort(byPlace(page)).slice(0, most);
  const rows = await findAll<EventRow>(
    store,
    places.map(({ id }) => id),
  );
  return [...rows.values()];
}

function eventQuery(list: string, wanted: EventsWanted, page: EventPage) {
  const { above, below } = boundsOf(wanted, page);
  return {
    IndexName: 'ofPartner',
    KeyConditionExpression: '#list = :list AND #place BETWEEN :above AND :below',
    ExpressionAttributeNames: { '#list': 'list', '#place': 'place' },
    ExpressionAttributeValues: { ':list': list, ':above': above, ':below': below },
    ScanIndexForward: page.order === 'OLDEST_FIRST',
  };
}

async function placesIn({ client, table }: Store, query: ReturnType<typeof eventQuery>, most: number) {
  const { Items = [] } = await client.send(new QueryCommand({ TableName: table, Limit: most, ...query }));
  return Items as Placed[];
}

/**
 * Reads the events of one purchase. Their ids are the purchase's id and a number from 1 on, so no index is needed that
 * could lag.
 */
async function eventsOfTransaction(store: Store, transactionId: string): Promise<EventRow[]> {
  const all: EventRow[] = [];
  for (let first = 1; ; first += OF_TRANSACTION) {
    const ids = Array.from({ length: OF_TRANSACTION }, (_, index) => `${transactionId}.${first + index}`);
    const found = await findAll<EventRow>(store, ids);
    all.push(...found.values());
    if (found.size < OF_TRANSACTION) return all;
  }
}
