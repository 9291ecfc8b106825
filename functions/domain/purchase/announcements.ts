import { assetAmountOf } from '../assets.ts';
import { brlOf } from '../money.ts';
import type { EventType } from '../partners/events.ts';
import type { Transaction } from './transaction.ts';

/** The data of an event of `type`. Amounts in BRL are numbers, and amounts of a stablecoin are decimal strings. */
export function eventData(type: EventType, transaction: Transaction, sequence: number) {
  const { id, externalId, status } = transaction;
  return { transactionId: id, externalId, status, sequence, ...DATA[type]?.(transaction) };
}

const DATA: Partial<Record<EventType, (transaction: Transaction) => Record<string, unknown>>> = {
  'transaction.pix_ready': ({ pix }) => ({
    pixPayload: pix?.payload,
    pixExpiresAt: pix && new Date(pix.expiresAt).toISOString(),
  }),
  'transaction.processing': ({ payment }) => ({
    payment: payment && { endToEndId: payment.endToEndId, amountBrl: brlOf(payment.amountCentavos) },
  }),
  'transaction.completed': (transaction) => ({
    txHash: transaction.txHash,
    amount: assetAmountOf(transaction.asset, transaction.quote.assetUnits),
    asset: transaction.asset,
    amountBrl: brlOf(transaction.amountCentavos),
    walletAddress: transaction.walletAddress,
  }),
  'transaction.failed': ({ failure }) => ({ failure }),
  'transaction.refunded': ({ refund }) => ({
    refund: refund && {
      endToEndId: refund.endToEndId,
      amountBrl: brlOf(refund.amountCentavos),
      reason: refund.reason,
    },
  }),
};
