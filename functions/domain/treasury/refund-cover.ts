/**
 * Whether our account at the Pix provider can pay back what we owe. A balance that cannot be read neither begins nor
 * ends a pause of the charges, because silence proves no lack of money.
 */
import type { Transaction } from '../purchase/transaction.ts';
import type { UnmatchedPayment } from '../purchase/unmatched-payment.ts';

/**
 * The money in our account was less than the open refunds and returns need. While an asset's row has a
 * shortfall, new charges of the asset pause.
 */
export type Shortfall = { balanceCentavos: number; owedCentavos: number; at: number };

/**
 * Sums the refunds and returns that are still pending. A refund that failed for good is left out, because a person pays
 * it.
 */
export function owedCentavos(
  purchases: readonly Pick<Transaction, 'refund'>[],
  unmatched: readonly Pick<UnmatchedPayment, 'refund' | 'amountCentavos'>[],
): number {
  const refunds = purchases.flatMap(({ refund }) => (refund?.status === 'PENDING' ? [refund] : []));
  const returns = unmatched.filter(({ refund }) => refund.status === 'PENDING');
  return [...refunds, ...returns].reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
}

export function shortfallOf(balanceCentavos: number, owed: number, at: number): Shortfall | undefined {
  return balanceCentavos < owed ? { balanceCentavos, owedCentavos: owed, at } : undefined;
}
