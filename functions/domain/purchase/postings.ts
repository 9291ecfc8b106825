import { move, type Posting, type PostingKind, postingOf } from '../ledger.ts';
import { isDelivered } from './status.ts';
import type { Transaction } from './transaction.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/**
 * The postings of a purchase so far, in this order: payment, settlement, refund. They follow from the row alone, so
 * they can be checked at any time. A return that the provider made by itself is posted with its case instead.
 */
export function postingsOf(transaction: Transaction): Posting[] {
  const { id: transactionId, partnerId, payment, status, refund } = transaction;
  if (!payment) return [];
  const { endToEndId, paidAt, amountCentavos } = payment;
  const names = { partnerId, transactionId, endToEndId };
  const reachedAt = transaction.history.at(-1)?.at ?? transaction.createdAt;
  const post = (kind: PostingKind, at: number, entries: Posting['entries']) =>
    postingOf(transactionId, kind, at, { ...names, entries });
  const postings = [post('PAYMENT_RECEIVED', paidAt, received(amountCentavos, 'clients'))];
  if (isDelivered(status))
    postings.push({
      ...post('SETTLED', reachedAt, settled(transaction, amountCentavos)),
      ...txHashOf(transaction),
    });
  if (refund?.status === 'REFUNDED')
    postings.push(
      post('REFUNDED', refund.refundedAt ?? reachedAt, returned(refund.amountCentavos, 'clients')),
    );
  return postings;
}

/** As `postingsOf`, for an unmatched payment: the payment and its return. */
export function postingsOfUnmatched(payment: UnmatchedPayment): Posting[] {
  const { id: endToEndId, amountCentavos, paidAt, foundAt, refund } = payment;
  const names = { endToEndId, ...purchaseNames(payment) };
  const post = (kind: PostingKind, at: number, entries: Posting['entries']) =>
    postingOf(endToEndId, kind, at, { ...names, entries });
  const postings = [post('UNMATCHED_RECEIVED', paidAt, received(amountCentavos, 'unmatched'))];
  if (refund.status === 'REFUNDED')
    postings.push(
      post('UNMATCHED_RETURNED', refund.refundedAt ?? foundAt, returned(amountCentavos, 'unmatched')),
    );
  return postings;
}

/** The ledger's account of those who are owed the money. */
type Owed = 'clients' | 'unmatched';

const received = (centavos: number, owed: Owed) => move('BRL', centavos, { debit: 'pix', credit: owed });
const returned = (centavos: number, owed: Owed) => move('BRL', centavos, { debit: owed, credit: 'pix' });
const settled = ({ asset, quote }: Transaction, centavos: number) => [
  ...move('BRL', centavos, { debit: 'clients', credit: 'sales' }),
  ...move(asset, quote.assetUnits, { debit: `delivered:${asset}`, credit: `treasury:${asset}` }),
];

/** A posting never changes, even if a reorganisation gave the transfer another hash. */
function txHashOf({ formerTxHashes, txHash }: Transaction): { txHash?: string } {
  const first = formerTxHashes?.[0] ?? txHash;
  return first === undefined ? {} : { txHash: first };
}

/** The names of the purchase that a movement belongs to. A Pix without a purchase has none of them. */
export const purchaseNames = ({
  partnerId,
  transactionId,
}: Pick<Posting, 'partnerId' | 'transactionId'>) => ({
  ...(partnerId !== undefined && { partnerId }),
  ...(transactionId !== undefined && { transactionId }),
});
