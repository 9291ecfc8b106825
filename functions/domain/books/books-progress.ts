/**
 * How far the books were compared: docs/decisions.md, "The books". A run saves the
 * progress whenever it has finished one step, so that the next run continues there. Instants are epoch
 * milliseconds.
 */
import { getFirst } from '../get.ts';
import { DAY_MS, daysBetween, MINUTE_MS } from '../time.ts';
import type { PostingMark } from './ledger-ports.ts';

/**
 * A new series of stretches begins this long before the time that the last series has reached:
 * `stretchNow`. A missing row or payment is reported only once it is an hour old (`judgedBefore`). Because
 * of the overlap, at least one series compares every row after that hour.
 */
const OVERLAP_MS = 120 * MINUTE_MS;
/**
 * The length of a stretch. If one row of a stretch cannot be compared, the time from the start of that stretch is
 * compared again, so a stretch is short.
 */
const STRETCH_MS = 180 * MINUTE_MS;
/**
 * The time that one step of the comparison of Pix returns covers. It is longer than a stretch, because
 * returns are rare.
 */
export const RETURNS_STEP_MS = 10 * DAY_MS;
/**
 * The age of the oldest payments whose Pix returns are compared. A return may begin until ninety days after
 * its payment (Res. BCB 103/2021, art. 41-A II), and takes some days to finish.
 */
const RETURN_DAYS = 95;

/**
 * A stretch of time, which is compared in three parts. `TRANSFERS` are compared with the chain, then
 * `RECEIVED` Pix with the provider, then `POSTINGS` with the ledger. `part` names the part that comes next.
 */
export type Stretch = {
  from: number;
  to: number;
  /** When the first run of this series of stretches began. */
  begun: number;
  /**
   * Where the first stretch of this series begins in which something could not be compared. The series goes on, but
   * `comparedUpTo` stays before it, so that the next series compares it again.
   */
  failedFrom?: number;
} & (
  | { part: 'TRANSFERS' }
  // `at` is the instant from which this part continues. `finalTo` is the instant of the latest final block,
  // or `to` if that is earlier.
  | { part: 'RECEIVED'; at: number; finalTo: number }
  | { part: 'POSTINGS'; day: string; after?: PostingMark; finalTo: number }
);

/**
 * One pass that compares the Pix returns of all payments from `from` to `to`. `at` is the instant from
 * which the pass continues.
 */
export type Returns = { from: number; to: number; at: number; isFailed?: boolean };

export type BooksProgress = {
  /**
   * A save succeeds only with the version that was read, and raises it by one. Two runs can therefore not
   * both continue from the same place.
   */
  version: number;
  /** The period that an operator has asked to compare. Absent for the hourly comparison. */
  asked?: { from: number; to: number };
  /** Both the stretches and the returns of Pix are compared up to this instant. */
  upTo: number;
  /**
   * All stretches up to this instant are compared. A return may come long after its payment, so a separate
   * pass compares the returns of older payments: `returns`.
   */
  comparedUpTo: number;
  /** The last finished pass over the returns has compared the payments up to this instant. */
  returnsUpTo?: number;
  stretch?: Stretch;
  /** When the first run of the last series of stretches began. */
  begun?: number;
  returns?: Returns;
};

type Series = Pick<Stretch, 'begun' | 'failedFrom'>;

function stretchOf(from: number, end: number, series: Series): Stretch {
  return { from, to: Math.min(from + STRETCH_MS, end), ...series, part: 'TRANSFERS' };
}

const seriesOf = ({ begun, failedFrom }: Stretch): Series => ({
  begun,
  ...(failedFrom !== undefined && { failedFrom }),
});

/**
 * The progress before the first run. With `asked` it covers the time that an operator asked for, otherwise
 * the last `OVERLAP_MS`.
 */
export function newProgress(end: number, asked?: BooksProgress['asked']): BooksProgress {
  const from = asked?.from ?? end - OVERLAP_MS;
  const stretch = stretchOf(from, end, { begun: end });
  return { version: 0, upTo: from, comparedUpTo: from, stretch, ...(asked && { asked }) };
}

