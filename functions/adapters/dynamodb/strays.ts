import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { Random } from '../../domain/ports.ts';
import type { StrayChange, StrayPix } from '../../domain/purchase/stray.ts';
import { postingsOfStray } from '../../domain/purchase/stray.ts';
import type { Strays } from '../../domain/purchase/stray-ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { cursorOf } from './cursor.ts';
import { postedWithoutMove, postingPuts, refusingPosting } from './ledger.ts';
import { eventRow } from './records.ts';
import { find, isDone, putNew, queryDue, updateOf, type WriteItem, writeAll } from './table.ts';

type StrayTables = { strays: string; transactions: string; events: string; ledger: string };

/** Keys of the sparse indexes: what somebody must look at, and what has not gone back. */
const SWEEP = 'STRAY';
const OPEN = 'STRAY';
export function strayStore(client: DynamoDBDocumentClient, tables: StrayTables, random: Random): Strays {
  const store = { client, table: tables.strays };

  const update = (
    input: ReturnType<typeof updateOf> & { Key: { id: string }; ConditionExpression: string },
  ) => isDone(client.send(new UpdateCommand({ TableName: store.table, ...input })));

  async function write(items: WriteItem[]): Promise<'WRITTEN' | string[]> {
    const written = await writeAll(client, items, random);
    // Whether it happened is not known: the caller repeats, and then reads what there is.
    if (written === 'UNKNOWN') throw new Unavailable('the table of stray Pix');
    return written;
  }

  return {
    findStray: (id) => find<StrayPix>(store, id),

    async create(stray) {
      const postings = postingsOfStray(stray);
      const row = { Put: putNew(tables.strays, rowOf(stray)) };
      const written = await write([row, ...postingPuts(postings, tables.ledger)]);
      if (written === 'WRITTEN') return { stray, isNew: true };
      const there = await find<StrayPix>(store, stray.id);
      return there ? { stray: there, isNew: false } : postedWithoutMove(postings[0]!.id);
    },

    listDue: (now, limit) =>
      queryDue(store, {
        KeyConditionExpression: 'sweep = :sweep AND nextCheckAt <= :now',
        ExpressionAttributeValues: { ':sweep': SWEEP, ':now': now },
        Limit: limit,
      }),

    async listOpen() {
      const query = {
        TableName: store.table,
        IndexName: 'open',
        KeyConditionExpression: '#open = :open',
        ExpressionAttributeNames: { '#open': 'open' },
        ExpressionAttributeValues: { ':open': OPEN },
      };
      const found: (StrayPix | undefined)[] = [];
      for await (const { Items = [] } of paginateQuery({ client }, query))
        for (const { id } of Items) found.push(await find<StrayPix>(store, String(id)));
      return found.filter((each) => each !== undefined).filter(({ refund }) => refund.status !== 'REFUNDED');
    },

    async save(change) {
      const items = writesOf(change, tables);
      const written = await write(items);
      if (written === 'WRITTEN') return true;
      const posting = refusingPosting(items, written, tables.ledger);
      if (posting) {
        const row = await find<StrayPix>(store, change.id);
        if (row?.refund.status === 'PENDING') postedWithoutMove(posting);
      }
      return false;
    },

    async postpone({ id, nextCheckAt: was }, { nextCheckAt, faults }) {
      const planned = updateOf({ nextCheckAt, faults });
      await update({
        Key: { id },
        ...planned,
        ConditionExpression: '#nextCheckAt = :was',
        ExpressionAttributeValues: { ...planned.ExpressionAttributeValues, ':was': was },
      });
    },

    ...cursorOf(store),
  };
}

function rowOf(stray: StrayPix) {
  return {
    ...stray,
    ...(stray.nextCheckAt !== undefined && { sweep: SWEEP }),
    open: OPEN,
    ttl: ttlOf('strays', stray.foundAt),
  };
}

function writesOf(change: StrayChange, tables: StrayTables): WriteItem[] {
  const { announcement, at, postings } = change;
  const moved = [{ Update: strayUpdate(change, tables.strays) }, ...postingPuts(postings, tables.ledger)];
  if (!announcement) return moved;
  const { was, event } = announcement;
  const told = updateOf({ sequence: event.sequence, ttl: ttlOf('transactions', at) });
  return [
    ...moved,
    {
      Update: {
        TableName: tables.transactions,
        Key: { id: was.id },
        ...told,
        ConditionExpression: '#status = :was AND #sequence = :wasSequence',
        ExpressionAttributeNames: { ...told.ExpressionAttributeNames, '#status': 'status' },
        ExpressionAttributeValues: {
          ...told.ExpressionAttributeValues,
          ':was': was.status,
          ':wasSequence': was.sequence,
        },
      },
    },
    { Put: putNew(tables.events, eventRow(event)) },
  ];
}

/** A try ends once: two visitors who see the same end must not open two new ones. */
function strayUpdate({ id, wasTries, set, at }: StrayChange, table: string) {
  const isOver = set.nextCheckAt === undefined;
  const remove = [
    ...(isOver ? ['nextCheckAt', 'sweep'] : []),
    ...(set.refund?.status === 'REFUNDED' ? ['open'] : []),
  ];
  const update = updateOf({ ...set, ttl: ttlOf('strays', at) }, remove);
  return {
    TableName: table,
    Key: { id },
    ...update,
    ConditionExpression: `#refund.#status = :pending AND ${
      wasTries === 0 ? 'attribute_not_exists(#refund.#tries)' : '#refund.#tries = :tries'
    }`,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#status': 'status', '#tries': 'tries' },
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':pending': 'PENDING',
      ...(wasTries > 0 && { ':tries': wasTries }),
    },
  };
}
