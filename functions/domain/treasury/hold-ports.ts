import type { Hold, Marks } from './hold.ts';

/**
 * Whether money may leave. Every refund and return reads it consistently. Settlement keeps the answer for five seconds.
 */
export type Holds = {
  findHold(): Promise<Hold | undefined>;
  /** A Pix that was paid before this instant may have lost its row. */
  findReplayedAt(): Promise<number | undefined>;
  /** Marks the tables and their witness as of now. If there is a hold, marks nothing and answers the hold. */
  keepTime(now: number): Promise<Hold | undefined>;
};

/** The part for operators. No function is granted it. */
export type HoldsDesk = {
  findMarks(): Promise<Marks>;
  /** False: money is held already. */
  hold(held: { by: string; reason: string; at: number }): Promise<boolean>;
  /** False: the marks have changed since they were read. */
  release(marks: Marks): Promise<boolean>;
  /**
   * Marks the tables after a replay, which found the lost transfers. False: the marks have changed since they were
   * read.
   */
  catchUp(marks: Marks, now: number): Promise<boolean>;
};
