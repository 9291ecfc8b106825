import type { Hold, Marks } from './hold.ts';

/**
 * Tells whether money may leave. Each refund and each return reads the rows, consistently. Settlement keeps an answer
 * for five seconds.
 */
export type Holds = {
  findHold(): Promise<Hold | undefined>;
  /** When lost transfers were last replayed. A Pix that was paid before this instant may have lost its row. */
  findReplayedAt(): Promise<number | undefined>;
  /**
   * Writes `now` to the tables and their witness, or a later instant if their mark is later. If there is a hold, it
   * writes nothing and answers the hold.
   */
  keepTime(now: number): Promise<Hold | undefined>;
};

/** The part for operators. No function has it as a port. */
export type HoldsDesk = {
  findMarks(): Promise<Marks>;
  /** False: an operator holds money already. */
  hold(held: { by: string; reason: string; at: number }): Promise<boolean>;
  /** False: the hold has changed since the marks were read. */
  release(marks: Marks): Promise<boolean>;
  /**
   * Marks the tables after a replay, which found the lost transfers. False: the marks have changed since they were
   * read, or the outcome of the write is unknown.
   */
  catchUp(marks: Marks, now: number): Promise<boolean>;
};
