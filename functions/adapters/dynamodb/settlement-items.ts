/** Builds the items of the DynamoDB transactions that change a settlement. */
import { type NonceBooks, type Theft, withPayment } from '../../domain/treasury/hot-wallet.ts';
import type { PayoutWindow } from '../../domain/treasury/payout-window.ts';
import type { Attempt, Open, Owned, Requested, Settlement } from '../../domain/treasury/settlement.ts';
import { toSettlementRow } from './settlement-parser.ts';
import { fromUnits, type SettlementItem, slotKeyOf, stillAs, walletKeyOf } from './settlement-rows.ts';
import { putNew, updateOf, type WriteItem } from './table.ts';

/** The table of settlements, and the chain to which its wallets and nonces belong. */
export type SettlementBooks = { settlementsTable: string; chainId: number };

/**
 * The values with which a payout gets its nonce. `next` is the wallet's next nonce, which the payout gets.
 * `committed` is the sum of the wallet's earlier payouts. `window` has the payouts of the last hour,
 * including this one. One transaction writes all of them.
 */
export type CountedBooks = Pick<NonceBooks, 'next' | 'committed'> & { window: PayoutWindow };
export type Assignment = { settlement: Requested; wallet: string; counted: CountedBooks };

export function replaceSettlement(
  { settlementsTable }: SettlementBooks,
  was: Open,
  next: Settlement,
): WriteItem {
  return { Put: { TableName: settlementsTable, Item: toSettlementRow(next), ...stillAs(was) } };
}

/**
 * Takes the next nonce of the wallet (docs/settlement.md, step 3). Only the wallet's row assigns nonces, in
 * ascending order, so there are no gaps. This write is also the only one that changes `given`, the sum of the
 * wallet's payouts. If `next` has not changed since it was read, `given` has not changed either.
 */
export function takeNonce(books: SettlementBooks, { settlement, wallet, counted }: Assignment): WriteItem {
  const { next, committed } = withPayment(counted, settlement);
  return {
    Update: {
      TableName: books.settlementsTable,
      Key: { id: walletKeyOf(books.chainId, wallet) },
      UpdateExpression: 'SET #next = :following, given = :given',
      ConditionExpression: '#next = :next AND attribute_not_exists(quarantine)',
      ExpressionAttributeNames: { '#next': 'next' },
      ExpressionAttributeValues: {
        ':next': counted.next,
        ':following': next,
        ':given': fromUnits(committed),
      },
    },
  };
}

export function openSlot(books: SettlementBooks, { settlement, wallet, counted }: Assignment): WriteItem {
  const id = slotKeyOf(books.chainId, wallet, counted.next);
  const { transactionId } = settlement;
  const slot = { id, transactionId, kind: 'pay', before: fromUnits(counted.committed) };
  return { Put: putNew(books.settlementsTable, slot) };
}

/**
 * Records in the nonce's slot whether the nonce pays or cancels. The slot keeps this even after the settlement has
 * another nonce.
 */
export function markSlot(books: SettlementBooks, settlement: Owned, kind: Attempt['kind']): WriteItem {
  return updateSlot(books, settlement, { kind });
}

/**
 * Records in the nonce's slot how the try ended. The slot is never deleted: it names the purchase, the signed
 * transactions and the reason of the end.
 */
export function closeSlot(books: SettlementBooks, settlement: Owned, ending: { reason: string }): WriteItem {
  return updateSlot(books, settlement, { ...ending, attempts: settlement.attempts });
}

function updateSlot(
  books: SettlementBooks,
  { wallet, nonce, transactionId }: Owned,
  set: SettlementItem,
): WriteItem {
  const update = updateOf(set);
  return {
    Update: {
      TableName: books.settlementsTable,
      Key: { id: slotKeyOf(books.chainId, wallet, nonce) },
      ...update,
      ConditionExpression: 'transactionId = :transactionId',
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':transactionId': transactionId },
    },
  };
}

/**
 * Removes the purchase's disposition, which allows its refund again. No transaction of the failed try can be
 * mined any more.
 */
export function releasePurchase(tables: { transactionsTable: string }, was: Owned): WriteItem {
  return {
    Update: {
      TableName: tables.transactionsTable,
      Key: { id: was.transactionId },
      UpdateExpression: 'REMOVE disposition',
      ConditionExpression: 'disposition = :settle',
      ExpressionAttributeValues: { ':settle': 'SETTLE' },
    },
  };
}

/**
 * Puts the wallet in quarantine because of a theft. This replaces the hold that an operator may have put on
 * the wallet. Otherwise the operator who releases the wallet would not learn that another party has its key.
 */
export function quarantineWallet(books: SettlementBooks, { wallet }: Owned, quarantine: Theft): WriteItem {
  return {
    Update: {
      TableName: books.settlementsTable,
      Key: { id: walletKeyOf(books.chainId, wallet) },
      UpdateExpression: 'SET quarantine = :quarantine',
      ConditionExpression: 'attribute_exists(#next)',
      ExpressionAttributeNames: { '#next': 'next' },
      ExpressionAttributeValues: { ':quarantine': quarantine },
    },
  };
}
