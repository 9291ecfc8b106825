import { BOOKS_NEEDS, type BooksPorts, type Comparison, comparePayments } from '../edge/compare-payments.ts';
import { comparePostings } from '../edge/compare-postings.ts';
import { compareTransfers } from '../edge/compare-transfers.ts';
import { schedule } from '../edge/schedule.ts';
import { receivePayment } from '../queues/process-callback.ts';

export const needs = BOOKS_NEEDS;

/** In minutes of the waits. */
const JUDGED_AFTER_MINUTES = 60;
/** More than the hour after which what is not shown is judged: everything is judged in one window or another. */
const OVERLAP_MS = 120 * 60_000;
/** More than the overlap, or a run would not get on. */
const WINDOW_MS = 180 * 60_000;
/** Real time, well below the function's: the next run goes on where this one ended. */
const BUSY_MS = 5 * 60_000;

/**
 * Every hour: provider, purchases, chain and ledger are compared with each other, from where the last run ended. What is
 * provable is repaired, what is not becomes a case: docs/decisions.md, "What reconciliation compares". Somebody who is
 * silent leaves the cursor where it is; so do tables that were restored, for all that they lost would be unexplained until it
 * was replayed. `event` is an operator's: `{"from": ISO 8601, "to": ISO 8601}`, compared so far
 * as the answer's `upTo` says, and the cursor stays.
 */
export async function reconcileBooks(ports: BooksPorts, event?: unknown) {
  const begun = ports.clock.now();
  const asked = rangeIn(event);
  const cursor = await ports.moneyCases.findCursor();
  // Kept at once: while the first runs fail, no time may go by uncompared.
  if (cursor === undefined && !asked) await ports.moneyCases.moveCursor(begun - OVERLAP_MS);
  const end = asked?.to ?? begun;
  const counts = { payments: 0, repaired: 0, opened: 0, failed: 0 };
  if (!asked && (await ports.holds.findHold()) === 'RESTORED')
    return { ...counts, upTo: instant(Math.min(cursor ?? begun, begun)) };
  let from = asked?.from ?? Math.min(cursor ?? begun, begun) - OVERLAP_MS;
  while (from < end) {
    const to = Math.min(from + WINDOW_MS, end);
    const upTo = await compare({ from, to, ports, counts });
    if (counts.failed > 0) throw new Error(`${counts.failed} comparisons failed: see the log`);
    if (!asked) await ports.moneyCases.moveCursor(upTo);
    from = Math.min(upTo, to);
    // One node that stands still would have us stand still with it, and nobody know.
    if (!asked && upTo < to && begun - upTo > OVERLAP_MS)
      ports.log.error('the chain is not final', new Error('no new final block'), { upTo: instant(upTo) });
    // Blocks of later are not final: there is nothing more to say yet.
    if (upTo < to || ports.clock.now() - begun > BUSY_MS) break;
  }
  return { ...counts, upTo: instant(Math.min(from, end)) };
}

const instant = (at: number) => new Date(at).toISOString();

/** Until when all of it was compared. The chain first: whoever it names is compared with ledger and provider as well. */
async function compare(stretch: Pick<Comparison, 'from' | 'to' | 'ports' | 'counts'>): Promise<number> {
  const { clock } = stretch.ports;
  const run: Comparison = {
    ...stretch,
    receivePayment: (id) => receivePayment(id, stretch.ports),
    judgedBefore: clock.now() - JUDGED_AFTER_MINUTES * clock.minuteMs,
    ...{ seen: new Set(), transactionIds: new Set(), strayIds: new Set() },
  };
  const final = await compareTransfers(run);
  await comparePayments(run);
  await comparePostings(run);
  return Math.min(final, stretch.to);
}

function rangeIn(event: unknown): { from: number; to: number } | undefined {
  const { from, to } = Object(event) as { from?: unknown; to?: unknown };
  if (from === undefined && to === undefined) return undefined;
  const range = { from: Date.parse(String(from)), to: Date.parse(String(to)) };
  if (!(range.from < range.to)) throw new Error('from and to must be instants, the first before the second');
  return range;
}

export const handler = schedule({ needs }, reconcileBooks);
