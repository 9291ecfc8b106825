/**
 * Whether money may leave. Tables that were taken back in time do not know what was paid, refunded or returned since:
 * docs/decisions.md, "Tables that were restored".
 */

/** `RESTORED`: the tables are behind their witness. `HELD`: an operator wants it so. */
export type Hold = 'RESTORED' | 'HELD';

/** What a hold is to whoever reads a log. */
export const HOLD_WORDS = {
  RESTORED: 'tables are behind their witness',
  HELD: 'money is held by an operator',
} as const satisfies Record<Hold, string>;

/** The same instant (epoch milliseconds) is written to each table, and to the witness, which nobody restores. */
export type Mark = { at?: number };
export type WitnessMark = Mark & {
  held?: { by: string; reason: string; at: number };
  /** When what the tables had lost was last replayed from the chain. */
  replayedAt?: number;
};
export type Marks = { witness: WitnessMark; tables: readonly Mark[] };

export function holdOf(marks: Marks): Hold | undefined {
  if (isBehind(marks)) return 'RESTORED';
  return marks.witness.held ? 'HELD' : undefined;
}

/** A witness that is gone was lost with its region: then nobody can say that the tables are not behind. */
function isBehind({ witness, tables }: Marks): boolean {
  const all = [witness, ...tables];
  if (all.every(({ at }) => at === undefined)) return false;
  return all.some(({ at }) => at === undefined) || tables.some(({ at = 0 }) => at < witness.at!);
}
