/**
 * The progress of the comparison of the books: docs/decisions.md, "Reconciliation goes on where it stopped". It is
 * pure data, stored after each part, so that the next run goes on there. Instants are epoch milliseconds.
 */
import { getFirst } from '../get.ts';
import { daysBetween } from '../time.ts';
import type { PostingMark } from './ledger-ports.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** More than the hour after which what is not shown is judged: everything is judged in one stretch or another. */
const OVERLAP_MS = 120 * MINUTE_MS;
/** Some providers do not answer about long times. */
const STRETCH_MS = 180 * MINUTE_MS;
export const RETURNS_STEP_MS = 10 * DAY_MS;
/** A return begins within ninety days of the payment (Res. BCB 103/2021, art. 41-A II), and needs some to be done. */
const RETURN_DAYS = 95;

/**
 * A time that is compared with chain, provider and ledger, one after the other. Blocks are final until `finalTo` only.
 * `isFailed` where something in it could not be compared: then all of it is compared again. `begun` is when the run began that
 * began with this stretch, or with those that it follows.
 */
export type Stretch = { from: number; to: number; begun: number; isFailed?: boolean } & (
  | { part: 'TRANSFERS' }
  | { part: 'RECEIVED'; at: number; finalTo: number }
  | { part: 'POSTINGS'; day: string; after?: PostingMark; finalTo: number }
);

/** One look at all that went back of the payments of a time. */
export type Returns = { from: number; to: number; at: number; isFailed?: boolean };

export type BooksProgress = {
  /** Of whoever has kept it last: two runs must not go on from one place. */
  version: number;
  /** The time that an operator asked for. */
  asked?: { from: number; to: number };
  /** All is compared up to here. */
  upTo: number;
  /** All but what went back of older payments. */
  comparedUpTo: number;
  /** What went back of older payments, as the provider showed it after this instant. */
  returnsUpTo?: number;
  stretch?: Stretch;
  /** When the run began that began with what is over now. */
  begun?: number;
  returns?: Returns;
};

const stretchOf = (from: number, end: number, begun: number): Stretch => ({
  ...{ from, to: Math.min(from + STRETCH_MS, end), begun, part: 'TRANSFERS' },
});

/** Before the first run of all, and of each about a time that is asked for. */
export function newProgress(end: number, asked?: BooksProgress['asked']): BooksProgress {
  const from = asked?.from ?? end - OVERLAP_MS;
  return {
    ...{ version: 0, upTo: from, comparedUpTo: from, stretch: stretchOf(from, end, end) },
    ...(asked && { asked }),
  };
}

/**
 * What a run goes on with, from where the last stopped. Behind those that had come to the end of their time it begins anew, long
 * before the first of them began: what was shown after that had looked is seen now, however long they took.
 */
export function stretchNow(progress: BooksProgress, end: number): Stretch | undefined {
  const { stretch, comparedUpTo, begun = end, asked } = progress;
  if (stretch) return stretch;
  if (asked) return comparedUpTo < end ? stretchOf(comparedUpTo, end, end) : undefined;
  // Clocks may differ: one that was ahead must not make others compare nothing.
  return stretchOf(Math.min(comparedUpTo, begun, end) - OVERLAP_MS, end, end);
}

/** How far a part came: until an instant, or until a posting of its day with others behind it. */
export type PartDone = { upTo: number } | { after?: PostingMark };

/** What follows a part of a stretch; undefined where the stretch is over. */
export function partAfter(stretch: Stretch, done: PartDone): Stretch | undefined {
  const { from, to, begun, isFailed } = stretch;
  const same = { from, to, begun, ...(isFailed && { isFailed }) };
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

/** The stretch is over. What comes after it needs no overlap; what is not final yet, or has failed, waits for the next run. */
export function afterStretch(progress: BooksProgress, over: Stretch, end: number): BooksProgress {
  const { to, begun } = over;
  const { stretch: _, ...rest } = { ...progress, begun };
  if (over.isFailed) return rest;
  const { finalTo } = requirePostings(over);
  const compared = { ...rest, comparedUpTo: Math.max(rest.comparedUpTo, finalTo) };
  return whole(finalTo < to || to >= end ? compared : { ...compared, stretch: stretchOf(to, end, begun) });
}

/** The look that is not at its end, or a new one at all payments that may have gone back since `upTo`. */
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

/** A time is compared once both are past it, so that a day is never complete while pages of it are unread. */
function whole(progress: BooksProgress): BooksProgress {
  const { upTo, comparedUpTo, returnsUpTo = 0 } = progress;
  return { ...progress, upTo: Math.max(upTo, Math.min(comparedUpTo, returnsUpTo)) };
}
