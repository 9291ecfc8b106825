import { move, type Posting, type PostingKind, postingOf } from '../ledger.ts';
import { type Delivered, isDelivered, reachedAt, type Transaction } from './transaction.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/**
 * The postings of a purchase so far, in this order: payment, settlement, refund. They are computed from the
 * row alone, so the ledger can be checked at any time. A return that the provider made itself is not among
 * them. Its posting is written with its money case.
 */
export function postingsOf(transaction: Transaction): Posting[] {
  const { id: transactionId, partnerId, payment, refund } = transaction;
  if (!payment) return [];
  const { endToEndId, paidAt, amountCentavos } = payment;
  const names = { partnerId, transactionId, endToEndId };
  const endedAt = reachedAt(transaction);
  const post = (kind: PostingKind, at: number, entries: Posting['entries']) =>
    postingOf(transactionId, kind, at, { ...names, entries });
  const receipt = post('PAYMENT_RECEIVED', paidAt, received(amountCentavos, 'clients'));
  const postings = [{ ...receipt, id: receivedId(endToEndId) }];
  if (isDelivered(transaction))
    postings.push({
      ...post('SETTLED', endedAt, settled(transaction, amountCentavos)),
      txHash: firstHashOf(transaction),
    });
  if (refund?.status === 'REFUNDED')
    postings.push(post('REFUNDED', refund.refundedAt, returned(refund.amountCentavos, 'clients')));
  return postings;
}

/**
 * The id of the posting of a received Pix. It names neither a purchase nor an unmatched payment. The ledger therefore
 * takes the posting of one of them only: docs/decisions.md, "Paid, then failed".
 */
export const receivedId = (endToEndId: string): string => `${endToEndId}#RECEIVED`;

/** The id of the posting that takes the tokens of a purchase from the treasury. */
export const settledId = (transactionId: string): string => `${transactionId}#SETTLED`;

/** The postings of an unmatched payment so far: its receipt and its return. They are computed from the row alone. */
export function postingsOfUnmatched(payment: UnmatchedPayment): Posting[] {
  const { id: endToEndId, amountCentavos, paidAt, refund } = payment;
  const names = { endToEndId, ...purchaseNames(payment) };
  const post = (kind: PostingKind, at: number, entries: Posting['entries']) =>
    postingOf(endToEndId, kind, at, { ...names, entries });
  const receipt = post('UNMATCHED_RECEIVED', paidAt, received(amountCentavos, 'unmatched'));
  const postings = [{ ...receipt, id: receivedId(endToEndId) }];
  if (refund.status === 'REFUNDED')
    postings.push(post('UNMATCHED_RETURNED', refund.refundedAt, returned(amountCentavos, 'unmatched')));
  return postings;
}

/** The ledger accounts of money that we owe: to clients, or to payers of unmatched payments. */
type Owed = 'clients' | 'unmatched';

const received = (centavos: number, owed: Owed) => move('BRL', centavos, { debit: 'pix', credit: owed });
const returned = (centavos: number, owed: Owed) => move('BRL', centavos, { debit: owed, credit: 'pix' });
const settled = ({ asset, quote }: Transaction, centavos: number) => [
  ...move('BRL', centavos, { debit: 'clients', credit: 'sales' }),
  // The client's payment contains our spread, which is moved from `sales` to `margin`.
  ...(quote.feeCentavos > 0 ? move('BRL', quote.feeCentavos, { debit: 'sales', credit: 'margin' }) : []),
  ...move(asset, quote.assetUnits, { debit: `delivered:${asset}`, credit: `treasury:${asset}` }),
];

/**
 * The first hash of the transfer that was saved. After a reorganisation of the chain the purchase may get
 * another hash, but a posting in the ledger never changes.
 */
const firstHashOf = ({ formerTxHashes, txHash }: Delivered): string => formerTxHashes?.[0] ?? txHash;

/** The partner and the purchase to which a movement of money belongs. A Pix without a purchase has neither. */
export const purchaseNames = ({
  partnerId,
  transactionId,
}: Pick<Posting, 'partnerId' | 'transactionId'>) => ({
  ...(partnerId !== undefined && { partnerId }),
  ...(transactionId !== undefined && { transactionId }),
});
