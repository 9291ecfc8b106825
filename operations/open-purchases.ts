import { isBeingSettled } from '../functions/domain/purchase/status.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import type { Desk } from './desk.ts';

/**
 * The schedule `SweepStuckTransactions` visits every open purchase within this time. Listing the visits until
 * then therefore lists every open purchase.
 */
const LOOKED_AT_WITHIN_MS = 40 * 60_000;

type Needed = Pick<Desk, 'openPurchases' | 'clock'>;

/** Lists the purchases that a schedule still visits: those that are open, and those whose refund is pending. */
export function listOpenPurchases({ openPurchases, clock }: Needed): Promise<Transaction[]> {
  return openPurchases.listOpen(clock.now() + LOOKED_AT_WITHIN_MS);
}

/** Lists the purchases that are paid, and neither settled nor refunded yet. */
export async function listBeingSettled(needed: Needed): Promise<Transaction[]> {
  return (await listOpenPurchases(needed)).filter(({ status }) => isBeingSettled(status));
}
