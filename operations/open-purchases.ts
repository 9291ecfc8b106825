import { isBeingSettled } from '../functions/domain/purchase/status.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import type { Desk } from './desk.ts';

/**
 * The schedule `SweepStuckTransactions` visits every open purchase within this time. Listing the visits until
 * then therefore lists every open purchase.
 */
const LOOKED_AT_WITHIN_MS = 40 * 60_000;

/** Lists the purchases that are paid, and neither settled nor refunded yet. */
export async function listBeingSettled({
  openPurchases,
  clock,
}: Pick<Desk, 'openPurchases' | 'clock'>): Promise<Transaction[]> {
  const open = await openPurchases.listOpen(clock.now() + LOOKED_AT_WITHIN_MS);
  return open.filter(({ status }) => isBeingSettled(status));
}
