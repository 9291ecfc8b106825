import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type {
  ArchivedObject,
  ArchiveProgress,
  ArchiveRegister,
  UnarchivedPurchases,
} from '../../domain/books/archive-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { DAY, UNARCHIVED } from '../../tables/sharded.ts';
import type { ArchivedRow, ArchiveProgressRow } from './rows.ts';
import { keyIn, listAll, listDueIds } from './shards.ts';
import { find, isDone, putIfAbsent, putNew, type RowUpdate, updateOf, updateRow } from './table.ts';

export function archiveRegister(client: DynamoDBDocumentClient, table: string): ArchiveRegister {
  const store = { client, table };
  return {
    async findObject(key) {
      const row = await find<ArchivedRow>(store, key);
      return row && archivedObjectOf(row);
    },
    async register(object) {
      await putIfAbsent(store, toArchivedRow(object));
    },
    async listDay(day) {
      const rows = await listAll(store, { index: DAY, value: day });
      return (rows as unknown as ArchivedRow[]).map(archivedObjectOf);
    },
    async findProgress() {
      const row = await find<ArchiveProgressRow>(store, PROGRESS);
      return row && { evidenceUpTo: row.evidenceUpTo, day: row.closed, manifest: row.manifest };
    },
    saveProgress: (next, was) => isDone(client.send(new PutCommand(progressPut(table, next, was)))),
  };
}

/** The id of the row with the archive's progress. No archived object has this key. */
const PROGRESS = 'PROGRESS';

/**
 * The put of the row that records the archive's progress. It is refused if the row has changed since `was`
 * was read. Without `was` it is refused if the row exists.
 */
function progressPut(table: string, { day, ...next }: ArchiveProgress, was?: ArchiveProgress) {
  const row = { id: PROGRESS, closed: day, ...next };
  if (!was) return putNew(table, row);
  return {
    TableName: table,
    Item: row,
    ConditionExpression: 'closed = :closed AND evidenceUpTo = :upTo',
    ExpressionAttributeValues: { ':closed': was.day, ':upTo': was.evidenceUpTo },
  };
}

function toArchivedRow({ key, ...object }: ArchivedObject): ArchivedRow {
  const { day, at } = object;
  return { ...object, id: key, dayKey: keyIn(DAY, key, day), ttl: ttlOf('archive', at) };
}

const archivedObjectOf = ({
  id,
  ttl: _,
  heldTtl: ___,
  dayKey: __,
  ...object
}: ArchivedRow): ArchivedObject => ({
  ...object,
  key: id,
});

/**
 * Reads the sparse index of ended purchases that are not archived yet. `transactionStore` puts a purchase
 * into the index when the purchase ends.
 */
export function unarchivedPurchases(
  client: DynamoDBDocumentClient,
  table: string,
  random: Random,
): UnarchivedPurchases {
  const store = { client, table, random };
  // A purchase that another run has archived meanwhile must not return to the index.
  const ConditionExpression = 'attribute_exists(archiveAt)';
  /** Repeats the write if a transaction that tells of a return or a MED is writing the same row. */
  const update = (id: string, changes: RowUpdate) =>
    isDone(updateRow(store, id, { ...changes, ConditionExpression }));
  return {
    listDue: (now, limit) => listDueIds(store, UNARCHIVED, { now, limit }),
    async postpone(id, archiveAt) {
      await update(id, updateOf({ archiveAt }));
    },
    async markArchived(id) {
      await update(id, { UpdateExpression: 'REMOVE archiveKey, archiveAt' });
    },
  };
}
