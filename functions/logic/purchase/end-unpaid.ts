import { instantOf, type Needs } from '../../domain/ports.ts';
import { hasEndedUnpaid, type UnpaidEnd } from '../../domain/purchase/status.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { getChange, TRANSITIONS, type Trigger } from '../../domain/purchase/transitions.ts';
import { getTransaction } from '../rows.ts';
import { paymentDetected } from './receive-payment.ts';

export const END_NEEDS = ['transactions', 'pix', 'clock'] as const;
type Ports = Needs<typeof END_NEEDS>;

/**
 * One visit that ends a purchase before its payment. Nothing happens where the table has no such move. If the
 * purchase has ended already, an unshown charge is closed again. The caller reads the row again, because a payment or
 * another visit may have been first.
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
 * Closes the charge at the provider, and reads it after that. If the provider shows a payment then, it is the
 * purchase's payment, and the purchase does not end.
 */
async function closeThenEnd(transaction: Transaction, trigger: Trigger, ports: Ports): Promise<void> {
  const charge = await ports.pix.closeCharge(transaction.id);
  const at = instantOf(ports.clock);
  const paid = charge && paymentDetected(transaction, charge, at);
  await ports.transactions.save(paid ?? getChange(transaction, trigger, at));
}

/**
 * Ends the purchase, and then closes a charge that a confirmation may issue at the same time. If the confirmation
 * writes first, the charge stays open. If it has only claimed the client's limits, the end gives them back.
 */
async function endThenClose(transaction: Transaction, trigger: Trigger, ports: Ports): Promise<void> {
  const { transactions, pix, clock } = ports;
  const { id, status, claim } = transaction;
  if (await transactions.save(getChange(transaction, trigger, instantOf(clock))))
    return pix.closeCharge(id).then();
  const after = await getTransaction(transactions, id);
  if (after.status === status && after.claim && !claim) await endThenClose(after, trigger, ports);
}

/**
 * Closes the charge in a second visit. The first visit may have failed between the status and the closing of a charge
 * that a confirmation had just made.
 */
async function closeUnshown({ id, pix: shown }: Transaction, { pix }: Ports): Promise<void> {
  if (!shown) await pix.closeCharge(id);
}
