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
import { isoInstant } from '../domain/time.ts';
import { tryEach } from '../domain/try-each.ts';
import { schedule } from '../entry/schedule.ts';
import { reportDueCases } from '../logic/money/case-deadlines.ts';
import { closeBooks } from '../logic/money/close-books.ts';
import { compareReceived, compareReturned } from '../logic/money/compare-payments.ts';
import { compareNamed, comparePostings } from '../logic/money/compare-postings.ts';
import { compareTransfers } from '../logic/money/compare-transfers.ts';
import { BOOKS_NEEDS, type BooksPorts, type Comparison } from '../logic/money/comparison.ts';
import { countCoins } from '../logic/money/count-coins.ts';
import { receivePayment } from '../logic/purchase/receive-payment.ts';

export const needs = BOOKS_NEEDS;

/**
 * A missing row or payment counts as a discrepancy only after this many minutes, because a provider may show
 * it late.
 */
const JUDGED_AFTER_MINUTES = 60;
/** If the chain has had no new final block for this long, it has stopped. */
const FINAL_WITHIN_MS = 120 * 60_000;
/** After this real time a run begins no further comparison. The next run continues where this one stopped. */
const BUSY_MS = 5 * 60_000;
/**
 * How long a run compares stretches: periods that it compares completely. The rest of `BUSY_MS` is for the
 * returns of older payments.
 */
const BUSY_WITH_STRETCHES_MS = 3 * 60_000;

type BooksRun = {
  ports: BooksPorts;
  task: BooksTask;
  begun: number;
  /** The end of the time that is compared. */
  end: number;
  progress: BooksProgress;
  comparison: Omit<Comparison, 'from' | 'to'>;
};

/**
 * Runs every hour. It compares provider, purchases, chain and ledger with each other, and begins where the
 * last run stopped. It repairs what is certain, and opens a case for the rest: docs/decisions.md,
 * "The books". Then it stores the sums of days that are over, and posts the coins that came
 * to our wallets. While a provider does not answer, the cursor does not move. It does not move either after a
 * restore of the tables until the lost transfers are replayed, because they would look like discrepancies. An
 * operator may send the event `{"from": ISO 8601, "to": ISO 8601}`. This period is compared up to the `upTo` of
 * the answer. If the operator sends the event again, the comparison continues there. The operator's event does
 * not move the cursor.
 */
export async function reconcileBooks(ports: BooksPorts, event?: unknown) {
  const run = await beginBooksRun(ports, rangeIn(event));
  const { counts } = run.comparison;
  const isHeld = run.task === 'CLOCK' && (await ports.holds.findHold()) === 'RESTORED';
  const compare = async () => !isHeld && (await compareStretches(run)) && compareReturns(run);
  const others = [
    () => reportDueCases(ports),
    () => closeBooks(ports, run.begun + BUSY_MS),
    async () => !isHeld && countCoins({ ...run.comparison, from: run.begun, to: run.end }),
  ];
  // An outage ends only the task that needs the silent provider.
  await tryEach(run.task === 'CLOCK' ? [compare, ...others] : [compare], (task) => task());
  if (counts.failed > 0) throw new Error(`${counts.failed} comparisons failed: see the log`);
  return { ...counts, upTo: isoInstant(Math.min(run.progress.upTo, run.end)) };
}

async function beginBooksRun(ports: BooksPorts, asked?: BooksProgress['asked']): Promise<BooksRun> {
  const { clock, moneyCases } = ports;
  const begun = clock.now();
  const end = asked?.to ?? begun;
  const task = asked ? 'OPERATOR' : 'CLOCK';
  const found = await moneyCases.findProgress(task);
  const fresh = { ...newProgress(end, asked), version: found?.version ?? 0 };
  const run: BooksRun = {
    ports,
    task,
    begun,
    end,
    progress: found ?? fresh,
    comparison: {
      ports,
      receivePayment: (id: string) => receivePayment(id, ports),
      judgedBefore: begun - JUDGED_AFTER_MINUTES * clock.minuteMs,
      counts: { payments: 0, repaired: 0, opened: 0, failed: 0 },
      listed: new Set(),
      seen: new Set(),
      transactionIds: new Set(),
      unmatchedIds: new Set(),
      compared: new Map(),
    },
  };
  // The progress is saved at the start. If the first runs fail, the time of their failure is still compared later.
  if (!found || (asked && !isUnfinished(found, asked))) await keepBooksProgress(run, fresh);
  return run;
}

