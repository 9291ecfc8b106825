import type { Hold, Marks } from './hold.ts';

/**
 * Tells whether the service may move money: pay, refund or return. Each refund and each return reads the
 * marks (`Mark` in `hold.ts`) with a consistent read. Settlement caches the answer for five seconds.
 */
export type Holds = {
  findHold(): Promise<Hold | undefined>;
  /**
   * When an operator last searched the chain for transfers that restored tables do not know (`replay.ts`).
   * The row of a purchase that was paid before this instant may be lost. Therefore a Pix from before this
   * instant is not returned without further checks.
   */
  findReplayedAt(): Promise<number | undefined>;
  /**
   * Writes the present time as the `Mark` of the tables and of the witness table. A mark never goes back. If
   * it is already later than `now`, it grows by a millisecond. While there is a hold, nothing is written, and
   * the hold is answered.
   */
  keepTime(now: number): Promise<Hold | undefined>;
};

/** The methods for operators. Only their commands and the console use them. */
export type HoldsDesk = {
  findMarks(): Promise<Marks>;
  /** Stops all movements of money. Answers false if an operator has already stopped them. */
  hold(held: { by: string; reason: string; at: number }): Promise<boolean>;
  /** Ends an operator's hold. Answers false if the hold has changed since the marks were read. */
  release(marks: Marks): Promise<boolean>;
  /**
   * Marks the tables as complete, after a replay (`replay.ts`) has found the transfers that they had lost.
   * Answers false if the marks have changed since they were read, or if the outcome of the write is unknown.
   */
  catchUp(marks: Marks, now: number): Promise<boolean>;
};
