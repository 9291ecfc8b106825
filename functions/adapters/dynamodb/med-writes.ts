/**
 * The writes that a MED case adds to the write of its own row. One is the event for the partner. The other
 * adds the case to the open MED cases of the person, or removes it.
 */
import { type MedEvent, medNews } from '../../domain/books/med-news.ts';
import type { MoneyCase } from '../../domain/books/money-case.ts';
import { ttlOf } from '../../domain/retention.ts';
import { openMedsId } from './person-blocks.ts';
import type { OpenMedsRow, TransactionRow } from './rows.ts';
import { find, type Store, type WriteItem } from './table.ts';
import { moveWrites, transactionOfRow } from './transactions.ts';

export type MedTables = Parameters<typeof moveWrites>[1] & { personBlocks: string };

/**
 * The event about a MED, made from the purchase as it is now. Empty if the case is not about a MED of a known purchase.
 */
export async function medNewsOf(
  known: MoneyCase,
  told: { type: MedEvent; at: number },
  { client, tables }: { client: Store['client']; tables: MedTables },
): Promise<WriteItem[]> {
  if (known.kind !== 'MED_REFUND' || known.transactionId === undefined) return [];
  const row = await find<TransactionRow>({ client, table: tables.transactions }, known.transactionId);
  return row ? moveWrites(medNews(known, transactionOfRow(row), told), tables) : [];
}

/**
 * Adds a new case to the person's open MED cases. They are a set, because a person may have several. The row has no
 * time to live while a case is open.
 */
export function medOpened({ id, kind, personId }: MoneyCase, table: string): WriteItem[] {
  if (kind !== 'MED_REFUND' || personId === undefined) return [];
  return [
    {
      Update: {
        TableName: table,
        Key: { id: openMedsId(personId) },
        UpdateExpression: 'ADD cases :case REMOVE #ttl, heldTtl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':case': new Set([id]) },
      },
    },
  ];
}

/**
 * Removes a closed case from the person's open MED cases. The row gets a time to live with the last of them. The write
 * is refused if the number of open cases has changed since they were read.
 */
export async function medClosed(
  { id, kind, personId }: MoneyCase,
  at: number,
  store: Store,
): Promise<WriteItem[]> {
  if (kind !== 'MED_REFUND' || personId === undefined) return [];
  const rowId = openMedsId(personId);
  const cases = (await find<OpenMedsRow>(store, rowId))?.cases;
  if (!cases?.has(id)) return [];
  const isLast = cases.size === 1;
  return [
    {
      Update: {
        TableName: store.table,
        Key: { id: rowId },
        UpdateExpression: isLast ? 'DELETE cases :case SET #ttl = :ttl' : 'DELETE cases :case',
        ConditionExpression: 'size(cases) = :count',
        ...(isLast && { ExpressionAttributeNames: { '#ttl': 'ttl' } }),
        ExpressionAttributeValues: {
          ':case': new Set([id]),
          ':count': cases.size,
          ...(isLast && { ':ttl': ttlOf('openMeds', at) }),
        },
      },
    },
  ];
}
