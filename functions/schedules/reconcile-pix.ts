import type { Needs } from '../domain/ports.ts';
import type { ReceivedPix } from '../domain/purchase/pix.ts';
import type { Stop } from '../domain/purchase/unmatched-payment-ports.ts';
import { schedule } from '../entry/schedule.ts';
import { HOLD_NEEDS } from '../logic/money/hold.ts';
import { receiveUnmatched } from '../logic/money/unmatched-payments.ts';
import { receivePayment } from '../logic/purchase/receive-payment.ts';

export const needs = [
  ...(['transactions', 'unmatchedPayments', 'moneyCases', 'pix', 'machine', 'clock', 'log'] as const),
  ...HOLD_NEEDS,
] as const;
type Ports = Needs<typeof needs>;

/** Runs overlap widely, so a Pix that the provider showed late is seen by a later one. */
const OVERLAP_MS = 120 * 60_000;
/** What was missed is read in steps that are kept one by one: some providers do not answer about long times. */
const WINDOW_MS = 180 * 60_000;
/** Real time, well below the function's: what one Pix, or the list of a few pages, may take besides must fit in. */
const BUSY_MS = 30_000;

/**
 * `at` is how far the run has come, and `cursor` what all runs together have seen. `first` is the beginning of the run that this
 * one goes on with, or its own.
 */
type Run = {
  ports: Ports;
  begun: number;
  first: number;
  at: number;
  cursor: number;
  failedAt: number;
  received: number;
  recovered: number;
};

/**
 * Finds payments whose callback was lost, and sees to it that callbacks come to us. The cursor moves behind what was
 * seen and written down, so no time is skipped, however long we were out, and however many Pix came: a run whose time is up
 * keeps where it is, and the next goes on there: docs/decisions.md, "Reconciliation goes on where it stopped".
 */
export async function reconcilePix(ports: Ports) {
  const run = await begin(ports);
  while (run.at < run.begun) {
    await sweep(run);
    await keep(run);
    if (isLate(run)) break;
  }
  // Last: money that is here must not wait for an address that cannot be registered.
  await registerCallback(ports);
  return { received: run.received, recovered: run.recovered };
}

async function begin(ports: Ports): Promise<Run> {
  const begun = ports.clock.now();
  const cursor = await ports.unmatchedPayments.findCursor();
  const stop = await ports.unmatchedPayments.findStop();
  // Kept at once: while the first sweeps fail, no time may go by unseen.
  if (cursor === undefined) await ports.unmatchedPayments.moveCursor(begun - OVERLAP_MS);
  // Clocks may differ: one that was ahead must not make others read nothing.
  const at = stop ? Math.min(stop.at, begun) : Math.min(cursor ?? begun, begun) - OVERLAP_MS;
  return {
    ...{ ports, begun, at, first: stop?.begun ?? begun },
    ...{ cursor: cursor ?? begun - OVERLAP_MS, failedAt: stop?.failedAt ?? Number.POSITIVE_INFINITY },
    ...{ received: 0, recovered: 0 },
  };
}

const isLate = ({ begun, ports }: Run) => ports.clock.now() - begun > BUSY_MS;

async function keep(run: Run): Promise<void> {
  run.cursor = Math.max(run.cursor, Math.min(run.at, run.failedAt));
  await run.ports.unmatchedPayments.moveCursor(run.cursor, stopOf(run));
}

function stopOf({ at, begun, first, failedAt, cursor }: Run): Stop | undefined {
  if (at < begun) return { at, begun: first, ...(Number.isFinite(failedAt) && { failedAt }) };
  // Several runs took so long that some may have been shown only after the first of them had looked.
  return first < begun ? { at: Math.min(cursor, first) - OVERLAP_MS } : undefined;
}

/** The next part of the run's time, or as much of it as there is time for, and one Pix at least. */
async function sweep(run: Run): Promise<void> {
  const { at: from, begun, ports } = run;
  const { received, upTo } = await ports.pix.listReceived(from, Math.min(from + WINDOW_MS, begun));
  const inOrder = received.toSorted((one, other) => one.paidAt - other.paidAt);
  for (const [index, pix] of inOrder.entries()) {
    // Those of this very instant that were seen are seen again.
    if (index > 0 && isLate(run)) {
      run.at = Math.min(Math.max(pix.paidAt, from), upTo);
      return;
    }
    await see(pix, run);
  }
  run.at = upTo;
}

async function see(pix: ReceivedPix, run: Run): Promise<void> {
  run.received += 1;
  try {
    if (await match(pix, run.ports)) run.recovered += 1;
  } catch (error) {
    // One payment that cannot be matched must not hide the others; the cursor waits for it.
    run.failedAt = Math.min(run.failedAt, pix.paidAt);
    run.ports.log.error('reconciliation failed', error, { endToEndId: pix.endToEndId });
  }
}

/** Logged and thrown again, so that the run counts as failed and its alarm goes off. */
async function registerCallback({ pix, log }: Ports): Promise<void> {
  try {
    await pix.registerCallback();
  } catch (error) {
    log.error('callback not registered', error);
    throw error;
  }
}

async function match(pix: ReceivedPix, ports: Ports): Promise<boolean> {
  const transaction = pix.txid ? await ports.transactions.findTransaction(pix.txid) : undefined;
  if (transaction?.status === 'AWAITING_PIX') return receivePayment(transaction.id, ports);
  await receiveUnmatched(pix, transaction, ports);
  return false;
}

export const handler = schedule({ needs }, reconcilePix);
