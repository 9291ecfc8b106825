import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type ActEvent, actOf } from '../../domain/acts/act.ts';
import type { Acts } from '../../domain/acts/act-ports.ts';
import type { RowLists } from '../../domain/books/archive-ports.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import type { ActRow } from './rows.ts';
import { find, putNew, type Store, writeKnowingly } from './table.ts';

/**
 * Stores each event of an operator's act as a row of its own, so that a write changes no existing row. `add`
 * answers false if the act already has an event at that place.
 */
export function actStore(client: DynamoDBDocumentClient, table: string, random: Random): Acts {
  const store = { client, table };
  return {
    async add(event) {
      const written = await writeKnowingly(client, [{ Put: putNew(table, toActRow(event)) }], random);
      if (written === 'UNKNOWN') throw new Unavailable('the acts table');
      return written === 'WRITTEN';
    },
    async findAct(id) {
      const events: ActEvent[] = [];
      for (
        let row = await findActRow(store, id, 1);
        row;
        row = await findActRow(store, id, events.length + 1)
      )
        events.push(actEventOf(row));
      return actOf(events);
    },
    async listBetween(since, until) {
      const months = monthsIn(since, until);
      const asked = { index: 'ofMonth', from: since, to: until } as const;
      return (await Promise.all(months.map((key) => queryActs(store, { ...asked, key })))).flat();
    },
    listOfSubject: (subject) => queryActs(store, { index: 'ofSubject', key: subject }),
  };
}

/** Lists the rows of events by their time, for the archive. */
export function actLists(client: DynamoDBDocumentClient, table: string): RowLists {
  const store = { client, table };
  return {
    async listBetween({ from, to }) {
      const months = monthsIn(from, to).map((key) => queryRows(store, { index: 'ofMonth', key, from, to }));
      return (await Promise.all(months)).flat();
    },
  };
}

const actRowId = (act: string, place: number) => `${act}#${place}`;
const actMonth = (at: number) => new Date(at).toISOString().slice(0, 7);

const findActRow = (store: Store, act: string, place: number) => find<ActRow>(store, actRowId(act, place));

/**
 * Makes the row of an event. Each event repeats the subject of its act, so that the index `ofSubject` lists every event
 * of the act.
 */
function toActRow(event: ActEvent): ActRow {
  const { act, place, at } = event;
  return { ...event, id: actRowId(act, place), month: actMonth(at), ttl: ttlOf('acts', at) };
}

function actEventOf({ id: _, month: __, ttl: ___, heldTtl: ____, ...event }: ActRow): ActEvent {
  return event;
}

/** The months in UTC that lie at least partly between `since` and `until`. `until` is exclusive. */
function monthsIn(since: number, until: number): string[] {
  const months: string[] = [];
  const first = new Date(since);
  for (let at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth()); at < until; at = nextMonth(at))
    months.push(actMonth(at));
  return months;
}

function nextMonth(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1);
}

const KEYS = { ofMonth: 'month', ofSubject: 'subject' } as const;

type AskedActs = { index: keyof typeof KEYS; key: string; from?: number; to?: number };

const queryActs = async (store: Store, asked: AskedActs): Promise<ActEvent[]> =>
  (await queryRows(store, asked)).map(actEventOf);

/** The rows from `from` to before `to`, in the order of their time. */
async function queryRows(
  { client, table }: Store,
  { index, key, from = 0, to = Number.MAX_SAFE_INTEGER }: AskedActs,
): Promise<ActRow[]> {
  if (from >= to) return [];
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: index,
      KeyConditionExpression: '#key = :key AND #at BETWEEN :from AND :last',
      ExpressionAttributeNames: { '#key': KEYS[index], '#at': 'at' },
      ExpressionAttributeValues: { ':key': key, ':from': from, ':last': to - 1 },
    },
  );
  const rows: ActRow[] = [];
  for await (const { Items = [] } of pages) rows.push(...(Items as ActRow[]));
  return rows;
}
