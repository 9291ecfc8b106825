import type { Log } from '../domain/ports.ts';
import type { Status } from '../domain/purchase/status.ts';
import type { Transactions } from '../domain/purchase/transaction-ports.ts';
import type { PurchaseChange } from '../domain/purchase/transitions.ts';
import type { TransactionStore } from './dynamodb/transactions.ts';

/** Wraps the store of purchases, so that a metric counts every status that a purchase reaches. */
export function countedTransactions(store: TransactionStore, log: Pick<Log, 'measure'>): Transactions {
  const count = (status: Status) => log.measure('Purchases', 1, { status });
  const counted = (save: (change: PurchaseChange) => Promise<boolean>) => async (change: PurchaseChange) => {
    const isSaved = await save(change);
    if (isSaved && change.set.status) count(change.set.status);
    return isSaved;
  };
  return {
    ...store,
    create: (transaction, evidence) => store.create(transaction, evidence, () => count(transaction.status)),
    save: counted(store.save),
    saveRefundClaim: counted(store.saveRefundClaim),
  };
}
