import {
  afterReturns,
  afterStretch,
  type BooksProgress,
  newProgress,
  type PartDone,
  partAfter,
  RETURNS_STEP_MS,
  returnsNow,
  type Stretch,
  stretchNow,
} from '../domain/books/books-progress.ts';
import type { BooksTask } from '../domain/books/money-case-ports.ts';
import { schedule } from '../entry/schedule.ts';
import { compareReceived, compareReturned } from '../logic/money/compare-payments.ts';
import { compareNamed, comparePostings } from '../logic/money/compare-postings.ts';
import { compareTransfers } from '../logic/money/compare-transfers.ts';
import { BOOKS_NEEDS, type BooksPorts, type Comparison } from '../logic/money/comparison.ts';
import { receivePayment } from '../logic/purchase/receive-payment.ts';

export const needs = BOOKS_NEEDS;

/** In minutes of the waits. */
const JUDGED_AFTER_MINUTES = 60;
/** A chain that has had no final block for so long stands still. */
const FINAL_WITHIN_MS = 120 * 60_000;
/** Real time, well below the function's: the next run goes on where this one ended. */
const BUSY_MS = 5 * 60_000;
/** So that there is time for what went back of older payments, too. */
const BUSY_WITH_STRETCHES_MS = 3 * 60_000;

type Run = {
  ports: BooksPorts;
  task: BooksTask;
  begun: number;
  /** The end of what is to be compared. */
  end: number;
  progress: BooksProgress;
  comparison: Omit<Comparison, 'from' | 'to'>;
};

/**
 * Every hour: provider, purchases, chain and ledger are compared with each other, from where the last run ended. What is
 * provable is repaired, what is not becomes a case: docs/decisions.md, "Reconciliation of the books". Somebody who is
 * silent leaves the cursor where it is; so do tables that were restored, for all that they lost would be unexplained until it
 * was replayed. `event` is an operator's: `{"from": ISO 8601, "to": ISO 8601}`, compared so far
 * as the answer's `upTo` says, on from there when it is asked again, and the cursor stays.
 */
export async function reconcileBooks(ports: BooksPorts, event?: unknown) {
  const run = await begin(ports, rangeIn(event));
  const { counts } = run.comparison;
  const isHeld = run.task === 'CLOCK' && (await ports.holds.findHold()) === 'RESTORED';
  if (!isHeld && (await compareStretches(run))) await compareReturns(run);
  if (counts.failed > 0) throw new Error(`${counts.failed} comparisons failed: see the log`);
  return { ...counts, upTo: instant(Math.min(run.progress.upTo, run.end)) };
}

async function begin(ports: BooksPorts, asked?: BooksProgress['asked']): Promise<Run> {
  const { clock, moneyCases } = ports;
  const begun = clock.now();
  const end = asked?.to ?? begun;
  const task = asked ? 'OPERATOR' : 'CLOCK';
  const found = await moneyCases.findProgress(task);
  const fresh = { ...newProgress(end, asked), version: found?.version ?? 0 };
  const run = {
    ...({ ports, task, begun, end, progress: found ?? fresh } as const),
    comparison: {
      ports,
      receivePayment: (id: string) => receivePayment(id, ports),
      judgedBefore: begun - JUDGED_AFTER_MINUTES * clock.minuteMs,
      counts: { payments: 0, repaired: 0, opened: 0, failed: 0 },
      ...{ listed: new Set<string>(), seen: new Set<string>() },
      ...{ transactionIds: new Set<string>(), unmatchedIds: new Set<string>(), compared: new Map() },
    },
  };
  // Kept at once: while the first runs fail, no time may go by uncompared.
  if (!found || (asked && !isUnfinished(found, asked))) await keep(run, fresh);
  return run;
}

/** Whether the last time that was asked for is this one, and was not compared to its end. */
const isUnfinished = ({ asked, upTo }: BooksProgress, { from, to }: NonNullable<BooksProgress['asked']>) =>
  asked?.from === from && asked.to === to && upTo < to;

const instant = (at: number) => new Date(at).toISOString();

const isLate = ({ begun, ports }: Run, busyMs: number) => ports.clock.now() - begun > busyMs;

/** False where a twin has kept a progress meanwhile: it goes on, and this run ends. */
async function keep(run: Run, progress: BooksProgress): Promise<boolean> {
  const next = { ...progress, version: run.progress.version + 1 };
  run.progress = next;
  return run.ports.moneyCases.saveProgress(run.task, next);
}

/** Part by part, each of them kept; one at least, however late it is. False where a twin goes on. */
async function compareStretches(run: Run): Promise<boolean> {
  for (let stretch = stretchNow(run.progress, run.end); stretch; stretch = run.progress.stretch) {
    const { failed } = run.comparison.counts;
    const done = await comparePart({ ...run.comparison, from: stretch.from, to: stretch.to }, stretch);
    const isFailed = stretch.isFailed || run.comparison.counts.failed > failed;
    const seen = { ...stretch, isFailed };
    const next = partAfter(seen, done);
    if (!next) tellIfNotFinal(seen, run);
    const { progress, end } = run;
    if (!(await keep(run, next ? { ...progress, stretch: next } : afterStretch(progress, seen, end))))
      return false;
    if (isLate(run, BUSY_WITH_STRETCHES_MS)) break;
  }
  return true;
}

/** The chain first: whoever it names is compared with ledger and provider as well. */
async function comparePart(run: Comparison, stretch: Stretch): Promise<PartDone> {
  if (stretch.part === 'POSTINGS') {
    const { postings, next } = await run.ports.ledger.listDayFrom(stretch.day, stretch.after);
    await comparePostings(run, postings);
    return { after: next };
  }
  const upTo =
    stretch.part === 'TRANSFERS' ? await compareTransfers(run) : await compareReceived(run, stretch.at);
  // Before the part is kept: who goes on behind it does not know them any more.
  await compareNamed(run);
  return { upTo };
}

/** One node that stands still would have us stand still with it, and nobody know. */
function tellIfNotFinal(over: Stretch, { task, begun, ports }: Run): void {
  if (task !== 'CLOCK' || over.part !== 'POSTINGS') return;
  const { finalTo, to } = over;
  if (finalTo >= to || begun - finalTo <= FINAL_WITHIN_MS) return;
  ports.log.error('the chain is not final', new Error('no new final block'), { upTo: instant(finalTo) });
}

/** As `compareStretches`, of the payments of the last ninety days of which something went back. */
async function compareReturns(run: Run): Promise<void> {
  for (let returns = returnsNow(run.progress, run.end); returns; returns = run.progress.returns) {
    const { from, to, at } = returns;
    const { failed } = run.comparison.counts;
    const until = Math.min(at + RETURNS_STEP_MS, to);
    const upTo = await compareReturned({ ...run.comparison, from: at, to: until }, at);
    const isFailed = returns.isFailed || run.comparison.counts.failed > failed;
    const next = { from, to, at: upTo, ...(isFailed && { isFailed }) };
    const { progress } = run;
    if (!(await keep(run, upTo < to ? { ...progress, returns: next } : afterReturns(progress, next)))) return;
    if (isLate(run, BUSY_MS)) return;
  }
}

function rangeIn(event: unknown): { from: number; to: number } | undefined {
  const { from, to } = Object(event) as { from?: unknown; to?: unknown };
  if (from === undefined && to === undefined) return undefined;
  const range = { from: Date.parse(String(from)), to: Date.parse(String(to)) };
  if (!(range.from < range.to)) throw new Error('from and to must be instants, the first before the second');
  return range;
}

export const handler = schedule({ needs }, reconcileBooks);
