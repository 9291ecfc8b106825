import { assetAmountOf } from '../../domain/assets.ts';
import { brlOf } from '../../domain/money.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

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
    createdAt: iso(createdAt),
    expiresAt: expiresAt === undefined ? undefined : iso(expiresAt),
    txHash: transaction.txHash,
  };
}
