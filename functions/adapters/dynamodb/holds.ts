import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import { type Hold, holdOf, type Mark, type Marks, type WitnessMark } from '../../domain/treasury/hold.ts';
import type { Holds, HoldsDesk } from '../../domain/treasury/hold-ports.ts';
import { jitter } from '../jitter.ts';
import {
  find,
  isDone,
  type RowUpdate,
  type Store,
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
  tables: HoldTables,
  random: Random,
): Holds & HoldsDesk {
  const marked = { client, tables, random };
  const store = { client, table: tables.witness, random };
  /** Repeats the write if it conflicts with the mark that a schedule writes every minute. */
  const update = (changes: RowUpdate) => isDone(updateRow(store, MARK, changes));
  return {
    findMarks: () => findMarks(marked),
    findHold: async () => (await findHeld(marked)).hold,
    findReplayedAt: async () => ((await markIn(store)) as WitnessMark).replayedAt,
    async keepTime(now) {
      const { marks, hold } = await findHeld(marked);
      // If the write is refused, a concurrent call has written the mark. If its outcome is unknown, the next minute's
      // call writes one.
      if (!hold) await markAll(marked, marks, { at: after(marks, now) });
      return hold;
    },
    hold: (held) => update({ ...updateOf({ held }), ConditionExpression: 'attribute_not_exists(#held)' }),
    release: ({ witness: { held } }) =>
      update({
        UpdateExpression: 'REMOVE held',
        ConditionExpression: 'held = :seen',
        ExpressionAttributeValues: { ':seen': held },
      }),
    catchUp: (marks, now) => markAll(marked, marks, { at: after(marks, now), replayedAt: now }),
  };
}

type Marked = { client: DynamoDBDocumentClient; tables: HoldTables; random: Random };

const markIn = async (store: Store) => (await find<Mark>(store, MARK)) ?? {};

async function findMarks({ client, tables }: Marked): Promise<Marks> {
  const { settlements, transactions, witness } = tables;
  // The witness is read first. If a mark is written in between, the tables look newer than the witness, never older.
  const seen: WitnessMark = await markIn({ client, table: witness });
  const marks = [settlements, transactions].map((table) => markIn({ client, table }));
  return { witness: seen, tables: await Promise.all(marks) };
}

/**
 * Tables that are just being marked look restored for a moment. A read may see one item of a transaction
 * before another (DynamoDB Developer Guide, "Isolation levels"). It may show the new mark in the witness and
 * not yet in a table. It may show the very first mark in a table and not yet in the witness. The marks are
 * therefore read several times. Only restored tables look restored in every read.
 */
async function findHeld(marked: Marked): Promise<{ marks: Marks; hold?: Hold }> {
  for (let look = 1; ; look++) {
    const marks = await findMarks(marked);
    const hold = holdOf(marks);
    if (hold !== 'RESTORED' || look === LOOKS) return { marks, hold };
    await jitter(marked.random, PAUSE_MS * 2 ** look);
  }
}

/**
 * Writes a new mark to all tables, if no mark has changed since `was` was read. False: one has changed, or the
 * outcome is unknown.
 */
async function markAll(
  { client, tables, random }: Marked,
  was: Marks,
  mark: WitnessMark & { at: number },
): Promise<boolean> {
  const [ofSettlements = {}, ofTransactions = {}] = was.tables;
  const items = [
    marking(tables.settlements, ofSettlements, { at: mark.at }),
    marking(tables.transactions, ofTransactions, { at: mark.at }),
    marking(tables.witness, was.witness, mark),
  ];
  return (await writeKnowingly(client, items, random)) === 'WRITTEN';
}

/** The instant of the next mark. It is later than the last mark's, even if a clock is behind. */
const after = ({ witness: { at = 0 } }: Marks, now: number) => Math.max(now, at + 1);

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
