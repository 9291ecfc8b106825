import { isBeingSettled, isDelivered } from '../purchase/status.ts';
import type { Transaction } from '../purchase/transaction.ts';
import type { TransferOut } from '../treasury/outflow-ports.ts';
import type { Settlement } from '../treasury/settlement.ts';
import type { MoneyCaseKind } from './money-case.ts';
import type { Finding } from './reconciliation.ts';

const isSame = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();

type Wanted = Pick<TransferOut, 'asset' | 'units' | 'to'>;

const isAsWanted = (transfer: Wanted, { asset, units, to }: Wanted): boolean =>
  transfer.asset === asset && transfer.units === units && isSame(transfer.to, to);

/**
 * What is wrong with one transfer out of our wallets. `owner` is the settlement that its nonce was given to. One whose
 * purchase is still being settled is judged when that is over.
 */
export function transferFindings(
  transfer: TransferOut,
  { owner, transaction }: { owner?: Settlement; transaction?: Transaction },
): Finding[] {
  const finding = (kind: MoneyCaseKind) => [findingOf(kind, transfer, { owner, transaction })];
  if (!owner || !transaction) return finding('TRANSFER_UNKNOWN');
  if (!isAsWanted(transfer, owner)) return finding('TRANSFER_DIFFERS');
  if (isBeingSettled(transaction.status)) return [];
  if (!isDelivered(transaction.status)) return finding('TRANSFERRED_TWICE');
  return isSame(transaction.txHash, transfer.txHash) ? [] : finding('TRANSFERRED_TWICE');
}

/** Two transfers of one settlement: each after the first, in the order of the chain. */
export function surplusOf(transfers: { transfer: TransferOut; owner?: Settlement }[]): TransferOut[] {
  const seen = new Set<string>();
  return transfers.flatMap(({ transfer, owner }) => {
    if (!owner) return [];
    const isFirst = !seen.has(owner.transactionId);
    seen.add(owner.transactionId);
    return isFirst ? [] : [transfer];
  });
}

export function surplusFinding(transfer: TransferOut, owner: Settlement): Finding {
  return findingOf('TRANSFERRED_TWICE', transfer, { owner });
}

/** A completed purchase against all transfers of the transaction that it names. */
export function completionFindings(transaction: Transaction, transfers: TransferOut[]): Finding[] {
  const { id: transactionId, partnerId, clientId, txHash, asset, quote, walletAddress } = transaction;
  const wanted = { asset, units: quote.assetUnits, to: walletAddress };
  if (transfers.some((each) => isAsWanted(each, wanted))) return [];
  const kind = transfers.length === 0 ? 'TRANSFER_NOT_SHOWN' : 'TRANSFER_DIFFERS';
  const names = { transactionId, partnerId, clientId, txHash };
  const facts = { wanted: plainOf(wanted), shown: transfers.map(plainOf) };
  return [{ kind, key: transactionId, ...names, facts }];
}

function findingOf(
  kind: MoneyCaseKind,
  transfer: TransferOut,
  { owner, transaction }: { owner?: Settlement; transaction?: Transaction },
): Finding {
  const { txHash, logIndex, wallet, nonce, nodes, asked } = transfer;
  const facts = {
    ...plainOf(transfer),
    ...{ wallet, nonce, nodes, asked },
    ...(owner && { settlement: plainOf(owner) }),
    ...(transaction && { status: transaction.status, completedBy: transaction.txHash }),
  };
  const { partnerId, clientId } = transaction ?? {};
  return {
    ...{ kind, key: `${txHash}:${logIndex}`, txHash, facts },
    ...{ transactionId: owner?.transactionId, partnerId, clientId },
  };
}

const plainOf = ({ asset, units, to }: Wanted) => ({ asset, units: String(units), to });
