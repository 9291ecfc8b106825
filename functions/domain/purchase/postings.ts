import { move, type Posting, postingOf } from '../ledger.ts';
import { isDelivered } from './status.ts';
import type { Transaction } from './transaction.ts';

/** What a purchase has moved so far, in this order; derived from its row alone, so that it can be checked at any time. */
export function postingsOf(transaction: Transaction): Posting[] {
  const { id: transactionId, status, asset, quote, payment, refund } = transaction;
  // What is posted stays, also where a reorganisation gave the transfer another hash.
  const txHash = transaction.formerTxHashes?.[0] ?? transaction.txHash;
  if (!payment) return [];
  const { endToEndId, paidAt, amountCentavos } = payment;
  const origin = { transactionId, endToEndId };
  const postings = [
    postingOf(transactionId, 'PAYMENT_RECEIVED', paidAt, {
      ...origin,
      entries: move('BRL', amountCentavos, { debit: 'pix', credit: 'clients' }),
    }),
  ];
  if (isDelivered(status)) {
    const entries = [
      ...move('BRL', amountCentavos, { debit: 'clients', credit: 'sales' }),
      ...move(asset, quote.assetUnits, { debit: `delivered:${asset}`, credit: `treasury:${asset}` }),
    ];
    postings.push(
      postingOf(transactionId, 'SETTLED', reachedAt(transaction), {
        ...origin,
        ...(txHash !== undefined && { txHash }),
        entries,
      }),
    );
  }
  if (refund?.status === 'REFUNDED') {
    const entries = move('BRL', refund.amountCentavos, { debit: 'clients', credit: 'pix' });
    const at = refund.refundedAt ?? reachedAt(transaction);
    postings.push(postingOf(transactionId, 'REFUNDED', at, { ...origin, entries }));
  }
  return postings;
}

/** When the row got into its present status; the end of a refund that tells no instant of its own is not before it. */
function reachedAt({ history, createdAt }: Transaction): number {
  return history.at(-1)?.at ?? createdAt;
}
