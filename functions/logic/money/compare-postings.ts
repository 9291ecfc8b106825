import { completionFindings } from '../../domain/books/outflow.ts';
import {
  missingPayment,
  paymentOf,
  postingOfCase,
  postingOfClosing,
} from '../../domain/books/reconciliation.ts';
import type { Posting } from '../../domain/ledger.ts';
import { type Origin, postingsOfOrigin, returnOf } from '../../domain/purchase/return.ts';
import { isDelivered, TERMINAL } from '../../domain/purchase/status.ts';
import { isPaid, type Paid } from '../../domain/purchase/transaction.ts';
import { comparePixWith } from './compare-payments.ts';
import { compareTransfers } from './compare-transfers.ts';
import { type BooksPorts, type Comparison, compareEach, compareLedger, openFindings } from './comparison.ts';
import { findForeignCase, openReturnFailed } from './money-cases.ts';

/** Compares each row that provider and chain have named since the last call with ledger, provider and chain. */
export async function compareNamed(run: Comparison): Promise<void> {
  await compareEach(run, [...run.transactionIds], (id) => compareRow(run, { kind: 'PURCHASE', id }, []));
  await compareEach(run, [...run.unmatchedIds], (id) => compareRow(run, { kind: 'UNMATCHED', id }, []));
  forgetNamed(run);
}

/** Forgets the names of the rows, because the comparison of a row names the row again. */
function forgetNamed({ transactionIds, unmatchedIds }: Comparison): void {
  transactionIds.clear();
  unmatchedIds.clear();
}

/** Compares some postings of a day with the rows that they come from, and these rows as `compareNamed` does. */
export async function comparePostings(run: Comparison, listed: Posting[]): Promise<void> {
  const ofKinds = (...kinds: Posting['kind'][]) => listed.filter(({ kind }) => kinds.includes(kind));
  const ofPurchases = ofKinds('PAYMENT_RECEIVED', 'SETTLED', 'REFUNDED');
  const byPurchase = Map.groupBy(ofPurchases, ({ transactionId }) => transactionId ?? '');
  const ofUnmatched = ofKinds('UNMATCHED_RECEIVED', 'UNMATCHED_RETURNED');
  const byUnmatched = Map.groupBy(ofUnmatched, ({ endToEndId }) => endToEndId ?? '');
  await compareEach(run, [...byPurchase], ([id, its]) => compareRow(run, { kind: 'PURCHASE', id }, its));
  await compareEach(run, [...byUnmatched], ([id, its]) => compareRow(run, { kind: 'UNMATCHED', id }, its));
  await compareEach(run, ofKinds('TAKEN_BACK'), (posting) => compareTakenBack(run, posting));
  await compareEach(run, ofKinds('RETURNED_OUTSIDE'), (posting) => compareOutside(run, posting));
  forgetNamed(run);
}

type RowName = { kind: Origin['kind']; id: string };

/** The row is read after the listing and before the single postings, so a move in between is no discrepancy. */
async function compareRow(run: Comparison, { kind, id }: RowName, listed: Posting[]): Promise<void> {
  if (isCompared(run, id, listed)) return;
  const origin = await findOrigin({ kind, id }, run.ports);
  const expected = origin ? postingsOfOrigin(origin) : [];
  await compareLedger(run, expected, listed);
  if (!origin || !isOfTime(run, listed)) return;
  await compareShown(run, origin);
  if (origin.kind === 'PURCHASE') await compareSettlement(run, origin.transaction);
  run.compared.set(id, new Set(expected.map((posting) => posting.id)));
  await compareReturnFailed(run, origin);
}

/** Whether the row was compared in this run, and nothing was posted since. */
function isCompared({ compared }: Comparison, id: string, listed: Posting[]): boolean {
  const known = compared.get(id);
  return known !== undefined && listed.every((posting) => known.has(posting.id));
}

