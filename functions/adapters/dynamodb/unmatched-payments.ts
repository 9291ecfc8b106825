import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { getDefined } from '../../domain/get.ts';
import type { Random } from '../../domain/ports.ts';
import { postingsOfUnmatched } from '../../domain/purchase/postings.ts';
import type { UnmatchedChange } from '../../domain/purchase/return.ts';
import type { UnmatchedPayment } from '../../domain/purchase/unmatched-payment.ts';
import type { UnmatchedPayments } from '../../domain/purchase/unmatched-payment-ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { DUE, OPEN } from '../../tables/sharded.ts';
import { cursorOf } from './cursor.ts';
import { findAll } from './find-all.ts';
import { postingPuts, writeMove } from './ledger.ts';
import type { UnmatchedPaymentRow } from './rows.ts';
import { keyIn, listAll, listDueIds, rowIds } from './shards.ts';
import { find, isDone, putNew, updateOf, updateRow } from './table.ts';
import { moveWrites, tryIsPresent } from './transactions.ts';

type Tables = Parameters<typeof moveWrites>[1] & { unmatchedPayments: string };

export function unmatchedPaymentStore(
  client: DynamoDBDocumentClient,
  tables: Tables,
  random: Random,
): UnmatchedPayments {
  const store = { client, table: tables.unmatchedPayments, random };
  const books = { client, random, ledger: tables.ledger };
  const findUnmatched = (id: string) => find<UnmatchedPayment>(store, id);

  return {
    findUnmatched,

    async create(payment) {
      const row = { Put: putNew(tables.unmatchedPayments, toUnmatchedRow(payment)) };
      const items = [row, ...postingPuts(postingsOfUnmatched(payment), tables.ledger, payment.foundAt)];
      const isNew = await writeMove(books, items, async () => !(await findUnmatched(payment.id)));
      if (isNew) return { payment, isNew };
      return { payment: getDefined(await findUnmatched(payment.id), `payment ${payment.id}`), isNew };
    },

    listDue: (now, limit) => listDueIds(store, DUE, { now, limit }),

    async listOpen() {
      const ids = rowIds(await listAll(store, { index: OPEN }));
      const rows = await findAll<UnmatchedPayment>(store, ids);
      return ids.flatMap((id) => rows.get(id) ?? []).filter(({ refund }) => refund.status !== 'REFUNDED');
    },

    save(change) {
      const { was, postings, announcement } = change;
      const items = [
        { Update: unmatchedUpdate(change, tables.unmatchedPayments) },
        ...postingPuts(postings, tables.ledger),
        ...(announcement ? moveWrites(announcement, tables) : []),
      ];
      return writeMove(books, items, async () => (await findUnmatched(was.id))?.refund.status === 'PENDING');
    },

    async postpone({ id, nextCheckAt: was }, { nextCheckAt, faults }) {
      const { ExpressionAttributeValues: values, ...planned } = updateOf({ nextCheckAt, faults });
      const postponed = updateRow(store, id, {
        ...planned,
        ConditionExpression: '#nextCheckAt = :was',
        ExpressionAttributeValues: { ...values, ':was': was },
      });
      // Two schedules visit returns. While one of them writes the end of a return, DynamoDB refuses this write.
      await isDone(postponed);
    },

    ...cursorOf(store),
  };
}

function toUnmatchedRow(payment: UnmatchedPayment): UnmatchedPaymentRow {
  return {
    ...payment,
    ...(payment.nextCheckAt !== undefined && { sweep: keyIn(DUE, payment.id) }),
    open: keyIn(OPEN, payment.id),
    ttl: ttlOf('unmatchedPayments', payment.foundAt),
  };
}

function unmatchedUpdate({ was, next: { refund, nextCheckAt }, at }: UnmatchedChange, table: string) {
  const remove = [
    ...(nextCheckAt === undefined ? ['nextCheckAt', 'sweep'] : []),
    ...(refund.status === 'REFUNDED' ? ['open'] : []),
  ];
  const update = updateOf({ refund, nextCheckAt, ttl: ttlOf('unmatchedPayments', at) }, remove);
  const present = tryIsPresent(was.refund.tries ?? 0);
  return {
    TableName: table,
    Key: { id: was.id },
    ...update,
    ConditionExpression: `#refund.#status = :pending AND ${present.condition}`,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#status': 'status', '#tries': 'tries' },
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':pending': 'PENDING',
      ...present.values,
    },
  };
}
