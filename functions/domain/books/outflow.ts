import { isBeingSettled } from '../purchase/status.ts';
import { type Delivered, isDelivered, type Transaction } from '../purchase/transaction.ts';
import type { TransferOut } from '../treasury/outflow-ports.ts';
import type { Settlement } from '../treasury/settlement.ts';
import type { Finding } from './money-case.ts';
import type { PlainTransfer } from './money-case-facts.ts';

const isSameHash = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

type WantedTransfer = Pick<TransferOut, 'asset' | 'units' | 'to'>;

const isAsWanted = (transfer: WantedTransfer, { asset, units, to }: WantedTransfer): boolean =>
  transfer.asset === asset && transfer.units === units && isSameHash(transfer.to, to);

/** The settlement to which the transfer's nonce was assigned, and its purchase. */
type NonceOwner = { owner?: Settlement; transaction?: Transaction };

/**
 * The discrepancies of one transfer out of our wallets. While its purchase is still being settled, the
 * transfer is compared only with the settlement that owns its nonce. After that, the purchase must also be
 * delivered, and its `txHash` must be that of this transfer.
 */
export function transferFindings(transfer: TransferOut, { owner, transaction }: NonceOwner): Finding[] {
  const subject = outflowSubject(transfer, { owner, transaction });
  if (!owner || !transaction) return [{ kind: 'TRANSFER_UNKNOWN', ...subject }];
  if (!isAsWanted(transfer, owner)) return [{ kind: 'TRANSFER_DIFFERS', ...subject }];
  if (isBeingSettled(transaction.status)) return [];
  const isItsOwn = isDelivered(transaction) && isSameHash(transaction.txHash, transfer.txHash);
  return isItsOwn ? [] : [{ kind: 'TRANSFERRED_TWICE', ...subject }];
}

export type OwnedTransfer = { transfer: TransferOut; owner?: Settlement };

/** The surplus transfers of each settlement: all of its transfers on the chain except the first one. */
export function surplusFindings(transfers: readonly OwnedTransfer[]): Finding[] {
  const seen = new Set<string>();
  return transfers.toSorted(inChainOrder).flatMap(({ transfer, owner }): Finding[] => {
    if (!owner) return [];
    const isFirst = !seen.has(owner.transactionId);
    seen.add(owner.transactionId);
    return isFirst ? [] : [{ kind: 'TRANSFERRED_TWICE', ...outflowSubject(transfer, { owner }) }];
  });
}

const inChainOrder = ({ transfer: one }: OwnedTransfer, { transfer: other }: OwnedTransfer) =>
  one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;

/**
 * Checks a completed purchase: its transaction on the chain must have a transfer of the purchase's asset
 * and units to the purchase's wallet.
 */
export function completionFindings(transaction: Delivered, transfers: TransferOut[]): Finding[] {
  const { id: transactionId, partnerId, clientId, txHash, asset, quote, walletAddress } = transaction;
  const wanted = { asset, units: quote.assetUnits, to: walletAddress };
  if (transfers.some((transfer) => isAsWanted(transfer, wanted))) return [];
  const kind = transfers.length === 0 ? 'TRANSFER_NOT_SHOWN' : 'TRANSFER_DIFFERS';
  const names = { transactionId, partnerId, clientId, txHash };
  const facts = { wanted: plainTransferOf(wanted), shown: transfers.map(plainTransferOf) };
  return [{ kind, key: transactionId, ...names, facts }];
}

function outflowSubject(transfer: TransferOut, { owner, transaction }: NonceOwner) {
  const { txHash, logIndex, wallet, nonce, nodes, asked } = transfer;
  const facts = {
    ...plainTransferOf(transfer),
    wallet,
    nonce,
    nodes,
    asked,
    ...(owner && { settlement: plainTransferOf(owner) }),
    ...(transaction && { status: transaction.status, completedBy: transaction.txHash }),
  };
  const { partnerId, clientId } = transaction ?? {};
  const transactionId = owner?.transactionId;
  return { key: `${txHash}:${logIndex}`, txHash, transactionId, partnerId, clientId, facts };
}

const plainTransferOf = ({ asset, units, to }: WantedTransfer): PlainTransfer => ({
  asset,
  units: String(units),
  to,
});
