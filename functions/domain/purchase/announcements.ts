import { assetAmountOf } from '../assets.ts';
import { brlOf } from '../money.ts';
import type { EventType } from '../partners/events.ts';
import { isoInstant } from '../time.ts';
import { proofOf } from './return-state.ts';
import type { Transaction } from './transaction.ts';

/**
 * The data of an event of this type. Amounts in BRL are numbers. Amounts of a stablecoin are decimal strings, because
 * they have many digits.
 */
export function eventData(type: EventType, transaction: Transaction, sequence: number) {
  const { id, externalId, status } = transaction;
  return { transactionId: id, externalId, status, sequence, ...DATA[type]?.(transaction) };
}

const DATA: Partial<Record<EventType, (transaction: Transaction) => Record<string, unknown>>> = {
  'transaction.pix_ready': ({ pix }) => ({
    pixPayload: pix?.payload,
    pixExpiresAt: pix && isoInstant(pix.expiresAt),
  }),
  'transaction.processing': ({ payment }) => ({
    payment: payment && announcedPix(payment),
  }),
  'transaction.completed': (transaction) => ({
    txHash: transaction.txHash,
    amount: assetAmountOf(transaction.asset, transaction.quote.assetUnits),
    asset: transaction.asset,
    amountBrl: brlOf(transaction.amountCentavos),
    walletAddress: transaction.walletAddress,
  }),
  // A purchase has a charge (`pix`) once the client has authenticated. If it expires without one, the
  // client missed the authentication.
  'transaction.expired': ({ pix }) => ({ missed: pix ? 'PAYMENT' : 'AUTHENTICATION' }),
  'transaction.failed': ({ failure }) => ({ failure }),
  'transaction.refunded': ({ refund }) => ({
    refund: refund && { ...announcedPix(refund), reason: refund.reason, ...proofOf(refund) },
  }),
  'transaction.refund_delayed': ({ refund }) => ({
    refund: refund && {
      ...announcedPix(refund),
      nextTryAt: refund.nextTryAt && isoInstant(refund.nextTryAt),
    },
  }),
  'transaction.refund_failed': ({ refund }) => ({ refund: refund && announcedPix(refund) }),
};

const announcedPix = ({ endToEndId, amountCentavos }: { endToEndId: string; amountCentavos: number }) => ({
  endToEndId,
  amountBrl: brlOf(amountCentavos),
});
