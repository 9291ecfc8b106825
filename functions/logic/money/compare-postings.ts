import { completionFindings } from '../../domain/books/outflow.ts';
import {
  paymentMissing,
  postingFindings,
  postingOfCase,
  postingOfClosing,
} from '../../domain/books/reconciliation.ts';
import type { Posting } from '../../domain/ledger.ts';
import { postingsOf, postingsOfUnmatched } from '../../domain/purchase/postings.ts';
import { type Origin, returnOf } from '../../domain/purchase/return.ts';
import { isDelivered, TERMINAL } from '../../domain/purchase/status.ts';
import { isPaid, type Transaction } from '../../domain/purchase/transaction.ts';
import { type Comparison, comparePixWith, each, tell } from './compare-payments.ts';
import { compareTransfers } from './compare-transfers.ts';
import { findForeignCase, openReturnFailed } from './money-cases.ts';

/** Each row that provider and chain have named since, against ledger, provider and chain. */
export async function compareNamed(run: Comparison): Promise<void> {
  await each(run, [...run.transactionIds], (id) => comparePurchase(run, id, []));
  await each(run, [...run.unmatchedIds], (id) => compareUnmatched(run, id, []));
  forgetNamed(run);
}

/** What was named meanwhile are the very rows that were compared. */
function forgetNamed({ transactionIds, unmatchedIds }: Comparison): void {
  transactionIds.clear();
  unmatchedIds.clear();
}

/** Postings of a day, some or all of them, against the rows that they come from, and these as `compareNamed`. */
export async function comparePostings(run: Comparison, listed: Posting[]): Promise<void> {
  const ofKinds = (...kinds: Posting['kind'][]) => listed.filter(({ kind }) => kinds.includes(kind));
  const ofPurchases = ofKinds('PAYMENT_RECEIVED', 'SETTLED', 'REFUNDED');
  const byPurchase = Map.groupBy(ofPurchases, ({ transactionId }) => transactionId ?? '');
  const ofUnmatched = ofKinds('STRAY_RECEIVED', 'STRAY_RETURNED');
  const byUnmatched = Map.groupBy(ofUnmatched, ({ endToEndId }) => endToEndId ?? '');
  await each(run, [...byPurchase], ([id, its]) => comparePurchase(run, id, its));
  await each(run, [...byUnmatched], ([id, its]) => compareUnmatched(run, id, its));
  await each(run, ofKinds('TAKEN_BACK'), (posting) => compareTakenBack(run, posting));
  await each(run, ofKinds('RETURNED_OUTSIDE'), (posting) => compareOutside(run, posting));
  forgetNamed(run);
}

/** Compared a moment ago, and nothing was posted since. */
const isCompared = (run: Comparison, id: string, listed: Posting[]) => {
  const known = run.compared.get(id);
  return known !== undefined && listed.every((posting) => known.has(posting.id));
};

/** The row is read after the listing and before the single postings, so a move in between is no discrepancy. */
async function comparePurchase(run: Comparison, id: string, listed: Posting[]): Promise<void> {
  if (isCompared(run, id, listed)) return;
  const transaction = await run.ports.transactions.findTransaction(id);
  const expected = transaction ? postingsOf(transaction) : [];
  await compareLedger(run, expected, listed);
  if (!transaction || !isOfTime(run, listed)) return;
  const origin = isPaid(transaction) ? ({ kind: 'PURCHASE', transaction } as const) : undefined;
  if (origin) await compareShown(run, origin, origin.transaction.payment);
  if (isDelivered(transaction.status)) await compareCompletion(run, transaction);
  await compareWhileMoving(run, transaction);
  run.compared.set(id, idsOf(expected));
  if (origin) await compareReturnFailed(run, origin);
}