/** The row. Undefined if there is none, or if its purchase is unpaid and has moved no money. */
async function findOrigin({ kind, id }: RowName, ports: BooksPorts): Promise<Origin | undefined> {
  if (kind === 'PURCHASE') {
    const transaction = await ports.transactions.findTransaction(id);
    return transaction && isPaid(transaction) ? { kind, transaction } : undefined;
  }
  const payment = await ports.unmatchedPayments.findUnmatched(id);
  return payment && { kind, payment };
}

/** A day is longer than the run's time. Provider and chain are asked only about what moved in that time. */
const isOfTime = ({ from, to }: Comparison, listed: Posting[]) =>
  listed.length === 0 || listed.some(({ at }) => at >= from && at <= to);

/** Reads a payment by its id if it was not in the provider's list. */
async function compareShown(run: Comparison, origin: Origin): Promise<void> {
  const { endToEndId, paidAt } = paymentOf(origin);
  if (run.seen.has(endToEndId)) return;
  const pix = await run.ports.pix.findReceived(endToEndId);
  if (pix) await comparePixWith(run, origin, pix);
  else if (paidAt <= run.judgedBefore) await openFindings(run, [missingPayment(origin)]);
}

async function compareSettlement(run: Comparison, transaction: Paid): Promise<void> {
  if (isDelivered(transaction.status)) await compareCompletion(run, transaction);
  await compareWhileMoving(run, transaction);
}

async function compareCompletion(run: Comparison, transaction: Paid): Promise<void> {
  const { txHash, history, createdAt } = transaction;
  if ((history.at(-1)?.at ?? createdAt) > run.judgedBefore) return;
  const transfers = txHash ? await run.ports.outflows.findTransfers(txHash) : [];
  await openFindings(run, completionFindings(transaction, transfers));
}

/** Earlier runs may have met a transfer of a purchase that moved longer than this, and could not judge it then. */
const MOVED_LONG_MS = 60 * 60_000;

/**
 * Compares earlier transfers for a purchase that moved long and has ended: those of the time before this run in which
 * it moved.
 */
async function compareWhileMoving(run: Comparison, transaction: Paid): Promise<void> {
  const { payment, status, history } = transaction;
  const { at: endedAt } = history.at(-1) ?? { at: 0 };
  if (!TERMINAL.includes(status) || payment.paidAt >= run.from) return;
  if (endedAt - payment.paidAt < MOVED_LONG_MS) return;
  const before = { from: payment.paidAt, to: Math.min(endedAt, run.from) };
  // Other purchases of that earlier time are compared in runs of their own, so their names are dropped.
  await compareTransfers({ ...run, ...before, transactionIds: new Set() });
}

/** Opens a case for a return that nothing tries any more, unless it has one. */
async function compareReturnFailed({ ports, counts }: Comparison, origin: Origin): Promise<void> {
  const { status, tries = 0 } = returnOf(origin) ?? {};
  if (status === 'FAILED' && (await openReturnFailed(origin, tries, ports))) counts.opened += 1;
}

/**
 * Compares the posting of a return that the provider made by itself. The posting was written with a case, and follows
 * from it.
 */
async function compareTakenBack(run: Comparison, posting: Posting): Promise<void> {
  const key = posting.id.replace('#TAKEN_BACK#', '#');
  const known =
    (await findForeignCase('MED_REFUND', key, run.ports)) ??
    (await findForeignCase('REFUND_UNASKED', key, run.ports));
  const expected = known && postingOfCase(known);
  await compareLedger(run, expected ? [expected] : [], [posting]);
}

/**
 * Compares the posting of money that a person gave back by hand. The posting was written with the closing of a case,
 * and follows from it.
 */
async function compareOutside(run: Comparison, posting: Posting): Promise<void> {
  const known = await run.ports.moneyCases.findCase(posting.id.replace(/#RETURNED_OUTSIDE$/, ''));
  const expected = known && postingOfClosing(known);
  await compareLedger(run, expected ? [expected] : [], [posting]);
}
