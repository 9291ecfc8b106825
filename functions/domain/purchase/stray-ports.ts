import type { StrayChange, StrayPix } from './stray.ts';

/** Pix that are no purchase's payment, and how far reconciliation has read. Failures as in `ports.ts`. */
export type Strays = {
  findStray(endToEndId: string): Promise<StrayPix | undefined>;
  /** Put-if-absent, with its posting; the answer is the row that is there now, and whether this call made it. */
  create(stray: StrayPix): Promise<{ stray: StrayPix; isNew: boolean }>;
  /** Ids of rows past their `nextCheckAt`, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Those that are not returned, the oldest first; the index may be stale. */
  listOpen(): Promise<StrayPix[]>;
  /** The change, its event and its posting in one write. False: row or purchase was no longer as the change says. */
  save(change: StrayChange): Promise<boolean>;
  /** Plans the next look, where nobody has planned another since the row was read. */
  postpone(stray: StrayPix, next: { nextCheckAt: number; faults?: number }): Promise<void>;
  /** Every Pix received before this instant has been seen; undefined before the first reconciliation. */
  findCursor(): Promise<number | undefined>;
  /** Where the next run goes on; undefined where the last has seen all of its time itself. */
  findStop(): Promise<Stop | undefined>;
  /** Never goes back; without a stop the run has come to the end of its time. */
  moveCursor(upTo: number, stop?: Stop): Promise<void>;
};

/**
 * `at` is where to go on; `begun` when the first of the runs began that have not come to the end of their time yet; `failedAt` when
 * the first Pix before came that could not be seen to, and holds the cursor.
 */
export type Stop = { at: number; begun?: number; failedAt?: number };
