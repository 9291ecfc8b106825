import { PaymentNotShown } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import { type ReceivedPix, SHOWN_WITHIN_MINUTES } from '../domain/purchase/pix.ts';
import type { ReadingStop } from '../domain/purchase/unmatched-payment-ports.ts';
import { DAY_MS } from '../domain/time.ts';
import { tryEach } from '../domain/try-each.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { schedule } from '../entry/schedule.ts';
import { COVER_NEEDS, watchRefundCover } from '../logic/money/refund-cover.ts';
import { receiveUnmatched } from '../logic/money/unmatched-payments.ts';
import { PAYMENT_NEEDS, receivePayment } from '../logic/purchase/receive-payment.ts';
import { PAYER_WATCH_NEEDS, watchPayer } from '../logic/purchase/watch-payer.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = [...PAYMENT_NEEDS, ...COVER_NEEDS, ...PAYER_WATCH_NEEDS] as const;
type Ports = Needs<typeof needs>;

/**
 * A run begins this long before the saved cursor, and so reads that time again. It then also sees a Pix that the
 * provider showed late. A run that continues an unfinished one begins at its saved place instead.
 */
const OVERLAP_MS = 120 * 60_000;
/**
 * A longer time is read in steps of this length, and the progress is saved after each. Some providers do not answer a
 * query about a long time.
 */
const WINDOW_MS = 180 * 60_000;
/**
 * After this real time a run begins no further Pix and no further list. The function's time-out is 25 seconds later, so
 * that the last Pix or list and the remaining tasks of the run still fit in.
 */
const BUSY_MS = 30_000;

/**
 * The cursor waits this long for a row that cannot be read and for a Pix that fails. Then it passes them, because they
 * must not make each run read an ever longer time. `ReconcileBooks` still waits for the Pix, and repairs it.
 */
const FAILS_MS = DAY_MS;

/** One run. Instants are epoch milliseconds. */
type PixRun = {
  ports: Ports;
  begun: number;
  /** The start of the oldest run that this run continues. If it continues none, its own start. */
  first: number;
  /** How far this run has read. */
  at: number;
  /** Every Pix received before this instant has been handled, or has failed for a day (`FAILS_MS`). */
  cursor: number;
  /** When the first Pix was paid that this run could not read or match. Infinity if it matched all. */
  failedAt: number;
  received: number;
  recovered: number;
};

/**
 * Runs every five minutes. It finds payments whose callback was lost, compares the balance with what we owe,
 * checks that strangers cannot pay, and registers our URL for callbacks. The cursor moves only past Pix that
 * were handled, or that failed for a day. Therefore no time is skipped after an outage, or when very many Pix
 * come. A run that has no time left saves its place, and the next run continues there: docs/decisions.md,
 * "The books".
 */
export async function reconcilePix(ports: Ports) {
  const run = await beginPixRun(ports);
  // The registration comes last, because received money must not wait for it. A list that cannot be read must not keep
  // the others back: they decide whether charges may be made.
  const tasks = [
    () => sweepAll(run),
    () => watchRefundCover(ports),
    () => watchPayer(ports),
    () => keepRegistered(ports),
  ];
  await tryEach(tasks, (task) => task());
  return { received: run.received, recovered: run.recovered };
}

async function sweepAll(run: PixRun): Promise<void> {
  while (run.at < run.begun) {
    await sweep(run);
    await keepPixCursor(run);
    if (isPixRunLate(run)) break;
  }
}

async function beginPixRun(ports: Ports): Promise<PixRun> {
  const begun = ports.clock.now();
  const cursor = await ports.unmatchedPayments.findCursor();
  const stop = await ports.unmatchedPayments.findStop();
  // The cursor is saved at the start of the first run. If that run fails, the time in which it failed is
  // still read later.
  if (cursor === undefined) await ports.unmatchedPayments.moveCursor(begun - OVERLAP_MS);
  // Clocks differ. If the last run's clock was ahead, this run must still have something to read.
  const at = stop ? Math.min(stop.at, begun) : Math.min(cursor ?? begun, begun) - OVERLAP_MS;
  return {
    ports,
    begun,
    first: stop?.begun ?? begun,
    at,
    cursor: cursor ?? begun - OVERLAP_MS,
    failedAt: stop?.failedAt ?? Number.POSITIVE_INFINITY,
    received: 0,
    recovered: 0,
  };
}

const isPixRunLate = ({ begun, ports }: PixRun) => ports.clock.now() - begun > BUSY_MS;

