import { isAboutForeignReturn, isPostedLoss, owedIn } from '../functions/domain/books/case-postings.ts';
import { type MoneyCase, moneyCaseId } from '../functions/domain/books/money-case.ts';
import type { Desk } from './desk.ts';
import { findRowOf } from './money-case-lines.ts';

/**
 * Whether a person must give back by hand what comes back of a return that this service did not request. True if no
 * tokens were sent for the payment, and no return of ours or its case covers the same money.
 */
export async function isOwedOnceBack(found: MoneyCase, desk: Desk): Promise<boolean> {
  const from = owedIn(found);
  if (!isAboutForeignReturn(found) || !isPostedLoss(found) || from === undefined) return false;
  const { refund, payment, ...row } = (await findRowOf(found, desk)) ?? {};
  const paid = payment?.amountCentavos ?? row.amountCentavos ?? 0;
  const ours = refund?.amountCentavos ?? paid;
  if (!refund || ours + (found.amountCentavos ?? 0) <= paid) return true;
  return refund.status === 'FAILED' && isLeftByItsCase(found, from, desk);
}

/** Whether a person closed the case of our own failed return, and gave nothing back. */
async function isLeftByItsCase(
  { transactionId = '', endToEndId = '' }: MoneyCase,
  from: 'clients' | 'unmatched',
  { moneyCases }: Desk,
): Promise<boolean> {
  const id =
    from === 'clients'
      ? moneyCaseId('REFUND_FAILED', transactionId)
      : moneyCaseId('UNMATCHED_LEFT', endToEndId);
  const outcome = (await moneyCases.findCase(id))?.closed?.outcome;
  return outcome === 'EXPLAINED' || outcome === 'LOST';
}
