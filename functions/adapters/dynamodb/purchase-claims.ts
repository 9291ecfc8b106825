import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import type { Random } from '../../domain/ports.ts';
import type { TransactionRow } from './rows.ts';
import { find, isRefused, putNew, type Store, type WriteItem, writeAll } from './table.ts';

/**
 * A write in the transaction that opens a purchase. Most of these writes claim something that only one
 * purchase may have, such as a quote. If another purchase has it, `refuse` is called and throws the error for
 * the caller. Without `refuse` the row may exist already, and the purchase is then opened without this write.
 */
export type PurchaseClaim = { item: WriteItem; refuse?: () => Promise<never> };

/**
 * Writes the purchase and its claims in one transaction. If the purchase exists, because the request is
 * repeated, returns the stored purchase.
 */
export async function putWithClaims(
  { client, table }: Store,
  { row, claims }: { row: TransactionRow; claims: readonly PurchaseClaim[] },
  random: Random,
): Promise<TransactionRow> {
  const items = [{ Put: putNew(table, row) }, ...claims.map(({ item }) => item)];
  const written = await writeAll(client, items, random);
  if (written === 'WRITTEN') return row;
  if (written === 'UNKNOWN') throw new Unavailable('the table of purchases');
  const existing = await find<TransactionRow>({ client, table }, row.id);
  if (existing) return existing;
  const refused = claims.find((_, index) => isRefused(written[index + 1]));
  const { refuse } = getDefined(refused, 'claim that was refused');
  if (refuse) return refuse();
  return putWithClaims({ client, table }, { row, claims: claims.filter((each) => each !== refused) }, random);
}
