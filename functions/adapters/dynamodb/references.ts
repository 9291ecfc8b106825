import { refuse, Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import type { ReferenceRow, TransactionRow } from './rows.ts';
import { find, putNew, type Store, writeAll } from './table.ts';

/** The ids of purchases have no `#`. */
const PREFIX = 'REFERENCE#';

/** The row that reserves a partner's reference. It is in the table of purchases. */
export const referenceId = (partnerId: string, externalId: string) => `${PREFIX}${partnerId}#${externalId}`;

export const isReferenceId = (id: string): boolean => id.startsWith(PREFIX);

/** The id of the purchase that has the reference. */
export async function findReferenced(store: Store, partnerId: string, externalId: string) {
  const row = await find<ReferenceRow>(store, referenceId(partnerId, externalId));
  return row?.usedBy;
}

/** Puts the purchase and the row of its reference together. A repetition finds both rows and answers the purchase. */
export async function putReferenced(
  store: Store,
  row: TransactionRow & { externalId: string },
  random: Random,
): Promise<TransactionRow> {
  const { client, table } = store;
  const { id, partnerId, externalId, createdAt } = row;
  const ttl = ttlOf('references', createdAt);
  const reference: ReferenceRow = { id: referenceId(partnerId, externalId), usedBy: id, ttl };
  const items = [{ Put: putNew(table, row) }, { Put: putNew(table, reference) }];
  const written = await writeAll(client, items, random);
  if (written === 'WRITTEN') return row;
  if (written === 'UNKNOWN') throw new Unavailable('the table of purchases');
  const existing = await find<TransactionRow>(store, id);
  if (existing) return existing;
  const usedBy = await findReferenced(store, partnerId, externalId);
  return refuse('EXTERNAL_ID_TAKEN', { transactionId: getDefined(usedBy, 'row of a reference') });
}
