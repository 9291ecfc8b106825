import type { Status } from './status.ts';
import type { Transaction } from './transaction.ts';

/**
 * The filter of a list of purchases. `from` and `to` are epoch milliseconds. `from` itself is included,
 * `to` is not.
 */
export type PurchasesWanted = {
  partnerId: string;
  clientId?: string;
  status?: Status;
  from?: number;
  to?: number;
};

export type PurchaseLists = {
  /**
   * Lists purchases, the newest first. `next` is present if there may be more. A page can be short or even empty
   * although there are more, because one call reads a limited number of rows. A new purchase may be missing for some
   * seconds.
   */
  listPurchases(
    wanted: PurchasesWanted,
    page: { limit: number; after?: string },
  ): Promise<{ purchases: Transaction[]; next?: string }>;
  /** Finds the partner's own purchases among these ids. */
  findPurchases(partnerId: string, ids: readonly string[]): Promise<Transaction[]>;
};

export function isPurchaseWanted(
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
