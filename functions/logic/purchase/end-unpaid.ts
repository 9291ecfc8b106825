import { instantOf, type Needs } from '../../domain/ports.ts';
import { hasEndedUnpaid, type UnpaidEnd } from '../../domain/purchase/status.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { type EndTrigger, findEndTrigger, getChange } from '../../domain/purchase/transitions.ts';
import { getTransaction } from '../rows.ts';
import { paymentDetected } from './receive-payment.ts';

export const END_NEEDS = ['transactions', 'pix', 'clock'] as const;
type Ports = Needs<typeof END_NEEDS>;

/**
 * Makes one visit that ends an unpaid purchase. Does nothing if `TRANSITIONS` has no such move. If the purchase has
 * already ended, it closes again a charge that was never shown. The caller reads the purchase afterwards, because a
 * payment or another visit may have been faster.
 */
export async function endUnpaid(transaction: Transaction, end: UnpaidEnd, ports: Ports): Promise<void> {
  const { status, pix: shown } = transaction;
  if (hasEndedUnpaid(status)) return closeUnshown(transaction, ports);
  const trigger = findEndTrigger(status, end);
  if (!trigger) return;
  if (shown) await closeThenEnd(transaction, trigger, ports);
  else await endThenClose(transaction, trigger, ports);
}

/**
 * Ends a purchase whose charge was shown. First it closes the charge at the provider and reads it. If the charge was
 * paid, that is the purchase's payment, and the purchase continues.
 */
async function closeThenEnd(transaction: Transaction, trigger: EndTrigger, ports: Ports): Promise<void> {
  const charge = await ports.pix.closeCharge(transaction.id);
  const at = instantOf(ports.clock);
  const paid = charge && paymentDetected(transaction, charge, at);
  await ports.transactions.save(paid ?? getChange(transaction, trigger, at));
}

/**
 * Ends a purchase whose charge the client has not seen, and then closes the charge, which a parallel
 * confirmation of the challenge may have made. If that confirmation saves the purchase first, the charge
 * stays open. If it has only claimed the client's limits, this function tries again. The end of the purchase
 * then gives the claim back.
 */
async function endThenClose(transaction: Transaction, trigger: EndTrigger, ports: Ports): Promise<void> {
  const { transactions, pix, clock } = ports;
  const { id, status, claim } = transaction;
  if (await transactions.save(getChange(transaction, trigger, instantOf(clock))))
    return pix.closeCharge(id).then();
  const after = await getTransaction(transactions, id);
  if (after.status === status && after.claim && !claim) await endThenClose(after, trigger, ports);
}

/**
 * Closes the charge of a purchase that has ended. An earlier visit may have died between ending the purchase and
 * closing the charge.
 */
async function closeUnshown({ id, pix: shown }: Transaction, { pix }: Ports): Promise<void> {
  if (!shown) await pix.closeCharge(id);
}
