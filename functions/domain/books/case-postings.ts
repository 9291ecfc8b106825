/** The postings of money cases. Each follows from its case alone. One write makes it and opens or closes the case. */
import { type Posting, recovered, returnedOutside, type TakenBackPosting, takenBack } from '../ledger.ts';
import { purchaseNames } from '../purchase/postings.ts';
import type { Finding, MoneyCase } from './money-case.ts';
import { MONEY_CASE_KINDS } from './money-case-kinds.ts';

/** The kinds of cases about a return that this service did not request. */
export type ForeignKind = 'MED_REFUND' | 'REFUND_UNASKED';

/** Whether the case is about a return that this service did not request. */
export function isAboutForeignReturn(found: MoneyCase): found is MoneyCase<ForeignKind> {
  return found.kind === 'MED_REFUND' || found.kind === 'REFUND_UNASKED';
}

type Foreign = Pick<
  Finding<ForeignKind>,
  'endToEndId' | 'partnerId' | 'transactionId' | 'amountCentavos' | 'facts'
>;

/** The posting of a return that this service did not request. Undefined if nothing is posted for it. */
export function postingOfCase(found: Foreign): Posting | undefined {
  const back = takenBackIn(found);
  return back && takenBack(back);
}

/** The return as it is posted. Undefined if its amount is unknown, or if the case names no Pix. */
function takenBackIn(found: Foreign): TakenBackPosting | undefined {
  const { endToEndId, amountCentavos } = found;
  const { returnId, at, from } = found.facts;
  if (amountCentavos === undefined || endToEndId === undefined) return undefined;
  return { returnId, amountCentavos, at, from, endToEndId, ...purchaseNames(found) };
}

/** Whether the ledger has the money as taken back, so that the recovered part of it must be posted as well. */
export function isPostedLoss(found: MoneyCase): boolean {
  return isAboutForeignReturn(found) && takenBackIn(found) !== undefined;
}

/**
 * The postings that belong to the closing of a case. None if the outcome has none, or if the closing has no amount.
 * Earlier versions of this service closed cases as `RECOVERED` without an amount. Money of a return that was not ours
 * must have come back before a person could give it to its payer. `RETURNED_OUTSIDE` therefore posts both.
 */
export function postingsOfClosing(found: MoneyCase): Posting[] {
  const { closed } = found;
  if (closed?.amountCentavos === undefined) return [];
  const moved = { amountCentavos: closed.amountCentavos, at: closed.at };
  const isOutside = closed.outcome === 'RETURNED_OUTSIDE';
  const isBack = isOutside || closed.outcome === 'RECOVERED';
  const postings = [
    isBack ? postingOfRecovered(found, moved) : undefined,
    isOutside ? postingOfGivenBack(found, moved) : undefined,
  ];
  return postings.filter((posting) => posting !== undefined);
}

/**
 * The ledger's account of those to whom we owe the money of the case, if it is in our account. Undefined if
 * nothing is owed.
 */
export function owedIn(found: MoneyCase): 'clients' | 'unmatched' | undefined {
  if (!isAboutForeignReturn(found)) return MONEY_CASE_KINDS[found.kind].owedTo;
  const { from } = found.facts;
  return from === 'losses' ? undefined : from;
}

type Moved = { amountCentavos: number; at: number };

/**
 * The posting of money that a person gave back. Undefined if nothing is owed, or if the case names no Pix.
 */
function postingOfGivenBack(found: MoneyCase, moved: Moved): Posting | undefined {
  const { id: caseId, endToEndId } = found;
  const from = owedIn(found);
  if (!from || endToEndId === undefined) return undefined;
  return returnedOutside({ caseId, ...moved, from, endToEndId, ...purchaseNames(found) });
}

/**
 * The posting of money that came back to us. Undefined if the ledger does not have the money as taken back.
 */
function postingOfRecovered(found: MoneyCase, moved: Moved): Posting | undefined {
  const back = isAboutForeignReturn(found) ? takenBackIn(found) : undefined;
  return back && recovered({ ...back, ...moved });
}
