/**
 * Decides whether money may leave. Restored tables do not know the payments, refunds and returns that were made since
 * their backup: docs/decisions.md, "Tables that were restored".
 */

/** `RESTORED`: the tables are behind their witness, or the witness is lost. `HELD`: an operator holds all money. */
export type Hold = 'RESTORED' | 'HELD';

/** The hold in the words of the log. */
export const HOLD_WORDS = {
  RESTORED: 'tables are behind their witness',
  HELD: 'money is held by an operator',
} as const satisfies Record<Hold, string>;

/**
 * An instant (epoch milliseconds). One write gives the same one to the settlements, to the transactions and to their
 * witness. The witness has no backups, so it is never restored.
 */
export type Mark = { at?: number };
export type WitnessMark = Mark & {
  held?: { by: string; reason: string; at: number };
  /** When lost transfers were last replayed from the chain. */
  replayedAt?: number;
};
export type Marks = { witness: WitnessMark; tables: readonly Mark[] };

export function holdOf(marks: Marks): Hold | undefined {
  if (isBehind(marks)) return 'RESTORED';
  return marks.witness.held ? 'HELD' : undefined;
}

/**
 * If only the tables have a mark, the witness was lost with its region. Then the tables count as behind, because
 * nothing proves otherwise.
 */
function isBehind({ witness, tables }: Marks): boolean {
  const { at: witnessedAt } = witness;
  if (witnessedAt === undefined) return tables.some(({ at }) => at !== undefined);
  return tables.some(({ at }) => at === undefined || at < witnessedAt);
}
