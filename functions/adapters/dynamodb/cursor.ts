import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { BooksProgress } from '../../domain/books/books-progress.ts';
import type { BooksTask } from '../../domain/books/money-case-ports.ts';
import type { Stop } from '../../domain/purchase/unmatched-payment-ports.ts';
import { find, isDone, type Store, updateOf } from './table.ts';

/** No other row of these tables has this id. */
const CURSOR = 'CURSOR';

/** Records how far `ReconcilePix` has read the provider's list. It is one row in the table of unmatched payments. */
export function cursorOf(store: Store) {
  const findRow = () => find<{ upTo: number; stop?: Stop }>(store, CURSOR);
  return {
    findCursor: async (): Promise<number | undefined> => (await findRow())?.upTo,
    findStop: async (): Promise<Stop | undefined> => (await findRow())?.stop,
    /** Moves the cursor forward. It writes nothing if the cursor is already further. */
    async moveCursor(upTo: number, stop?: Stop): Promise<void> {
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
 * `upTo` is stored twice: older rows have it only outside of `progress`, and `findCursor` reads it there.
 */
export function booksProgressOf(store: Store) {
  const findRow = (id: string) => find<{ upTo: number; progress?: BooksProgress }>(store, id);
  return {
    findCursor: async (): Promise<number | undefined> => (await findRow(CURSOR))?.upTo,
    async findProgress(of: BooksTask): Promise<BooksProgress | undefined> {
      const row = await findRow(PROGRESS[of]);
      // An older row has only `upTo`. Everything up to that instant was compared.
      return row && (row.progress ?? { ...allUpTo(row.upTo), version: 0 });
    },
    async saveProgress(of: BooksTask, progress: BooksProgress): Promise<boolean> {
      const { upTo, version } = progress;
      const saved = updateOf({ upTo, progress });
      const write = new UpdateCommand({
        TableName: store.table,
        Key: { id: PROGRESS[of] },
        ...saved,
        ConditionExpression: 'attribute_not_exists(#progress) OR #progress.#version = :was',
        ExpressionAttributeNames: { ...saved.ExpressionAttributeNames, '#version': 'version' },
        ExpressionAttributeValues: { ...saved.ExpressionAttributeValues, ':was': version - 1 },
      });
      return isDone(store.client.send(write));
    },
  };
}

const allUpTo = (upTo: number) => ({ upTo, comparedUpTo: upTo, returnsUpTo: upTo });
