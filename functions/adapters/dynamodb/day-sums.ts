import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DaySum } from '../../domain/books/day-sums.ts';
import type { DaySums } from '../../domain/books/ledger-ports.ts';
import { DAY } from '../../tables/sharded.ts';
import { postingOfRow } from './ledger.ts';
import type { ClosedDayRow, DaySumsRow, PostingRow } from './rows.ts';
import { listPage } from './shards.ts';
import { find, isDone, updateOf } from './table.ts';

type Tables = { moneyCases: string; ledger: string };

const CLOSED = 'SUMS';
const daySumsId = (day: string, part: number) => `SUMS#${day}#${part}`;
/** The most sums in one row. A row has at most 400 kB, and a sum has some hundred bytes. */
const SUMS_IN_ROW = 1000;
const POSTINGS_AT_ONCE = 500;
const IS_NEW = 'attribute_not_exists(id)';

/**
 * Stores the sums of days in the table of money cases, next to the progress of `ReconcileBooks`. Only that schedule
 * writes them.
 */
export function daySumStore(
  client: DynamoDBDocumentClient,
  { moneyCases, ledger }: Tables,
  inRow = SUMS_IN_ROW,
): DaySums {
  const store = { client, table: moneyCases };
  function save(id: string, set: Record<string, unknown>, ConditionExpression: string, values = {}) {
    const { ExpressionAttributeValues, ...changes } = updateOf(set);
    const input = { TableName: moneyCases, Key: { id }, ...changes, ConditionExpression };
    const all = { ...ExpressionAttributeValues, ...values };
    return isDone(client.send(new UpdateCommand({ ...input, ExpressionAttributeValues: all })));
  }
  return {
    findClosed: async () => (await find<ClosedDayRow>(store, CLOSED))?.closedDay,
    async listSums(day) {
      const sums: DaySum[] = [];
      for (let part = 0; ; part++) {
        const row = await find<DaySumsRow>(store, daySumsId(day, part));
        if (row) sums.push(...row.sums.map(toSum));
        if (!row?.isCut) return sums;
      }
    },
    async listInTime(day, from) {
      const reading = { index: DAY, value: day };
      const page = await listPage({ client, table: ledger }, reading, { limit: POSTINGS_AT_ONCE, from });
      const rows = (page.rows as unknown as PostingRow[]).filter(({ late }) => late === undefined);
      return { postings: rows.map(postingOfRow), ...(page.next && { next: page.next }) };
    },
    async close(day, sums, was) {
      for (let at = 0, part = 0; at === 0 || at < sums.length; at += inRow, part++)
        await save(
          daySumsId(day, part),
          { sums: sums.slice(at, at + inRow), isCut: at + inRow < sums.length },
          IS_NEW,
        );
      const set = { closedDay: day };
      return was === undefined
        ? save(CLOSED, set, IS_NEW)
        : save(CLOSED, set, '#closedDay = :was', { ':was': was });
    },
  };
}

/** Makes the amounts bigints, because the DynamoDB client reads small integers as numbers. */
const toSum = ({ debit, credit, ...of }: DaySumsRow['sums'][number]): DaySum => ({
  ...of,
  debit: BigInt(debit),
  credit: BigInt(credit),
});
