import { postingOfCase, postingsOfClosing } from '../../domain/books/case-postings.ts';
import type { Finding } from '../../domain/books/money-case.ts';
import { foreignReturns, paymentFindings, returnFindings } from '../../domain/books/reconciliation.ts';
import type { ReceivedPix } from '../../domain/purchase/pix.ts';
import { hasOurForm, isForeign, type Origin } from '../../domain/purchase/return.ts';
import { isBeingSettled, TERMINAL } from '../../domain/purchase/status.ts';
import { isPaidWith, type Transaction } from '../../domain/purchase/transaction.ts';
import { resumeIfMoved } from '../purchase/waits.ts';
import { type Comparison, compareEach, compareLedger, openFindings } from './comparison.ts';
import { openForeignReturn } from './money-cases.ts';
import { receiveUnmatched } from './unmatched-payments.ts';

/**
 * Compares each Pix that the provider lists from `at` on with our purchases and unmatched payments. Returns
 * the instant up to which the provider's list was complete.
 */
export async function compareReceived(run: Comparison, at: number): Promise<number> {
  const { received, upTo } = await run.ports.pix.listReceived(at, run.to);
  const fresh = received.filter(({ endToEndId }) => !run.listed.has(endToEndId));
  for (const { endToEndId } of fresh) run.listed.add(endToEndId);
  run.counts.payments += fresh.length;
  await compareEach(run, fresh, (pix) => comparePix(run, pix));
  return upTo;
}

/**
 * Compares the returns of each Pix that the provider has returned in full or in part. Returns the instant up to which
 * the provider's list was complete.
 */
export async function compareReturned(run: Comparison, at: number): Promise<number> {
  const { received, upTo } = await run.ports.pix.listReceived(at, run.to, { isReturned: true });
  await compareEach(run, received, (pix) => compareReturnsOf(run, pix));
  return upTo;
}

async function comparePix(run: Comparison, pix: ReceivedPix): Promise<void> {
  const origin = await findOrigin(run, pix);
  if (!origin) return;
  await comparePixWith(run, origin, await inFull(run, origin, pix));
}

/**
 * A provider's list may leave out returns. If it does not show the return that this service made, the Pix is
 * read by its end-to-end id.
 */
async function inFull({ judgedBefore, ports }: Comparison, origin: Origin, pix: ReceivedPix) {
  const findings = returnFindings(origin, pix, judgedBefore);
  if (!findings.some(({ kind }) => kind === 'REFUND_NOT_SHOWN')) return pix;
  return (await ports.pix.findReceived(pix.endToEndId)) ?? pix;
}

/** Compares a purchase or an unmatched payment with the Pix that the provider shows for it. */
export async function comparePixWith(run: Comparison, origin: Origin, pix: ReceivedPix): Promise<void> {
  run.seen.add(pix.endToEndId);
  if (origin.kind === 'PURCHASE') run.transactionIds.add(origin.transaction.id);
  else run.unmatchedIds.add(origin.payment.id);
  await openFindings(run, paymentFindings(origin, pix));
  await openFindings(run, returnFindings(origin, pix, run.judgedBefore));
  await compareForeignReturns(run, origin, pix);
}

/**
 * Finds the purchase or the unmatched payment to which the Pix belongs. Writes an unmatched payment if the
 * Pix has none yet. Undefined if no row takes the Pix, because an open purchase may still take it. If the
 * purchase has ended nevertheless, a money case opens.
 */
async function findOrigin(run: Comparison, pix: ReceivedPix): Promise<Origin | undefined> {
  const { ports } = run;
  const transaction = await purchaseOf(run, pix);
  if (transaction && isPaidWith(transaction, pix.endToEndId)) return { kind: 'PURCHASE', transaction };
  const known = await ports.unmatchedPayments.findUnmatched(pix.endToEndId);
  if (known) return { kind: 'UNMATCHED', payment: known };
  await receiveUnmatched(pix, transaction, ports);
  const payment = await ports.unmatchedPayments.findUnmatched(pix.endToEndId);
  if (payment) run.counts.repaired += 1;
  else if (transaction && TERMINAL.includes(transaction.status))
    await openFindings(run, [ignored(pix, transaction)]);
  return payment && { kind: 'UNMATCHED', payment };
}

/**
 * Finds the purchase that the txid names. It first resumes an execution whose wake-up was lost, or records a
 * payment whose callback was lost.
 */
async function purchaseOf({ ports, counts, receivePayment }: Comparison, { txid }: ReceivedPix) {
  const transaction = txid ? await ports.transactions.findTransaction(txid) : undefined;
  if (transaction && isBeingSettled(transaction.status)) await resumeIfMoved(transaction, ports.machine);
  if (transaction?.status !== 'AWAITING_PIX') return transaction;
  if (await receivePayment(transaction.id)) counts.repaired += 1;
  return ports.transactions.findTransaction(transaction.id);
}

const ignored = ({ endToEndId, amountCentavos }: ReceivedPix, transaction: Transaction): Finding => ({
  kind: 'PAYMENT_IGNORED',
  key: endToEndId,
  endToEndId,
  amountCentavos,
  transactionId: transaction.id,
  facts: { status: transaction.status },
});

/**
 * Compares the returns of a Pix with its row. It skips a Pix that this run has already compared. It also
 * skips a Pix if the ids of all its returns have the form that this service gives them. This saves the read
 * of the row.
 */
async function compareReturnsOf(run: Comparison, pix: ReceivedPix): Promise<void> {
  if (run.seen.has(pix.endToEndId) || !pix.returns?.some(({ id }) => !hasOurForm(id, pix))) return;
  const { transactions, unmatchedPayments } = run.ports;
  const transaction = pix.txid ? await transactions.findTransaction(pix.txid) : undefined;
  const payment = await unmatchedPayments.findUnmatched(pix.endToEndId);
  if (transaction && isPaidWith(transaction, pix.endToEndId))
    await compareForeignReturns(run, { kind: 'PURCHASE', transaction }, pix);
  else if (payment) await compareForeignReturns(run, { kind: 'UNMATCHED', payment }, pix);
}

/**
 * Opens a case for each return that this service did not request. If the case exists, it checks that the ledger has the
 * postings of the case and of its closing.
 */
async function compareForeignReturns(run: Comparison, origin: Origin, pix: ReceivedPix): Promise<void> {
  const { ports, counts } = run;
  if (!pix.returns?.some((shown) => isForeign(origin, shown))) return;
  for (const foreign of foreignReturns(origin, pix, ports.clock.now())) {
    const known = await openForeignReturn(foreign, ports);
    if (!known) {
      counts.opened += 1;
      continue;
    }
    const its = [postingOfCase(known), ...postingsOfClosing(known)];
    const expected = its.filter((posting) => posting !== undefined);
    await compareLedger(run, expected, []);
  }
}
