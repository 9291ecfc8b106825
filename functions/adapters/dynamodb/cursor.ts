import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { BooksProgress } from '../../domain/books/books-progress.ts';
import type { BooksTask } from '../../domain/books/money-case-ports.ts';
import type { ReadingStop } from '../../domain/purchase/unmatched-payment-ports.ts';
import { find, isDone, type Store, updateOf } from './table.ts';

/** The id of the row with a cursor. No other row of its table has this id. */
const CURSOR = 'CURSOR';

/** Records how far `ReconcilePix` has read the provider's list. It is one row in the table of unmatched payments. */
export function cursorOf(store: Store) {
  const findRow = () => find<{ upTo: number; stop?: ReadingStop }>(store, CURSOR);
  return {
    findCursor: async (): Promise<number | undefined> => (await findRow())?.upTo,
    findStop: async (): Promise<ReadingStop | undefined> => (await findRow())?.stop,
    /** Moves the cursor forward. It writes nothing if the cursor is already further. */
    async moveCursor(upTo: number, stop?: ReadingStop): Promise<void> {
      const moved = {
        TableName: store.table,
        Key: { id: CURSOR },
        ...updateOf({ upTo, stop }, stop ? [] : ['stop']),
        ConditionExpression: 'attribute_not_exists(#upTo) OR #upTo <= :upTo',
      };
      await isDone(store.client.send(new UpdateCommand(moved)));
    },
  };
}

const PROGRESS: Record<BooksTask, string> = { CLOCK: CURSOR, OPERATOR: 'ASKED' };

/**
 * Records how far `ReconcileBooks` has compared. The schedule has one row, and an operator's request has another.
 */
export function booksProgressOf(store: Store) {
  const findProgress = async (of: BooksTask): Promise<BooksProgress | undefined> =>
    (await find<{ progress: BooksProgress }>(store, PROGRESS[of]))?.progress;
  return {
    findCursor: async (): Promise<number | undefined> => (await findProgress('CLOCK'))?.upTo,
    findProgress,
    async saveProgress(of: BooksTask, progress: BooksProgress): Promise<boolean> {
      const saved = updateOf({ progress });
      const write = new UpdateCommand({
        TableName: store.table,
        Key: { id: PROGRESS[of] },
        ...saved,
        ConditionExpression: 'attribute_not_exists(#progress) OR #progress.#version = :was',
        ExpressionAttributeNames: { ...saved.ExpressionAttributeNames, '#version': 'version' },
        ExpressionAttributeValues: { ...saved.ExpressionAttributeValues, ':was': progress.version - 1 },
      });
      return isDone(store.client.send(write));
    },
  };
}
