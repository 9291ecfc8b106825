import type { Posting } from '../ledger.ts';
import type { Period } from '../time.ts';

/** How far the postings of a day were read. Only the store knows the form; it can be stored. */
export type PostingMark = Record<string, unknown>;

/**
 * The reading side of the ledger. `transactions`, `unmatchedPayments` and `moneyCases` write a posting in the same
 * write as the movement of money. Nothing else can post, and no posting is ever changed. Failures as in `ports.ts`.
 */
export type Ledger = {
  findPosting(id: string): Promise<Posting | undefined>;
  /** The postings of a day in Brasília (`YYYY-MM-DD`), by their instants. The index may be stale. */
  listDay(day: string): Promise<Posting[]>;
  /** The first postings of the day, or the first ones behind `after`. `next`: there are more, behind this mark. */
  listDayFrom(day: string, after?: PostingMark): Promise<{ postings: Posting[]; next?: PostingMark }>;
};

export type PartnerLedger = {
  /**
   * The postings about purchases of one partner, from `from` and before `to`, by their instants. Stops once it has
   * more than `most`. The index may be stale.
   */
  listPostings(partnerId: string, period: Period, most: number): Promise<Posting[]>;
};
