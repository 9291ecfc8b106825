/** The receipt of a completed purchase: docs/decisions.md, "Receipts and reports". */
import { assetAmountOf } from '../assets.ts';
import { refuse } from '../errors.ts';
import { getDefined } from '../get.ts';
import { brlOf } from '../money.ts';
import { withBrasiliaOffset } from '../time.ts';
import { isDelivered, type Transaction } from './transaction.ts';

/**
 * The web address of a transaction in the chain's explorer, without the hash at its end. A chain without an explorer
 * has none.
 */
export type Explorer = { transactions?: string };

/** The tax on a purchase is zero today. The receipt shows it nevertheless, because a decree may change its rate. */
const TAX: { name: string; amountCentavos: number } = { name: 'IOF', amountCentavos: 0 };

export const taxLines = () => [{ name: TAX.name, amountBrl: brlOf(TAX.amountCentavos) }];

/** Makes the receipt. Refuses if the stablecoin is not delivered. */
export function receiptOf(transaction: Transaction, partner: string, explorer: Explorer) {
  if (!isDelivered(transaction)) refuse('RECEIPT_NOT_AVAILABLE', { status: transaction.status });
  const { id, externalId, status, asset, quote, createdAt, history, payment, txHash } = transaction;
  const delivered = history.find((move) => move.status === status);
  return {
    transactionId: id,
    ...(externalId !== undefined && { externalId }),
    partner,
    openedAt: withBrasiliaOffset(createdAt),
    payment: {
      endToEndId: payment.endToEndId,
      amountBrl: brlOf(payment.amountCentavos),
      paidAt: withBrasiliaOffset(payment.paidAt),
    },
    price: {
      rate: quote.rate,
      feeBrl: brlOf(quote.feeCentavos),
      taxes: taxLines(),
    },
    delivery: {
      asset,
      assetAmount: assetAmountOf(asset, quote.assetUnits),
      walletAddress: transaction.walletAddress,
      txHash,
      ...(explorer.transactions !== undefined && { explorerUrl: `${explorer.transactions}${txHash}` }),
      deliveredAt: withBrasiliaOffset(getDefined(delivered, `the end of ${id}`).at),
    },
  };
}

export type Receipt = ReturnType<typeof receiptOf>;