/** Whether the operator's last request was for the same time, and did not reach its end. */
const isUnfinished = ({ asked, upTo }: BooksProgress, { from, to }: NonNullable<BooksProgress['asked']>) =>
  asked?.from === from && asked.to === to && upTo < to;

const isBooksRunLate = ({ begun, ports }: BooksRun, busyMs: number) => ports.clock.now() - begun > busyMs;

/** Saves the progress. False: another run has saved its own meanwhile, so this run ends. */
async function keepBooksProgress(run: BooksRun, progress: BooksProgress): Promise<boolean> {
  const next = { ...progress, version: run.progress.version + 1 };
  run.progress = next;
  return run.ports.moneyCases.saveProgress(run.task, next);
}

/**
 * Compares each stretch in three parts: transfers on the chain, received Pix, postings. A run compares at
 * least one part, and saves the progress after each. False: another run has saved its own progress meanwhile,
 * so this run ends.
 */
async function compareStretches(run: BooksRun): Promise<boolean> {
  for (let stretch = stretchNow(run.progress, run.end); stretch; stretch = run.progress.stretch) {
    const { failed } = run.comparison.counts;
    const done = await comparePart({ ...run.comparison, from: stretch.from, to: stretch.to }, stretch);
    const isFailed = run.comparison.counts.failed > failed;
    const seen = isFailed ? { failedFrom: stretch.from, ...stretch } : stretch;
    const next = partAfter(seen, done);
    if (!next) reportIfNotFinal(seen, run);
    const { progress, end } = run;
    if (
      !(await keepBooksProgress(
        run,
        next ? { ...progress, stretch: next } : afterStretch(progress, seen, end),
      ))
    )
      return false;
    if (isBooksRunLate(run, BUSY_WITH_STRETCHES_MS)) break;
  }
  return true;
}

/**
 * Compares one part of a stretch. Transfers on the chain come first. They name purchases, which are then also
 * compared with ledger and provider.
 */
async function comparePart(run: Comparison, stretch: Stretch): Promise<PartDone> {
  if (stretch.part === 'POSTINGS') {
    const { postings, next } = await run.ports.ledger.listDayFrom(stretch.day, stretch.after);
    await comparePostings(run, postings);
    return { after: next };
  }
  const upTo =
    stretch.part === 'TRANSFERS' ? await compareTransfers(run) : await compareReceived(run, stretch.at);
  // The purchases that this part has named are compared before the progress is saved. A run that continues
  // from there would not know their names.
  await compareNamed(run);
  return { upTo };
}

/** Raises an alarm if the chain has stopped. Nothing else would show that the comparison has stopped with it. */
function reportIfNotFinal(over: Stretch, { task, begun, ports }: BooksRun): void {
  if (task !== 'CLOCK' || over.part !== 'POSTINGS') return;
  const { finalTo, to } = over;
  if (finalTo >= to || begun - finalTo <= FINAL_WITHIN_MS) return;
  ports.log.raise('ChainNotFinal', new Error('no new final block'), { upTo: isoInstant(finalTo) });
}

/**
 * Compares the returns of payments from the last 95 days in steps of `RETURNS_STEP_MS`. The progress is saved
 * after each step.
 */
async function compareReturns(run: BooksRun): Promise<void> {
  for (let returns = returnsNow(run.progress, run.end); returns; returns = run.progress.returns) {
    const { from, to, at } = returns;
    const { failed } = run.comparison.counts;
    const until = Math.min(at + RETURNS_STEP_MS, to);
    const upTo = await compareReturned({ ...run.comparison, from: at, to: until }, at);
    const isFailed = returns.isFailed || run.comparison.counts.failed > failed;
    const next = { from, to, at: upTo, ...(isFailed && { isFailed }) };
    const { progress } = run;
    if (
      !(await keepBooksProgress(
        run,
        upTo < to ? { ...progress, returns: next } : afterReturns(progress, next),
      ))
    )
      return;
    if (isBooksRunLate(run, BUSY_MS)) return;
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
