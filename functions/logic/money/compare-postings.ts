import { type ForeignKind, postingOfCase, postingsOfClosing } from '../../domain/books/case-postings.ts';
import { postingOfCoins } from '../../domain/books/coins.ts';
import type { MoneyCase } from '../../domain/books/money-case.ts';
import { completionFindings } from '../../domain/books/outflow.ts';
import { missingPayment, paymentOf } from '../../domain/books/reconciliation.ts';
import type { Posting, PostingKind } from '../../domain/ledger.ts';
import { type Origin, postingsOfOrigin, returnOf } from '../../domain/purchase/return.ts';
import { TERMINAL } from '../../domain/purchase/status.ts';
import { type Delivered, isDelivered, type Paid, reachedAt } from '../../domain/purchase/transaction.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { nonceOfPosting } from '../../domain/treasury/gas.ts';
import { comparePixWith } from './compare-payments.ts';
import { compareTransfers } from './compare-transfers.ts';
import { type BooksPorts, type Comparison, compareEach, compareLedger, openFindings } from './comparison.ts';
import { findForeignCase, openReturnFailed } from './money-cases.ts';

/**
 * Compares the rows in `run.transactionIds` and `run.unmatchedIds` with the ledger, the provider and the
 * chain. The comparisons of Pix and transfers have added the ids to these two sets.
 */
export async function compareNamed(run: Comparison): Promise<void> {
  await compareEach(run, [...run.transactionIds], (id) => compareRow(run, { kind: 'PURCHASE', id }, []));
  await compareEach(run, [...run.unmatchedIds], (id) => compareRow(run, { kind: 'UNMATCHED', id }, []));
  forgetNamed(run);
}

/** Clears the sets of rows to compare, because the comparison of a row has just added the row's id again. */
function forgetNamed({ transactionIds, unmatchedIds }: Comparison): void {
  transactionIds.clear();
  unmatchedIds.clear();
}

/**
 * Compares listed postings of a day with the rows that they come from. Then it compares these rows with provider and
 * chain.
 */
export async function comparePostings(run: Comparison, listed: Posting[]): Promise<void> {
  await compareRows(run, 'PURCHASE', listed);
  await compareRows(run, 'UNMATCHED', listed);
  const others = listed.flatMap((posting) => {
    const source = SOURCES[posting.kind];
    return typeof source === 'function' ? [() => source(run, posting)] : [];
  });
  await compareEach(run, others, (compare) => compare());
  forgetNamed(run);
}

type Compare = (run: Comparison, posting: Posting) => Promise<void>;

/**
 * For each kind of posting: the kind of row that it comes from, or the function that compares it with
 * another source.
 */
const SOURCES: Record<PostingKind, Origin['kind'] | Compare> = {
  PAYMENT_RECEIVED: 'PURCHASE',
  SETTLED: 'PURCHASE',
  REFUNDED: 'PURCHASE',
  UNMATCHED_RECEIVED: 'UNMATCHED',
  UNMATCHED_RETURNED: 'UNMATCHED',
  TAKEN_BACK: (run, posting) => compareReturn(run, posting, postingOfCase),
  RECOVERED: (run, posting) => compareReturn(run, posting, (known) => closingPosting(known, posting)),
  RETURNED_OUTSIDE: compareOutside,
  GAS_SPENT: compareGas,
  TOP_UP: compareCoins,
  COINS_MISSING: compareCoins,
};

/** Compares each row of this kind with all of its postings in the list. */
async function compareRows(run: Comparison, kind: Origin['kind'], listed: Posting[]): Promise<void> {
  const field = kind === 'PURCHASE' ? 'transactionId' : 'endToEndId';
  const postings = listed.filter((posting) => SOURCES[posting.kind] === kind);
  const byRow = Map.groupBy(postings, (posting) => posting[field] ?? '');
  await compareEach(run, [...byRow], ([id, its]) => compareRow(run, { kind, id }, its));
}

type RowName = { kind: Origin['kind']; id: string };

/**
 * Compares one row with its postings. `listed` has those of its postings that the caller has already read,
 * if any. This function first reads the row, and then each expected posting by its id. In this order, a
 * change of the row meanwhile causes no false discrepancy.
 */
async function compareRow(run: Comparison, { kind, id }: RowName, listed: Posting[]): Promise<void> {
  if (isCompared(run, id, listed)) return;
  const origin = await findOriginOfRow({ kind, id }, run.ports);
  const expected = origin ? postingsOfOrigin(origin) : [];
  await compareLedger(run, expected, listed);
  if (!origin || !isOfTime(run, listed)) return;
  await compareShown(run, origin);
  if (origin.kind === 'PURCHASE') await compareSettlement(run, origin.transaction);
  run.compared.set(id, new Set(expected.map((posting) => posting.id)));
  await compareReturnFailed(run, origin);
}

/** Whether this run has already compared the row, and knew every posting in `listed` then. */
function isCompared({ compared }: Comparison, id: string, listed: Posting[]): boolean {
  const known = compared.get(id);
  return known !== undefined && listed.every((posting) => known.has(posting.id));
}

