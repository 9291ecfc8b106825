import { refuse } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import { ttlOf } from '../../domain/retention.ts';
import type { PurchaseClaim } from './purchase-claims.ts';
import type { ReferenceRow, TransactionRow } from './rows.ts';
import { find, putNew, type Store } from './table.ts';

/**
 * The prefix of the id of a reference's row. The id of a purchase has no `#`, so a reference's row is never
 * mistaken for a purchase.
 */
const PREFIX = 'REFERENCE#';

/** The id of the row that reserves a partner's `externalId`. The row is in the table of purchases. */
export const referenceId = (partnerId: string, externalId: string) => `${PREFIX}${partnerId}#${externalId}`;

export const isReferenceId = (id: string): boolean => id.startsWith(PREFIX);

/** Finds the id of the purchase that uses the partner's `externalId`. */
export async function findReferenced(store: Store, partnerId: string, externalId: string) {
  const row = await find<ReferenceRow>(store, referenceId(partnerId, externalId));
  return row?.usedBy;
}

/**
 * Reserves the partner's `externalId` for this purchase. The transaction that writes the purchase contains
 * this item.
 */
export function referenceClaim(
  store: Store,
  { id, partnerId, createdAt }: TransactionRow,
  externalId: string,
): PurchaseClaim {
  const ttl = ttlOf('references', createdAt);
  const reference: ReferenceRow = { id: referenceId(partnerId, externalId), usedBy: id, ttl };
  return {
    item: { Put: putNew(store.table, reference) },
    async refuse() {
      const usedBy = await findReferenced(store, partnerId, externalId);
      return refuse('EXTERNAL_ID_TAKEN', { transactionId: getDefined(usedBy, 'row of a reference') });
    },
  };
}