async function keepPixCursor(run: PixRun): Promise<void> {
  run.cursor = Math.max(run.cursor, Math.min(run.at, run.failedAt));
  await run.ports.unmatchedPayments.moveCursor(run.cursor, stopOf(run));
}

function stopOf({ at, begun, first, failedAt, cursor }: PixRun): ReadingStop | undefined {
  if (at < begun) return { at, begun: first, ...(Number.isFinite(failedAt) && { failedAt }) };
  // Several runs were needed. After the first of them, the provider may show Pix that it did not show before.
  // Therefore the next run reads the time since the first run again.
  return first < begun ? { at: Math.min(cursor, first) - OVERLAP_MS } : undefined;
}

/**
 * Reads the next part of the time, and matches its Pix until the run is late (`BUSY_MS`). It matches at least
 * one Pix, so that each run makes progress.
 */
async function sweep(run: PixRun): Promise<void> {
  const { at: from, begun, ports } = run;
  const { received, upTo, unreadable } = await ports.pix.listReceived(
    from,
    Math.min(from + WINDOW_MS, begun),
  );
  if (unreadable) run.failedAt = Math.min(run.failedAt, Math.max(from, begun - FAILS_MS));
  const inOrder = received.toSorted((one, other) => one.paidAt - other.paidAt);
  for (const [index, pix] of inOrder.entries()) {
    // The next run begins at the instant of this Pix. It may handle other Pix of the same instant again.
    if (index > 0 && isPixRunLate(run)) {
      run.at = Math.min(Math.max(pix.paidAt, from), upTo);
      return;
    }
    await matchCounted(pix, run);
  }
  run.at = upTo;
}

async function matchCounted(pix: ReceivedPix, run: PixRun): Promise<void> {
  run.received += 1;
  try {
    if (await match(pix, run.ports)) recoverPayment(pix, run);
  } catch (error) {
    // The run goes on with the other payments. The cursor stays before this one, and a later run tries it again. After
    // a day the cursor passes a failed payment, but never one that the provider's charge does not show yet.
    const isAwaited = error instanceof PaymentNotShown;
    const waitsAt = isAwaited ? pix.paidAt : Math.max(pix.paidAt, run.begun - FAILS_MS);
    run.failedAt = Math.min(run.failedAt, waitsAt);
    report(error, pix, run.ports);
  }
}

/**
 * Logs a payment that could not be matched. If its charge does not show the payment in time, an alarm is
 * raised, although the error looks like an outage.
 */
function report(error: unknown, { endToEndId, paidAt }: ReceivedPix, { clock, log }: Ports): void {
  const isLate = clock.now() - paidAt >= SHOWN_WITHIN_MINUTES * clock.minuteMs;
  const fields = { endToEndId };
  if (error instanceof PaymentNotShown && isLate) log.raise('ReconciliationFailed', error, fields);
  else raiseOrWarn(log, 'ReconciliationFailed', { error, fields });
}

/** A callback may take this long. Until then its absence raises no alarm. */
const CALLBACK_MINUTES = 2;

function recoverPayment(pix: ReceivedPix, run: PixRun): void {
  const { clock, log } = run.ports;
  run.recovered += 1;
  if (clock.now() - pix.paidAt < CALLBACK_MINUTES * clock.minuteMs) return;
  log.raise('CallbackMissed', undefined, { endToEndId: pix.endToEndId });
}

/** A failure has its own alarm. It does not fail the run: `ReconcilePixSilent` says that no payment is found. */
async function keepRegistered({ pix, log }: Ports): Promise<void> {
  try {
    await pix.registerCallback();
  } catch (error) {
    log.raise('CallbackNotRegistered', error);
  }
}

/**
 * Matches one Pix. True if the charge is paid and the purchase still waited for its payment when this call
 * read it. No callback had advanced the purchase by then. Throws `PaymentNotShown` while the purchase waits and its
 * charge does not show the Pix. The cursor must not pass the Pix then.
 */
async function match(pix: ReceivedPix, ports: Ports): Promise<boolean> {
  const transaction = pix.txid ? await ports.transactions.findTransaction(pix.txid) : undefined;
  if (transaction?.status === 'AWAITING_PIX') {
    if (await receivePayment(transaction.id, ports)) return true;
    const after = await getTransaction(ports.transactions, transaction.id);
    if (after.status === 'AWAITING_PIX') throw new PaymentNotShown();
    return false;
  }
  await receiveUnmatched(pix, transaction, ports);
  return false;
}

export const handler = schedule({ needs }, reconcilePix);
