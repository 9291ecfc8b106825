import type { Posting } from '../ledger.ts';
import type { Period } from '../time.ts';
import type { DaySum } from './day-sums.ts';

/** Where the reading of a day's postings stopped. A caller may store it, but only the ledger's store knows its form. */
export type PostingMark = Record<string, unknown>;

/**
 * Reads the ledger. The stores of purchases, unmatched payments and money cases write a posting together with its
 * movement of money. No other code writes postings, and none is ever changed. Calls fail as all ports do:
 * functions/domain/ports.ts.
 */
export type Ledger = {
  findPosting(id: string): Promise<Posting | undefined>;
  /**
   * Lists the postings of a day in Brasília (`YYYY-MM-DD`), in the order of their instants. The index may lag by
   * seconds.
   */
  listDay(day: string): Promise<Posting[]>;
  /** Lists the first postings of the day, or the next ones after `after`. `next` is present if there are more. */
  listDayFrom(day: string, after?: PostingMark): Promise<{ postings: Posting[]; next?: PostingMark }>;
};

export type PartnerLedger = {
  /**
   * Lists the postings about one partner's purchases in the order of their instants. `from` itself is included, `to` is
   * not. Stops once it has more than `most`. The index may lag by seconds.
   */
  listPostings(partnerId: string, period: Period, most: number): Promise<Posting[]>;
};

/** The stored sums of closed days. Calls fail as all ports do: functions/domain/ports.ts. */
export type DaySums = {
  /** The last closed day in Brasília. Undefined before the first one. */
  findClosed(): Promise<string | undefined>;
  /** The sums until the end of a closed day. Empty for a day before the first. */
  listSums(day: string): Promise<DaySum[]>;
  /** Lists postings of the day as `Ledger.listDayFrom` does, without those that were recorded late. */
  listInTime(day: string, after?: PostingMark): Promise<{ postings: Posting[]; next?: PostingMark }>;
  /** Stores the sums of the day after `was`. False: another run has closed that day. */
  close(day: string, sums: readonly DaySum[], was?: string): Promise<boolean>;
};
