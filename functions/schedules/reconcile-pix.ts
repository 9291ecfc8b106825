import type { Needs } from '../domain/ports.ts';
import type { ReceivedPix } from '../domain/purchase/pix.ts';
import type { Stop } from '../domain/purchase/unmatched-payment-ports.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { schedule } from '../entry/schedule.ts';
import { COVER_NEEDS, watchRefundCover } from '../logic/money/refund-cover.ts';
import { receiveUnmatched } from '../logic/money/unmatched-payments.ts';
import { PAYMENT_NEEDS, receivePayment } from '../logic/purchase/receive-payment.ts';

export const needs = [...PAYMENT_NEEDS, ...COVER_NEEDS] as const;
type Ports = Needs<typeof needs>;

/** Runs overlap widely, so a later run sees a Pix that the provider showed late. */
const OVERLAP_MS = 120 * 60_000;
/** A longer time is read in steps, and each step is saved. Some providers do not answer a query about a long time. */
const WINDOW_MS = 180 * 60_000;
/**
 * Real time, well below the time limit of the function: one more Pix, or a list of a few pages, must still fit in.
 */
const BUSY_MS = 30_000;

/** Instants are epoch milliseconds. */
type Run = {
  ports: Ports;
  begun: number;
  /** The start of the first run whose work this run continues. Without such a run, the start of this run. */
  first: number;
  /** How far this run has read. */
  at: number;
  /** All runs together have seen every Pix received before this instant. */
  cursor: number;
  /** When the first Pix was paid that could not be matched; infinity without one. */
  failedAt: number;
  received: number;
  recovered: number;
};

/**
 * Every five minutes: finds payments whose callback was lost, compares the balance with what we owe, and registers our
 * address for callbacks. The cursor
 * moves only past what was seen and written down. No time is skipped after an outage, or when very many Pix come. A
 * run whose time is up saves its place, and the next goes on there: docs/decisions.md, "Reconciliation of the books".
 */
export async function reconcilePix(ports: Ports) {
  const run = await begin(ports);
  while (run.at < run.begun) {
    await sweep(run);
    await keep(run);
    if (isLate(run)) break;
  }
  await watchRefundCover(ports);
  // Last: received money must not wait for an address that cannot be registered.
  await registerCallback(ports);
  return { received: run.received, recovered: run.recovered };
}

async function begin(ports: Ports): Promise<Run> {
  const begun = ports.clock.now();
  const cursor = await ports.unmatchedPayments.findCursor();
  const stop = await ports.unmatchedPayments.findStop();
  // Saved at once: if the first runs fail, the time of their failure must still be read.
  if (cursor === undefined) await ports.unmatchedPayments.moveCursor(begun - OVERLAP_MS);
  // Clocks differ. A run whose clock was ahead must not leave the next run with nothing to read.
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

const isLate = ({ begun, ports }: Run) => ports.clock.now() - begun > BUSY_MS;

async function keep(run: Run): Promise<void> {
  run.cursor = Math.max(run.cursor, Math.min(run.at, run.failedAt));
  await run.ports.unmatchedPayments.moveCursor(run.cursor, stopOf(run));
}

function stopOf({ at, begun, first, failedAt, cursor }: Run): Stop | undefined {
  if (at < begun) return { at, begun: first, ...(Number.isFinite(failedAt) && { failedAt }) };
  // After several runs, the provider may show Pix that it did not show to the first of them.
  return first < begun ? { at: Math.min(cursor, first) - OVERLAP_MS } : undefined;
}

/**
 * Reads the next part of the time, until the run is late. If the part has a Pix, each call tries to match at least
 * one.
 */
async function sweep(run: Run): Promise<void> {
  const { at: from, begun, ports } = run;
  const { received, upTo } = await ports.pix.listReceived(from, Math.min(from + WINDOW_MS, begun));
  const inOrder = received.toSorted((one, other) => one.paidAt - other.paidAt);
  for (const [index, pix] of inOrder.entries()) {
    // The next run matches the Pix of this instant again.
    if (index > 0 && isLate(run)) {
      run.at = Math.min(Math.max(pix.paidAt, from), upTo);
      return;
    }
    await matchCounted(pix, run);
  }
  run.at = upTo;
}

async function matchCounted(pix: ReceivedPix, run: Run): Promise<void> {
  run.received += 1;
  try {
    if (await match(pix, run.ports)) run.recovered += 1;
  } catch (error) {
    // The other payments are still matched. The cursor waits for this one.
    run.failedAt = Math.min(run.failedAt, pix.paidAt);
    raiseOrWarn(run.ports.log, 'ReconciliationFailed', { error, fields: { endToEndId: pix.endToEndId } });
  }
}

/** Logs the error and throws it again, so that the run counts as failed and raises its alarm. */
async function registerCallback({ pix, log }: Ports): Promise<void> {
  try {
    await pix.registerCallback();
  } catch (error) {
    raiseOrWarn(log, 'CallbackNotRegistered', { error });
    throw error;
  }
}

/** True: the payment moved its purchase on. Its callback had not done so. */
async function match(pix: ReceivedPix, ports: Ports): Promise<boolean> {
  const transaction = pix.txid ? await ports.transactions.findTransaction(pix.txid) : undefined;
  if (transaction?.status === 'AWAITING_PIX') return receivePayment(transaction.id, ports);
  await receiveUnmatched(pix, transaction, ports);
  return false;
}

export const handler = schedule({ needs }, reconcilePix);
