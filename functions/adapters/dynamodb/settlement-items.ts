/** The items of which one write about a settlement consists. */
import { type Account, type Theft, withPayment } from '../../domain/treasury/hot-wallet.ts';
import type { PayoutWindow } from '../../domain/treasury/payout-window.ts';
import type { Attempt, Open, Owned, Requested, Settlement } from '../../domain/treasury/settlement.ts';
import { toRow } from './settlement-parser.ts';
import { fromUnits, type Row, slotKeyOf, stillAs, walletKeyOf } from './settlement-rows.ts';
import { putNew, updateOf, type WriteItem } from './table.ts';

/** The table of the settlements, and the chain of its wallets and nonces. */
export type Books = { settlementsTable: string; chainId: number };

/**
 * The next nonce of a wallet, and the sum of all payouts before that nonce. `window` counts the payout already. One
 * write changes them all.
 */
export type Counted = Pick<Account, 'next' | 'committed'> & { window: PayoutWindow };
export type Assignment = { settlement: Requested; wallet: string; counted: Counted };

export function replaceSettlement({ settlementsTable }: Books, was: Open, next: Settlement): WriteItem {
  return { Put: { TableName: settlementsTable, Item: toRow(next), ...stillAs(was) } };
}

/**
 * The wallet's row alone gives out nonces, in their order, so gaps cannot arise (docs/settlement.md, step 3). Only
 * this write changes the sum: if the nonce is right, so is the sum.
 */
export function takeNonce(books: Books, { settlement, wallet, counted }: Assignment): WriteItem {
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

export function openSlot(books: Books, { settlement, wallet, counted }: Assignment): WriteItem {
  const id = slotKeyOf(books.chainId, wallet, counted.next);
  const { transactionId } = settlement;
  const slot = { id, transactionId, kind: 'pay', before: fromUnits(counted.committed) };
  return { Put: putNew(books.settlementsTable, slot) };
}

/** The slot says what its nonce is for, also after the settlement has another nonce. */
export function markSlot(books: Books, settlement: Owned, kind: Attempt['kind']): WriteItem {
  return updateSlot(books, settlement, { kind });
}

/** The slot stays as history: which purchase used the nonce, with which bytes, and how it ended. */
export function closeSlot(books: Books, settlement: Owned, reason: string): WriteItem {
  return updateSlot(books, settlement, { reason, attempts: settlement.attempts });
}

function updateSlot(books: Books, { wallet, nonce, transactionId }: Owned, set: Row): WriteItem {
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

/** Nothing of the failed try can be mined any more, so the purchase may be refunded again. */
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
 * It also replaces the hold of an operator. The hold alone would not show, at the release of the wallet, that its key
 * is in other hands.
 */
export function quarantineWallet(books: Books, { wallet }: Owned, quarantine: Theft): WriteItem {
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
