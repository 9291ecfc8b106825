import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { find, isDone, type Store, updateOf } from './table.ts';

/** Nothing else in these tables is named like it. */
const CURSOR = 'CURSOR';

/** How far a reconciliation has come, kept as a row among those that it is about. */
export function cursorOf(store: Store) {
  return {
    async findCursor(): Promise<number | undefined> {
      return (await find<{ upTo: number }>(store, CURSOR))?.upTo;
    },
    /** Never back. */
    async moveCursor(upTo: number): Promise<void> {
      const moved = {
        ...{ TableName: store.table, Key: { id: CURSOR }, ...updateOf({ upTo }) },
        ConditionExpression: 'attribute_not_exists(#upTo) OR #upTo < :upTo',
      };
      await isDone(store.client.send(new UpdateCommand(moved)));
    },
  };
}
