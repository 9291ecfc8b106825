import { begun } from '../../domain/begun.ts';
import { PaymentNotShown } from '../../domain/errors.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import type { PixCharge } from '../../domain/purchase/pix.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { advance, type PurchaseChange, withChange } from '../../domain/purchase/transitions.ts';
import type { Instant } from '../../domain/time.ts';
import { HOLD_NEEDS } from '../money/hold.ts';
import { receiveUnmatched } from '../money/unmatched-payments.ts';
import { noting } from './noting.ts';
import { resumeMoved } from './waits.ts';

export const PAYMENT_NEEDS = [
  ...(['transactions', 'unmatchedPayments', 'moneyCases', 'pix', 'machine', 'clock', 'log'] as const),
  ...HOLD_NEEDS,
] as const;

type PaymentPorts = Needs<typeof PAYMENT_NEEDS>;

/**
 * Advances a purchase whose charge is paid, and resumes the state machine. Every other Pix of the charge is received as
 * an unmatched payment. True if the charge is paid and the purchase still waited for its payment when this call
 * read it. If two calls run at once, both may answer true.
 */
export async function receivePayment(transactionId: string, ports: PaymentPorts): Promise<boolean> {
  // The provider is asked in parallel. If no purchase has the id, its answer is not awaited.
  const asked = begun(ports.pix.findCharge(transactionId));
  const transaction = await ports.transactions.findTransaction(transactionId);
  if (!transaction) return false;
  const charge = await noting({ work: 'reading the payment', transaction }, ports, () => asked);
  const change = charge && paymentDetected(transaction, charge, instantOf(ports.clock));
  const isSaved = change && (await ports.transactions.save(change));
  // The purchase is read again even if our write was refused. A parallel visit may have died after its write, before it
  // resumed the machine.
  const moved = await resumeMoved(isSaved ? withChange(transaction, change) : transaction, ports);
  for (const payment of charge?.payments ?? []) await receiveUnmatched(payment, moved, ports);
  return Boolean(change);
}

/**
 * The move that a paid charge causes. The earliest Pix is the purchase's payment, and the others are
 * unmatched payments. Undefined if the charge has no Pix, or if the purchase does not wait for its payment.
 * Throws `PaymentNotShown` if the provider says that the charge is paid, but shows no Pix.
 */
export function paymentDetected(
  transaction: Transaction,
  charge: PixCharge,
  at: Instant,
): PurchaseChange | undefined {
  // The provider says "paid", but does not show the payment yet. The charge must not count as unpaid, so it is read
  // again later.
  if (charge.status === 'PAID' && charge.payments.length === 0) throw new PaymentNotShown();
  const [first] = [...charge.payments].sort((a, b) => a.paidAt - b.paidAt);
  if (!first) return undefined;
  const { endToEndId, paidAt, amountCentavos } = first;
  return advance(transaction, 'Pix payment detected', at, {
    payment: { endToEndId, paidAt, amountCentavos },
  });
}
