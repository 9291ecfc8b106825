import { assetAmountOf } from '../../domain/assets.ts';
import { brlOf } from '../../domain/money.ts';
import { proofOf } from '../../domain/purchase/return-state.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { isoInstant } from '../../domain/time.ts';

/** The fields that every answer about a purchase contains. Fields that do not apply are absent. */
export function purchaseView(transaction: Transaction) {
  const { id, externalId, status, asset, createdAt, expiresAt } = transaction;
  return {
    transactionId: id,
    externalId,
    status,
    asset,
    amountBrl: brlOf(transaction.amountCentavos),
    assetAmount: assetAmountOf(asset, transaction.quote.assetUnits),
    walletAddress: transaction.walletAddress,
    createdAt: isoInstant(createdAt),
    expiresAt: expiresAt === undefined ? undefined : isoInstant(expiresAt),
    txHash: transaction.txHash,
  };
}

/** The refund of a purchase without its reason, which a client may not read. `proofOf` describes the ids. */
export function refundView(refund: NonNullable<Transaction['refund']>) {
  const { status, endToEndId, amountCentavos } = refund;
  return { status, endToEndId, amountBrl: brlOf(amountCentavos), ...proofOf(refund) };
}
