import { instantOf, type Needs } from '../../domain/ports.ts';
import { hasEndedUnpaid, type UnpaidEnd } from '../../domain/purchase/status.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { getChange, TRANSITIONS, type Trigger } from '../../domain/purchase/transitions.ts';
import { paymentDetected } from './receive-payment.ts';

export const END_NEEDS = ['transactions', 'pix', 'clock'] as const;
type Ports = Needs<typeof END_NEEDS>;

/**
 * One visit that ends a purchase before its payment. Nothing happens where the table has no such move. The caller reads
 * the row again, because a payment or another visit may have been first.
 */
export async function endUnpaid(transaction: Transaction, end: UnpaidEnd, ports: Ports): Promise<void> {
  const { status, pix: shown } = transaction;
  if (hasEndedUnpaid(status)) return closeUnshown(transaction, ports);
  const row = TRANSITIONS.find(({ from, to }) => from === status && to === end);
  if (!row) return;
  if (shown) await closeThenEnd(transaction, row.trigger, ports);
  else await endThenClose(transaction, row.trigger, ports);
}

/**
 * The provider closes the charge, and shows it after that. A payment that it shows then is the purchase's payment.
 */
async function closeThenEnd(transaction: Transaction, trigger: Trigger, ports: Ports): Promise<void> {
  const charge = await ports.pix.closeCharge(transaction.id);
  const at = instantOf(ports.clock);
  const paid = charge && paymentDetected(transaction, charge, at);
  await ports.transactions.save(paid ?? getChange(transaction, trigger, at));
}

/** A confirmation may issue the charge now. That charge stays open if the confirmation is the first to write. */
async function endThenClose(transaction: Transaction, trigger: Trigger, ports: Ports): Promise<void> {
  const change = getChange(transaction, trigger, instantOf(ports.clock));
  if (await ports.transactions.save(change)) await ports.pix.closeCharge(transaction.id);
}

/** A second visit: the first may have failed between the status and a charge that a confirmation had just made. */
async function closeUnshown({ id, pix: shown }: Transaction, { pix }: Ports): Promise<void> {
  if (!shown) await pix.closeCharge(id);
}
