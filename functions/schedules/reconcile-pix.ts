import type { ReceivedPix } from '../domain/pix.ts';
import type { Needs } from '../domain/ports.ts';
import { HOLD_NEEDS } from '../edge/hold.ts';
import { schedule } from '../edge/schedule.ts';
import { receiveStray } from '../edge/strays.ts';
import { receivePayment } from '../queues/process-callback.ts';

export const needs = [
  ...(['transactions', 'strays', 'moneyCases', 'pix', 'machine', 'clock', 'log'] as const),
  ...HOLD_NEEDS,
] as const;
type Ports = Needs<typeof needs>;

/** Windows overlap widely, so a Pix that the provider showed late is seen by a later sweep. */
const OVERLAP_MS = 120 * 60_000;
/** More than the overlap, or a sweep would not get on. What was missed is read in steps that are kept one by one. */
const WINDOW_MS = 180 * 60_000;
/** Real time, well below the function's: the next sweep goes on where this one ended. */
const BUSY_MS = 30_000;

type Seen = { received: number; recovered: number; failedAt: number };

/**
 * Finds payments whose callback was lost, and sees to it that callbacks come to us. The cursor moves behind what was
 * seen and written down, so no time is skipped, however long we were out: docs/decisions.md, "Reconciliation's cursor".
 */
export async function reconcilePix(ports: Ports) {
  const now = ports.clock.now();
  const cursor = await ports.strays.findCursor();
  // Kept at once: while the first sweeps fail, no time may go by unseen.
  if (cursor === undefined) await ports.strays.moveCursor(now - OVERLAP_MS);
  const seen: Seen = { received: 0, recovered: 0, failedAt: Number.POSITIVE_INFINITY };
  // Clocks may differ: one that was ahead must not make others read nothing.
  for (let from = Math.min(cursor ?? now, now) - OVERLAP_MS; from < now; ) {
    const to = Math.min(from + WINDOW_MS, now);
    await sweep({ from, to, seen }, ports);
    await ports.strays.moveCursor(Math.min(to, seen.failedAt));
    if (ports.clock.now() - now > BUSY_MS) break;
    from = to;
  }
  // Last: money that is here must not wait for an address that cannot be registered.
  await registerCallback(ports);
  return { received: seen.received, recovered: seen.recovered };
}

async function sweep(
  { from, to, seen }: { from: number; to: number; seen: Seen },
  ports: Ports,
): Promise<void> {
  const received = await ports.pix.listReceived(from, to);
  seen.received += received.length;
  for (const pix of received) {
    try {
      if (await match(pix, ports)) seen.recovered += 1;
    } catch (error) {
      // One payment that cannot be matched must not hide the others; the cursor waits for it.
      seen.failedAt = Math.min(seen.failedAt, pix.paidAt);
      ports.log.error('reconciliation failed', error, { endToEndId: pix.endToEndId });
    }
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
  await receiveStray(pix, transaction, ports);
  return false;
}

export const handler = schedule({ needs }, reconcilePix);
