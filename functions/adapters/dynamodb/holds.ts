import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import { type Hold, holdOf, type Mark, type Marks, type WitnessMark } from '../../domain/treasury/hold.ts';
import type { Holds, HoldsDesk } from '../../domain/treasury/hold-ports.ts';
import { jitter } from '../jitter.ts';
import { find, isDone, updateOf, type WriteItem, writeKnowingly, writeRow } from './table.ts';

type HoldTables = { settlements: string; transactions: string; witness: string };

/** No other row of these tables has this id. */
export const MARK = 'CLOCK';

/** Together much longer than DynamoDB takes to write the items of one transaction. */
const LOOKS = 4;
const PAUSE_MS = 40;

/** The marks of the tables that record payments, and of the witness, a table without backups. */
export function holdStore(
  client: DynamoDBDocumentClient,
  { settlements, transactions, witness }: HoldTables,
  random: Random,
): Holds & HoldsDesk {
  const markIn = async (table: string) => (await find<Mark>({ client, table }, MARK)) ?? {};

  async function findMarks(): Promise<Marks> {
    // The witness is read first: a mark in between can only put the tables ahead of it, never behind.
    const seen: WitnessMark = await markIn(witness);
    return { witness: seen, tables: await Promise.all([settlements, transactions].map(markIn)) };
  }

  /**
   * Restored tables stay behind. Tables that are being marked look so for a moment, therefore the marks are read
   * several times. Reads beside a transaction may show one of its items before another (DynamoDB Developer Guide,
   * "Isolation levels"). The very first mark may look so too, if it comes after the witness was read.
   */
  async function findHeld(): Promise<{ marks: Marks; hold?: Hold }> {
    for (let look = 1; ; look++) {
      const marks = await findMarks();
      const hold = holdOf(marks);
      if (hold !== 'RESTORED' || look === LOOKS) return { marks, hold };
      await jitter(random, PAUSE_MS * 2 ** look);
    }
  }

  /** Marks all tables if each is still as it was read. False: one has changed, or the outcome is unknown. */
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

  /** A mark never goes back, even if a clock is behind. */
  const after = ({ witness: { at = 0 } }: Marks, now: number) => Math.max(now, at + 1);

  /** Repeats on a conflict: the mark of the minute may be written at the same time. */
  const update = (input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) => {
    const command = new UpdateCommand({ TableName: witness, Key: { id: MARK }, ...input });
    return isDone(writeRow(() => client.send(command), random));
  };

  return {
    findMarks,
    findHold: async () => (await findHeld()).hold,
    findReplayedAt: async () => ((await markIn(witness)) as WitnessMark).replayedAt,
    async keepTime(now) {
      const { marks, hold } = await findHeld();
      // If the write is refused, a concurrent call has marked them. If its outcome is unknown, the next minute marks
      // them.
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