async function compareUnmatched(run: Comparison, id: string, listed: Posting[]): Promise<void> {
  if (isCompared(run, id, listed)) return;
  const payment = await run.ports.unmatchedPayments.findUnmatched(id);
  const expected = payment ? postingsOfUnmatched(payment) : [];
  await compareLedger(run, expected, listed);
  if (!payment || !isOfTime(run, listed)) return;
  const origin = { kind: 'UNMATCHED', payment } as const;
  await compareShown(run, origin, { endToEndId: payment.id, paidAt: payment.paidAt });
  run.compared.set(id, idsOf(expected));
  await compareReturnFailed(run, origin);
}

/** A return that nothing tries any more has a case. */
async function compareReturnFailed({ ports, counts }: Comparison, origin: Origin): Promise<void> {
  const { status, tries = 0 } = returnOf(origin) ?? {};
  if (status === 'FAILED' && (await openReturnFailed(origin, tries, ports))) counts.opened += 1;
}

const idsOf = (postings: Posting[]) => new Set(postings.map(({ id }) => id));

/** Days are longer than a run's time: provider and chain are asked about what moved in that. */
const isOfTime = ({ from, to }: Comparison, listed: Posting[]) =>
  listed.length === 0 || listed.some(({ at }) => at >= from && at <= to);

async function compareLedger(run: Comparison, expected: Posting[], listed: Posting[]): Promise<void> {
  const stored = await Promise.all(expected.map(({ id }) => run.ports.ledger.findPosting(id)));
  const found = new Map(stored.filter((each) => each !== undefined).map((each) => [each.id, each]));
  for (const finding of postingFindings(expected, found, listed)) await tell(run, finding);
}

type Shown = { endToEndId: string; paidAt: number };

/** One that the provider's list did not have is asked for by its id. */
async function compareShown(run: Comparison, origin: Origin, { endToEndId, paidAt }: Shown): Promise<void> {
  if (run.seen.has(endToEndId)) return;
  const pix = await run.ports.pix.findReceived(endToEndId);
  if (pix) await comparePixWith(run, origin, pix);
  else if (paidAt <= run.judgedBefore) await tell(run, paymentMissing(origin));
}

async function compareCompletion(run: Comparison, transaction: Transaction): Promise<void> {
  const { txHash, history, createdAt } = transaction;
  if ((history.at(-1)?.at ?? createdAt) > run.judgedBefore) return;
  const transfers = txHash ? await run.ports.outflows.findTransfers(txHash) : [];
  for (const finding of completionFindings(transaction, transfers)) await tell(run, finding);
}

/** Longer than this, and a transfer of it may have been looked at while it moved alone, when nothing could be said. */
const MOVED_LONG_MS = 60 * 60_000;

/** The transfers of the time before this one in which a purchase was processed that is over now. */
async function compareWhileMoving(run: Comparison, transaction: Transaction): Promise<void> {
  const { payment, status, history } = transaction;
  const { at: endedAt } = history.at(-1) ?? { at: 0 };
  if (!payment || !TERMINAL.includes(status) || payment.paidAt >= run.from) return;
  if (endedAt - payment.paidAt < MOVED_LONG_MS) return;
  const before = { from: payment.paidAt, to: Math.min(endedAt, run.from) };
  // Others that were paid out then are compared in their own time.
  await compareTransfers({ ...run, ...before, transactionIds: new Set() });
}

/** What the provider took back is posted with its case, and follows from it. */
async function compareTakenBack(run: Comparison, posting: Posting): Promise<void> {
  const key = posting.id.replace('#TAKEN_BACK#', '#');
  const known =
    (await findForeignCase('MED_REFUND', key, run.ports)) ??
    (await findForeignCase('REFUND_UNASKED', key, run.ports));
  const expected = known && postingOfCase(known);
  await compareLedger(run, expected ? [expected] : [], [posting]);
}

/** What a person gave back by hand is posted with the closing of its case, and follows from it. */
async function compareOutside(run: Comparison, posting: Posting): Promise<void> {
  const known = await run.ports.moneyCases.findCase(posting.id.replace(/#RETURNED_OUTSIDE$/, ''));
  const expected = known && postingOfClosing(known);
  await compareLedger(run, expected ? [expected] : [], [posting]);
}
