import type { Status } from './status.ts';
import type { Transaction } from './transaction.ts';

/** The purchases of one partner that a list shows. Instants are epoch milliseconds: from `from`, and before `to`. */
export type PurchasesWanted = {
  partnerId: string;
  clientId?: string;
  status?: Status;
  from?: number;
  to?: number;
};

export type PurchaseLists = {
  /**
   * The newest first. `next` is given where there may be more. A page can be short, even empty, although there are
   * more: one call reads a limited number of rows. A new purchase may be missing for some seconds.
   */
  listPurchases(
    wanted: PurchasesWanted,
    page: { limit: number; after?: string },
  ): Promise<{ purchases: Transaction[]; next?: string }>;
  /** Those of the ids that are purchases of the partner. */
  findPurchases(partnerId: string, ids: readonly string[]): Promise<Transaction[]>;
};

export function isWanted(
  {
    partnerId,
    clientId,
    status,
    createdAt,
  }: Pick<Transaction, (keyof PurchasesWanted & keyof Transaction) | 'createdAt'>,
  wanted: PurchasesWanted,
): boolean {
  const { from = createdAt, to = createdAt + 1 } = wanted;
  return (
    partnerId === wanted.partnerId &&
    clientId === (wanted.clientId ?? clientId) &&
    status === (wanted.status ?? status) &&
    createdAt >= from &&
    createdAt < to
  );
}
