import { type Finding, openMoneyCase } from '../../domain/books/money-case.ts';
import {
  foreignReturns,
  paymentFindings,
  postingFindings,
  postingOfCase,
  returnFindings,
} from '../../domain/books/reconciliation.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import type { ReceivedPix } from '../../domain/purchase/pix.ts';
import { hasOurForm, isForeign, type Origin } from '../../domain/purchase/return.ts';
import { isBeingSettled, TERMINAL } from '../../domain/purchase/status.ts';
import { isPaidWith, type Transaction } from '../../domain/purchase/transaction.ts';
import { resumeIfMoved } from '../purchase/waits.ts';
import { HOLD_NEEDS } from './hold.ts';
import { openCase, openForeignReturn, openRecurred } from './money-cases.ts';
import { receiveUnmatched } from './unmatched-payments.ts';

export const BOOKS_NEEDS = [
  ...(['transactions', 'unmatchedPayments', 'moneyCases', 'ledger:read', 'pix', 'outflows'] as const),
  ...(['machine', 'clock', 'log'] as const),
  ...HOLD_NEEDS,
] as const;
export type BooksPorts = Needs<typeof BOOKS_NEEDS>;

/** One run over one stretch of time. What it has seen is not looked at twice. */
export type Comparison = {
  from: number;
  to: number;
  /** What is younger may not be shown by everybody yet: that it is not means nothing. */
  judgedBefore: number;
  ports: BooksPorts;
  /** What the callback of a payment would have done. */
  receivePayment: (transactionId: string) => Promise<boolean>;
  counts: { payments: number; repaired: number; opened: number; failed: number };
  /** Received Pix that were listed, and those that were compared with their row, by their ids. */
  listed: Set<string>;
  seen: Set<string>;
  /** Whose rows are named, and not compared yet. */
  transactionIds: Set<string>;
  unmatchedIds: Set<string>;
  /** What the rows that were compared, with provider and chain too, must have in the ledger: the ids, by the row's. */
  compared: Map<string, ReadonlySet<string>>;
};

const AT_ONCE = 10;

/** Some at once. One that cannot be compared keeps no other from it; `Unavailable` ends all, for nothing is known then. */
export async function each<Item>(
  { counts, ports }: Comparison,
  items: readonly Item[],
  look: (item: Item) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const ends = await Promise.allSettled(items.slice(from, from + AT_ONCE).map(look));
    for (const end of ends) {
      if (end.status === 'fulfilled') continue;
      if (end.reason instanceof Unavailable) throw end.reason;
      counts.failed += 1;
      ports.log.error('comparison failed', end.reason);
    }
  }
}

export async function tell({ ports, counts }: Comparison, { key, ...finding }: Finding): Promise<void> {
  const openedAt = ports.clock.now();
  const isNew = await openCase(openMoneyCase({ ...finding, key, openedAt }), ports);
  if (isNew || (await openRecurred({ ...finding, key }, ports))) counts.opened += 1;
}

/** The Pix that the provider shows of this time, from `at` on. The answer is until when they were compared. */
export async function compareReceived(run: Comparison, at: number): Promise<number> {
  const { received, upTo } = await run.ports.pix.listReceived(at, run.to);
  const fresh = received.filter(({ endToEndId }) => !run.listed.has(endToEndId));
  for (const { endToEndId } of fresh) run.listed.add(endToEndId);
  run.counts.payments += fresh.length;
  await each(run, fresh, (pix) => comparePix(run, pix));
  return upTo;
}

/** Those of which something went back, as `compareReceived`. */
export async function compareReturned(run: Comparison, at: number): Promise<number> {
  const { received, upTo } = await run.ports.pix.listReceived(at, run.to, { isReturned: true });
  await each(run, received, (pix) => compareReturnsOf(run, pix));
  return upTo;
}

async function comparePix(run: Comparison, pix: ReceivedPix): Promise<void> {
  const origin = await originOf(run, pix);
  if (!origin) return;
  await comparePixWith(run, origin, await inFull(run, origin, pix));
}

/** Some lists say less of a Pix than it says itself: a refund that is not in one is looked for there. */
async function inFull({ judgedBefore, ports }: Comparison, origin: Origin, pix: ReceivedPix) {
  const findings = returnFindings(origin, pix, judgedBefore);
  if (!findings.some(({ kind }) => kind === 'REFUND_NOT_SHOWN')) return pix;
  return (await ports.pix.findReceived(pix.endToEndId)) ?? pix;
}

/** The row against the provider's view of it. */
export async function comparePixWith(run: Comparison, origin: Origin, pix: ReceivedPix): Promise<void> {
  run.seen.add(pix.endToEndId);
  if (origin.kind === 'PURCHASE') run.transactionIds.add(origin.transaction.id);
  else run.unmatchedIds.add(origin.payment.id);
  const findings = [...paymentFindings(origin, pix), ...returnFindings(origin, pix, run.judgedBefore)];
  for (const finding of findings) await tell(run, finding);
  await tellForeign(run, origin, pix);
}

/** The row that a Pix belongs to, after what is provable was repaired; undefined while its purchase may still take it. */
async function originOf(run: Comparison, pix: ReceivedPix): Promise<Origin | undefined> {
  const { ports } = run;
  const transaction = await purchaseOf(run, pix);
  if (transaction && isPaidWith(transaction, pix.endToEndId)) return { kind: 'PURCHASE', transaction };
  const known = await ports.unmatchedPayments.findUnmatched(pix.endToEndId);
  if (known) return { kind: 'UNMATCHED', payment: known };
  await receiveUnmatched(pix, transaction, ports);
  const payment = await ports.unmatchedPayments.findUnmatched(pix.endToEndId);
  if (payment) run.counts.repaired += 1;
  else if (transaction && TERMINAL.includes(transaction.status)) await tell(run, ignored(pix, transaction));
  return payment && { kind: 'UNMATCHED', payment };
}

/** The purchase that the txid names; a lost callback is made good, a lost wake-up too. */
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

/** One of an earlier day: read with its row only where something went back that has not the form of ours. */
async function compareReturnsOf(run: Comparison, pix: ReceivedPix): Promise<void> {
  if (run.seen.has(pix.endToEndId) || !pix.returns?.some((each) => !hasOurForm(each.id, pix))) return;
  const { transactions, unmatchedPayments } = run.ports;
  const transaction = pix.txid ? await transactions.findTransaction(pix.txid) : undefined;
  const payment = await unmatchedPayments.findUnmatched(pix.endToEndId);
  if (transaction && isPaidWith(transaction, pix.endToEndId))
    await tellForeign(run, { kind: 'PURCHASE', transaction }, pix);
  else if (payment) await tellForeign(run, { kind: 'UNMATCHED', payment }, pix);
}

async function tellForeign(run: Comparison, origin: Origin, pix: ReceivedPix): Promise<void> {
  const { ports, counts } = run;
  if (!pix.returns?.some((each) => isForeign(origin, each))) return;
  for (const foreign of foreignReturns(origin, pix, ports.clock.now())) {
    const known = await openForeignReturn(foreign, ports);
    if (!known) {
      counts.opened += 1;
      continue;
    }
    // The case was there, so its posting must be there, too.
    const expected = postingOfCase(known);
    const stored = expected && (await ports.ledger.findPosting(expected.id));
    const found = new Map(stored ? [[stored.id, stored]] : []);
    for (const wrong of postingFindings(expected ? [expected] : [], found, [])) await tell(run, wrong);
  }
}
