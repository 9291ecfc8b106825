import type { Hold, Marks } from './hold.ts';

/**
 * Tells whether money may leave the treasury. Each refund and each return reads the marks from the tables, with a
 * consistent read. Settlement caches the answer for five seconds.
 */
export type Holds = {
  findHold(): Promise<Hold | undefined>;
  /**
   * When an operator last replayed lost transfers from the chain. The row of a purchase that was paid before
   * this instant may be lost. Therefore a Pix from before this instant is not returned without further
   * checks.
   */
  findReplayedAt(): Promise<number | undefined>;
  /**
   * Writes the present time as the mark of the tables and of their witness. A mark never goes back: if it is later than
   * `now`, it grows by a millisecond. While money is held, nothing is written, and the hold is answered.
   */
  keepTime(now: number): Promise<Hold | undefined>;
};

/** The methods for operators. No Lambda function has them as a port. */
export type HoldsDesk = {
  findMarks(): Promise<Marks>;
  /** Answers false if an operator holds money already. */
  hold(held: { by: string; reason: string; at: number }): Promise<boolean>;
  /** Answers false if the hold has changed since the marks were read. */
  release(marks: Marks): Promise<boolean>;
  /**
   * Marks the tables as complete after a replay has found the lost transfers. Answers false if the marks have changed
   * since they were read, or if the outcome of the write is unknown.
   */
  catchUp(marks: Marks, now: number): Promise<boolean>;
};
