import type { Hold, Marks } from './hold.ts';

/** Whether money may leave. Read consistently at every refund and return; settlement knows it for five seconds. */
export type Holds = {
  findHold(): Promise<Hold | undefined>;
  /** Of Pix that were paid before this instant, rows may have been lost. */
  findReplayedAt(): Promise<number | undefined>;
  /** Marks the tables, and their witness, as of now; marks nothing and answers the hold where there is one. */
  keepTime(now: number): Promise<Hold | undefined>;
};

/** What operators do besides. No function is granted it. */
export type HoldsDesk = {
  findMarks(): Promise<Marks>;
  /** False where it is held already. */
  hold(held: { by: string; reason: string; at: number }): Promise<boolean>;
  /** False where what is released is not what was seen. */
  release(marks: Marks): Promise<boolean>;
  /** The tables know again what had happened since. False where somebody has marked them since `marks` were read. */
  catchUp(marks: Marks, now: number): Promise<boolean>;
};
