import type { Posting } from '../ledger.ts';

/** A posting's place in its day. */
export type PostingMark = { at: number; id: string };

/**
 * What the books say. They are written together with what moves the money, by `transactions`, `unmatchedPayments` and
 * `moneyCases`: nobody else can post, and nobody changes what is posted. Failures as in `ports.ts`.
 */
export type Ledger = {
  findPosting(id: string): Promise<Posting | undefined>;
  /** The postings of a day in Brasília (`YYYY-MM-DD`) by their instants; the index may be stale. */
  listDay(day: string): Promise<Posting[]>;
  /** The first of them, or of those after `after`; `next` where there are more. */
  listDayFrom(day: string, after?: PostingMark): Promise<{ postings: Posting[]; next?: PostingMark }>;
};
