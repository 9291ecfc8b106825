/**
 * Decides whether the service may move money. Tables that were restored from a backup do not know the
 * payments, refunds and returns made since that backup: docs/operations.md, "After a restore".
 */

/**
 * Why no money may be moved. `RESTORED`: the `Mark` of a table is missing, or older than that of the witness
 * table. If only the witness table has no mark, the answer is also `RESTORED`. `HELD`: an operator has
 * held all money.
 */
export type Hold = 'RESTORED' | 'HELD';

/** The reason of a hold, as the log names it. */
export const HOLD_WORDS = {
  RESTORED: 'tables are behind their witness',
  HELD: 'money is held by an operator',
} as const satisfies Record<Hold, string>;

/** The effect of a hold, in the words of operators. */
export const HOLD_EFFECT = 'no payment takes a nonce, and nothing goes back';

/**
 * The instant at which `keepTime` or `catchUp` last wrote the mark (epoch milliseconds). One transaction
 * writes the same mark to the settlements table, the transactions table and the witness table. The witness
 * has no backups, so a restore never brings back its old mark.
 */
export type Mark = { at?: number };
export type WitnessMark = Mark & {
  held?: { by: string; reason: string; at: number };
  /**
   * When an operator last searched the chain for transfers that restored tables do not know (`replay.ts`).
   */
  replayedAt?: number;
};
export type Marks = { witness: WitnessMark; tables: readonly Mark[] };

export function holdOf(marks: Marks): Hold | undefined {
  if (isBehind(marks)) return 'RESTORED';
  return marks.witness.held ? 'HELD' : undefined;
}

/**
 * Restored tables have an older mark than the witness. If only the tables have a mark, the witness was lost
 * with its region. The tables are then treated as restored, because nothing proves that they are complete.
 */
function isBehind({ witness, tables }: Marks): boolean {
  const { at: witnessedAt } = witness;
  if (witnessedAt === undefined) return tables.some(({ at }) => at !== undefined);
  return tables.some(({ at }) => at === undefined || at < witnessedAt);
}