/** Finds the row. Undefined if it does not exist, or if it is a purchase without a payment. */
async function findOriginOfRow({ kind, id }: RowName, ports: BooksPorts): Promise<Origin | undefined> {
  if (kind === 'PURCHASE') {
    const transaction = await ports.transactions.findTransaction(id);
    return transaction?.payment && { kind, transaction };
  }
  const payment = await ports.unmatchedPayments.findUnmatched(id);
  return payment && { kind, payment };
}

/**
 * Whether at least one of the postings was made between `from` and `to`. True also without postings. The
 * listed postings are of a whole day, but a run asks provider and chain only about the time from `from` to
 * `to`.
 */
const isOfTime = ({ from, to }: Comparison, listed: Posting[]) =>
  listed.length === 0 || listed.some(({ at }) => at >= from && at <= to);

/** Compares the row with its Pix. If the provider's list did not have the Pix, it is read by its id. */
async function compareShown(run: Comparison, origin: Origin): Promise<void> {
  const { endToEndId, paidAt } = paymentOf(origin);
  if (run.seen.has(endToEndId)) return;
  const pix = await run.ports.pix.findReceived(endToEndId);
  if (pix) await comparePixWith(run, origin, pix);
  else if (paidAt <= run.judgedBefore) await openFindings(run, [missingPayment(origin)]);
}

async function compareSettlement(run: Comparison, transaction: Paid): Promise<void> {
  if (isDelivered(transaction)) await compareCompletion(run, transaction);
  await compareWhileMoving(run, transaction);
}

async function compareCompletion(run: Comparison, transaction: Delivered): Promise<void> {
  if (reachedAt(transaction) > run.judgedBefore) return;
  const transfers = await run.ports.outflows.findTransfers(transaction.txHash);
  await openFindings(run, completionFindings(transaction, transfers));
}

/**
 * If a purchase took longer than this from payment to end, an earlier run may have read its transfer while
 * the purchase was still open. That run could not judge the transfer.
 */
const MOVED_LONG_MS = HOUR_MS;

/**
 * Compares the earlier transfers of a purchase that was open for a long time and has ended. It reads the
 * transfers again, from the payment to the beginning of this run or to the purchase's end, whichever is
 * earlier.
 */
async function compareWhileMoving(run: Comparison, transaction: Paid): Promise<void> {
  const { payment, status, history } = transaction;
  const { at: endedAt } = history.at(-1) ?? { at: 0 };
  if (!TERMINAL.includes(status) || payment.paidAt >= run.from) return;
  if (endedAt - payment.paidAt < MOVED_LONG_MS) return;
  const before = { from: payment.paidAt, to: Math.min(endedAt, run.from) };
  // Earlier runs have compared the other purchases of that time. The new set collects their ids, and nobody
  // reads it.
  await compareTransfers({ ...run, ...before, transactionIds: new Set() });
}

/** Opens a case for a return of which no further try is made, unless the case exists. */
async function compareReturnFailed({ ports, counts }: Comparison, origin: Origin): Promise<void> {
  const { status, tries = 0 } = returnOf(origin) ?? {};
  if (status === 'FAILED' && (await openReturnFailed(origin, tries, ports))) counts.opened += 1;
}

/**
 * Compares a posting about a return that the provider made by itself. The return may have two cases. One write made
 * the posting and opened or closed one of them. The posting must therefore be the one that follows from that case.
 */
async function compareReturn(run: Comparison, posting: Posting, postingIn: PostingIn): Promise<void> {
  const key = posting.id.replace(`#${posting.kind}#`, '#');
  const postingOf = async (kind: ForeignKind) => {
    const known = await findForeignCase(kind, key, run.ports);
    return known && postingIn(known);
  };
  const expected = (await postingOf('MED_REFUND')) ?? (await postingOf('REFUND_UNASKED'));
  await compareLedger(run, expected ? [expected] : [], [posting]);
}

type PostingIn = (found: MoneyCase<ForeignKind>) => Posting | undefined;

/**
 * Compares the posting of money that a person gave back by hand. One write made the posting and closed its
 * case. The posting must therefore be the one that follows from the closed case.
 */
async function compareOutside(run: Comparison, posting: Posting): Promise<void> {
  const known = await run.ports.moneyCases.findCase(posting.id.replace(/#RETURNED_OUTSIDE$/, ''));
  const expected = known && closingPosting(known, posting);
  await compareLedger(run, expected ? [expected] : [], [posting]);
}

/** Finds the posting of this kind among those that follow from the closing of the case. */
const closingPosting = (known: MoneyCase, { kind }: Posting) =>
  postingsOfClosing(known).find((each) => each.kind === kind);

/** Compares the posting of gas. It must follow from the slot of its nonce, which was written with it. */
async function compareGas(run: Comparison, posting: Posting): Promise<void> {
  const { wallet, nonce } = nonceOfPosting(posting);
  const expected = await run.ports.outflows.findGasPosting(wallet, nonce);
  await compareLedger(run, expected ? [expected] : [], [posting]);
}

/** Compares the posting of coins. It must follow from their movement, which was written with it. */
async function compareCoins(run: Comparison, posting: Posting): Promise<void> {
  const movement = await run.ports.coinBooks.findMovement(posting.id.replace(`#${posting.kind}`, ''));
  await compareLedger(run, movement ? [postingOfCoins(movement)] : [], [posting]);
}