/**
 * The stretch with which a run continues. Undefined if the time that an operator asked for is finished.
 * After a finished series, the time of a new series begins `OVERLAP_MS` before the first run of the last
 * series began. It begins even earlier if `comparedUpTo` is earlier than that run. The new series therefore
 * also reads what the provider has shown since that run.
 */
export function stretchNow(progress: BooksProgress, end: number): Stretch | undefined {
  const { stretch, comparedUpTo, begun = end, asked } = progress;
  if (stretch) return stretch;
  if (asked) return comparedUpTo < end ? stretchOf(comparedUpTo, end, { begun: end }) : undefined;
  // Two runs may have different clocks. If the last run's clock was ahead, `begun` or `comparedUpTo` may
  // lie after `end`. This run must still have something to compare, so it begins before `end`.
  return stretchOf(Math.min(comparedUpTo, begun, end) - OVERLAP_MS, end, { begun: end });
}

/**
 * How far a part of the comparison has come. `upTo` is the instant up to which it has compared. `after` is
 * the last compared posting of a day that has more postings. Without `after` the day is finished.
 */
export type PartDone = { upTo: number } | { after?: PostingMark };

/** The next part of the stretch. Undefined if the stretch is finished. */
export function partAfter(stretch: Stretch, done: PartDone): Stretch | undefined {
  const { from, to } = stretch;
  const same = { from, to, ...seriesOf(stretch) };
  const days = daysBetween(from, to);
  if ('upTo' in done) {
    if (stretch.part === 'TRANSFERS')
      return { ...same, part: 'RECEIVED', at: from, finalTo: Math.min(done.upTo, to) };
    const { finalTo } = stretch;
    if (done.upTo < to) return { ...same, part: 'RECEIVED', at: done.upTo, finalTo };
    return { ...same, part: 'POSTINGS', day: getFirst(days), finalTo };
  }
  const { day, finalTo } = requirePostings(stretch);
  if (done.after) return { ...same, part: 'POSTINGS', day, after: done.after, finalTo };
  const next = days[days.indexOf(day) + 1];
  return next === undefined ? undefined : { ...same, part: 'POSTINGS', day: next, finalTo };
}

function requirePostings(stretch: Stretch) {
  if (stretch.part !== 'POSTINGS') throw new Error('only postings are read by their marks');
  return stretch;
}

/**
 * The progress after a stretch, with the next stretch of the series. If the blocks of this one are not final yet, the
 * series ends.
 */
export function afterStretch(progress: BooksProgress, over: Stretch, end: number): BooksProgress {
  const { to, begun, failedFrom = Number.POSITIVE_INFINITY } = over;
  const { stretch: _, ...rest } = progress;
  const { finalTo } = requirePostings(over);
  const comparedUpTo = Math.max(rest.comparedUpTo, Math.min(finalTo, failedFrom));
  const compared = { ...rest, begun, comparedUpTo };
  const isLast = finalTo < to || to >= end;
  return whole(isLast ? compared : { ...compared, stretch: stretchOf(to, end, seriesOf(over)) });
}

/**
 * The pass over returns that must run now: the unfinished one, or a new one. A new pass begins `RETURN_DAYS`
 * before `upTo`, because a return may come that late after its payment. Undefined if the time that an
 * operator asked for is finished.
 */
export function returnsNow({ returns, returnsUpTo = 0, asked, upTo }: BooksProgress, end: number) {
  if (returns) return returns;
  if (asked && returnsUpTo >= end) return undefined;
  const from = Math.min(upTo, end) - RETURN_DAYS * DAY_MS;
  return { from, to: end, at: from };
}

export function afterReturns(progress: BooksProgress, over: Returns): BooksProgress {
  const { returns: _, ...rest } = progress;
  if (over.isFailed) return rest;
  return whole({ ...rest, returnsUpTo: Math.max(rest.returnsUpTo ?? 0, over.to) });
}

/**
 * Computes `upTo`: the earlier of `comparedUpTo` and `returnsUpTo`. Up to this instant both the stretches
 * and the returns are compared. `upTo` never moves back.
 */
function whole(progress: BooksProgress): BooksProgress {
  const { upTo, comparedUpTo, returnsUpTo = 0 } = progress;
  return { ...progress, upTo: Math.max(upTo, Math.min(comparedUpTo, returnsUpTo)) };
}
