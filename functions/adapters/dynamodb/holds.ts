import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import { type Hold, holdOf, type Mark, type Marks, type WitnessMark } from '../../domain/treasury/hold.ts';
import type { Holds, HoldsDesk } from '../../domain/treasury/hold-ports.ts';
import { jitter } from '../jitter.ts';
import {
  find,
  isDone,
  type RowUpdate,
  updateOf,
  updateRow,
  type WriteItem,
  writeKnowingly,
} from './table.ts';

type HoldTables = { settlements: string; transactions: string; witness: string };

/**
 * The id of the row with the table's `Mark` (`domain/treasury/hold.ts`). No other row of these tables has
 * this id.
 */
export const MARK = 'CLOCK';

/**
 * The marks are read this often before the tables count as restored. The pauses are together much longer than DynamoDB
 * takes to write one transaction.
 */
const LOOKS = 4;
const PAUSE_MS = 40;

/** Stores the marks of the tables that record payments, and of the witness, a table without backups. */
export function holdStore(
  client: DynamoDBDocumentClient,
  { settlements, transactions, witness }: HoldTables,
  random: Random,
): Holds & HoldsDesk {
  const markIn = async (table: string) => (await find<Mark>({ client, table }, MARK)) ?? {};

  async function findMarks(): Promise<Marks> {
    // The witness is read first. If a mark is written in between, the tables look newer than the witness, never older.
    const seen: WitnessMark = await markIn(witness);
    return { witness: seen, tables: await Promise.all([settlements, transactions].map(markIn)) };
  }

  /**
   * Tables that are just being marked look restored for a moment. A read may see one item of a transaction
   * before another (DynamoDB Developer Guide, "Isolation levels"). It may show the new mark in the witness and
   * not yet in a table. It may show the very first mark in a table and not yet in the witness. The marks are
   * therefore read several times. Only restored tables look restored in every read.
   */
  async function findHeld(): Promise<{ marks: Marks; hold?: Hold }> {
    for (let look = 1; ; look++) {
      const marks = await findMarks();
      const hold = holdOf(marks);
      if (hold !== 'RESTORED' || look === LOOKS) return { marks, hold };
      await jitter(random, PAUSE_MS * 2 ** look);
    }
  }

  /**
   * Writes a new mark to all tables, if no mark has changed since `was` was read. False: one has changed, or the
   * outcome is unknown.
   */
  async function markAll(was: Marks, at: number, besides: Partial<WitnessMark> = {}): Promise<boolean> {
    const [ofSettlements = {}, ofTransactions = {}] = was.tables;
    const written = await writeKnowingly(
      client,
      [
        marking(settlements, ofSettlements, { at }),
        marking(transactions, ofTransactions, { at }),
        marking(witness, was.witness, { at, ...besides }),
      ],
      random,
    );
    return written === 'WRITTEN';
  }

  /** The instant of the next mark. It is later than the last mark's, even if a clock is behind. */
  const after = ({ witness: { at = 0 } }: Marks, now: number) => Math.max(now, at + 1);

  /** Repeats the write if it conflicts with the mark that a schedule writes every minute. */
  const update = (changes: RowUpdate) => isDone(updateRow({ client, table: witness, random }, MARK, changes));

  return {
    findMarks,
    findHold: async () => (await findHeld()).hold,
    findReplayedAt: async () => ((await markIn(witness)) as WitnessMark).replayedAt,
    async keepTime(now) {
      const { marks, hold } = await findHeld();
      // If the write is refused, a concurrent call has written the mark. If its outcome is unknown, the next minute's
      // call writes one.
      if (!hold) await markAll(marks, after(marks, now));
      return hold;
    },
    hold: (held) => update({ ...updateOf({ held }), ConditionExpression: 'attribute_not_exists(#held)' }),
    release: ({ witness: { held } }) =>
      update({
        UpdateExpression: 'REMOVE held',
        ConditionExpression: 'held = :seen',
        ExpressionAttributeValues: { ':seen': held },
      }),
    catchUp: (marks, now) => markAll(marks, after(marks, now), { replayedAt: now }),
  };
}

function marking(table: string, was: Mark, set: WitnessMark): WriteItem {
  const update = updateOf(set);
  const isMarked = was.at !== undefined;
  return {
    Update: {
      TableName: table,
      Key: { id: MARK },
      ...update,
      ConditionExpression: isMarked ? '#at = :was' : 'attribute_not_exists(#at)',
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...(isMarked && { ':was': was.at }) },
    },
  };
}
