import { move, type Posting, type PostingKind, postingOf } from '../ledger.ts';
import type { ReturnState } from './return-state.ts';
import { isDelivered } from './status.ts';
import type { Transaction } from './transaction.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/** Money that was received and is owed until it is settled or returned. */
type Owed = {
  /** The first part of the ids of its postings. */
  of: string;
  names: { transactionId?: string; endToEndId: string };
  /** The ledger's account of those who are owed the money. */
  account: 'clients' | 'strays';
};

/**
 * The postings of a purchase so far, in this order: payment, settlement, refund. They follow from the row alone, so
 * they can be checked at any time. A return that the provider made by itself is posted with its case instead.
 */
export function postingsOf(transaction: Transaction): Posting[] {
  const { id: transactionId, payment, status, refund } = transaction;
  if (!payment) return [];
  const { endToEndId } = payment;
  const owed: Owed = { of: transactionId, names: { transactionId, endToEndId }, account: 'clients' };
  const returned = refund && { ...refund, since: reachedAt(transaction) };
  return [
    receivedPosting(owed, 'PAYMENT_RECEIVED', payment),
    ...(isDelivered(status) ? [settledPosting(transaction, payment)] : []),
    ...returnedPosting(owed, 'REFUNDED', returned),
  ];
}

/** As `postingsOf`, for an unmatched payment: the payment and its return. */
export function postingsOfUnmatched(payment: UnmatchedPayment): Posting[] {
  const { id: endToEndId, transactionId, amountCentavos, foundAt, refund } = payment;
  const names = { endToEndId, ...(transactionId !== undefined && { transactionId }) };
  const owed: Owed = { of: endToEndId, names, account: 'strays' };
  return [
    receivedPosting(owed, 'STRAY_RECEIVED', payment),
    ...returnedPosting(owed, 'STRAY_RETURNED', { ...refund, amountCentavos, since: foundAt }),
  ];
}

type Received = { amountCentavos: number; paidAt: number };

function receivedPosting({ of, names, account }: Owed, kind: PostingKind, pix: Received): Posting {
  const entries = move('BRL', pix.amountCentavos, { debit: 'pix', credit: account });
  return postingOf(of, kind, pix.paidAt, { ...names, entries });
}

function settledPosting(
  transaction: Transaction,
  { endToEndId, amountCentavos }: { endToEndId: string; amountCentavos: number },
): Posting {
  const { id: transactionId, asset, quote } = transaction;
  // A posting never changes, even if a reorganisation gave the transfer another hash.
  const txHash = transaction.formerTxHashes?.[0] ?? transaction.txHash;
  const entries = [
    ...move('BRL', amountCentavos, { debit: 'clients', credit: 'sales' }),
    ...move(asset, quote.assetUnits, { debit: `delivered:${asset}`, credit: `treasury:${asset}` }),
  ];
  const names = { transactionId, endToEndId, ...(txHash !== undefined && { txHash }) };
  return postingOf(transactionId, 'SETTLED', reachedAt(transaction), { ...names, entries });
}

/**
 * `since`: the instant of the posting if the row does not say when the return was recorded. Rows of earlier versions
 * do not say it.
 */
type Returned = ReturnState & { amountCentavos: number; since: number };

function returnedPosting({ of, names, account }: Owed, kind: PostingKind, returned?: Returned): Posting[] {
  if (returned?.status !== 'REFUNDED') return [];
  const { amountCentavos, refundedAt, since } = returned;
  const entries = move('BRL', amountCentavos, { debit: account, credit: 'pix' });
  return [postingOf(of, kind, refundedAt ?? since, { ...names, entries })];
}

/** When the row reached its present status. */
function reachedAt({ history, createdAt }: Transaction): number {
  return history.at(-1)?.at ?? createdAt;
}
